// What senders of several services do alike: tokens in the Authorization header, query strings and forms.
import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../contract/problems.ts'
import { bodyOf } from './door.ts'
import { boundaryOf, collect, readParts } from './multipart.ts'

export const bearerToken = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]

export function basicPassword(authorization: string | undefined): string | undefined {
  const encoded = /^basic +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return encoded && /:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1]
}

export function queryOf({ url }: FastifyRequest): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1))
}

// The text fields of a form; none if the body is something else.
export async function formOf(request: FastifyRequest): Promise<URLSearchParams> {
  const type = request.headers['content-type'] ?? FORM_TYPE
  const body = bodyOf(request)
  const boundary = boundaryOf(type)
  if (boundary !== undefined && body.length > 0) return readTextParts(body, boundary)
  return new URLSearchParams(isForm(type) ? readForm(body.toString()) : [])
}

const FORM_TYPE = 'application/x-www-form-urlencoded'
export const isForm = (contentType: string): boolean => contentType.toLowerCase().startsWith(FORM_TYPE)

const MOST_FIELDS = 1000
const MOST_UNREADABLE_CHARS = 64 * 1024

// URLSearchParams takes half a second for a megabyte of escapes.
export function readForm(text: string): [name: string, value: string][] {
  const fields = text === '' ? [] : text.split('&', MOST_FIELDS)
  return fields.map((field) => {
    const equals = field.indexOf('=')
    return equals === -1 ? [decode(field), ''] : [decode(field.slice(0, equals)), decode(field.slice(equals + 1))]
  })
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    // Escapes that are not UTF-8. URLSearchParams reads them, too slowly for a long text.
    if (text.length > MOST_UNREADABLE_CHARS) throw new Problem('request.body_invalid', 'The form is not UTF-8.')
    return new URLSearchParams(`_=${text}`).get('_') ?? ''
  }
}

async function readTextParts(body: Buffer, boundary: string): Promise<URLSearchParams> {
  const fields = new URLSearchParams()
  for await (const { name, fileName, content } of readParts(Readable.from([body]), boundary)) {
    if (fileName === undefined) fields.append(name, (await collect(content, body.length)).toString())
  }
  return fields
}
