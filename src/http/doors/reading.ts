// What senders of several services do alike: tokens in the Authorization header, query strings and forms.
import { Buffer } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { readForm } from '../../domain/doors/forms.ts'
import type { ReadCredentials } from '../../operations/authenticate.ts'
import { bodyOf } from '../request-body.ts'

export const bearerToken = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]

export function basicPassword(authorization: string | undefined): string | undefined {
  const encoded = /^basic +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return encoded && /:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1]
}

// Reads a token as at our own routes, which hash it once for each connection.
export const credentialsReader =
  ({ server, socket }: FastifyRequest): ReadCredentials =>
  (token) =>
    server.credentialsOf(socket, token)

export function queryText({ url }: FastifyRequest): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

export const queryOf = (request: FastifyRequest): URLSearchParams => new URLSearchParams(queryText(request))

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i

// The text fields of a form; none if the body is something else.
export async function formOf(request: FastifyRequest): Promise<URLSearchParams> {
  const type = request.headers['content-type'] ?? 'application/x-www-form-urlencoded'
  const body = await bodyOf(request)
  if (body.length === 0 || !FORM.test(type)) return new URLSearchParams()
  return readForm(type, body)
}
