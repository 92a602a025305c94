// What senders of several services do alike: tokens in the Authorization header, query strings and forms.
import { Buffer } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { readForm } from '../../domain/doors/forms.ts'
import { bodyOf } from './door.ts'

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
  const body = bodyOf(request)
  if (body.length === 0) return new URLSearchParams()
  return readForm(request.headers['content-type'] ?? 'application/x-www-form-urlencoded', body)
}
