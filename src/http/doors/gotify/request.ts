// Reads requests of Gotify's senders: where the token is, and the message in its three encodings.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/problems.ts'
import type { GotifyMessage } from '../../../domain/doors/gotify.ts'
import { parseJson } from '../../json-body.ts'
import { bodyOf } from '../door.ts'
import { basicPassword, bearerToken, formOf, queryOf } from '../reading.ts'

// In the order in which Gotify looks. Basic has any user name and the token as password.
export function gotifyToken(request: FastifyRequest): string {
  const { headers } = request
  const key = headers['x-gotify-key']
  const token =
    queryOf(request).get('token') ||
    (typeof key === 'string' ? key : undefined) ||
    bearerToken(headers.authorization) ||
    /(?:^|;\s*)gotify-client-token=([^;]+)/.exec(headers.cookie ?? '')?.[1] ||
    basicPassword(headers.authorization)
  if (token) return token
  throw new Problem('token.invalid', 'Send a token.')
}

export type GotifyRequest = { message: GotifyMessage; appid?: number }

export async function readGotifyRequest(request: FastifyRequest): Promise<GotifyRequest> {
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '')
  const fields = isJson ? readJsonFields(request) : await readFormFields(request)
  const { message, title, priority, extras, appid } = fields
  if (message === undefined || message === '') throw invalid("Field 'message' is required")
  return { message: { message, title, priority, extras }, appid }
}

type Fields = Omit<Partial<GotifyMessage>, 'extras'> & { extras?: Record<string, unknown>; appid?: number }

// Go decodes null as an absent member.
function readJsonFields(request: FastifyRequest): Fields {
  const body = parseJson(bodyOf(request).toString() || '{}')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('the body must be a JSON object')
  const { message, title, priority, extras, appid } = body as Record<string, unknown>
  return {
    message: text('message', message),
    title: text('title', title),
    priority: integer('priority', priority),
    extras: object('extras', extras),
    appid: integer('appid', appid),
  }
}

async function readFormFields(request: FastifyRequest): Promise<Fields> {
  const form = await formOf(request)
  const query = queryOf(request)
  const field = (name: string) => form.get(name) ?? query.get(name) ?? undefined
  const number = (name: string) => {
    const digits = field(name)
    return digits === undefined || digits === '' ? undefined : integer(name, Number(digits))
  }
  return { message: field('message'), title: field('title'), priority: number('priority'), appid: number('appid') }
}

function text(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw invalid(`Field '${name}' must be a string`)
}

function integer(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  if (Number.isSafeInteger(value)) return value as number
  throw invalid(`Field '${name}' must be an integer`)
}

function object(name: string, value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  throw invalid(`Field '${name}' must be an object`)
}

const invalid = (detail: string) => new Problem('request.body_invalid', detail)
