// Reads requests of Gotify's senders and apps: where the token is, the message in its three encodings, and paging.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/problems.ts'
import type { Caller } from '../../../domain/caller.ts'
import type { GotifyMessage } from '../../../domain/doors/gotify/message.ts'
import { cutText, storableText } from '../../../domain/text.ts'
import type { Context } from '../../../operations/context.ts'
import { authenticateAtGotify } from '../../../operations/doors/gotify/user.ts'
import { parseJson } from '../../json-body.ts'
import { bodyOf } from '../../request-body.ts'
import { basicPassword, bearerToken, credentialsReader, formOf, queryOf } from '../reading.ts'

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

export const findCaller = (ctx: Context, request: FastifyRequest): Promise<Caller> =>
  authenticateAtGotify(ctx, gotifyToken(request), credentialsReader(request))

export type GotifyRequest = { message: GotifyMessage; appid?: number }

export async function readGotifyRequest(request: FastifyRequest): Promise<GotifyRequest> {
  const fields = isJson(request) ? await readJsonFields(request) : await readFormFields(request)
  const { message, title, priority, extras, appid } = fields
  if (message === undefined || message === '') throw invalid("Field 'message' is required")
  return { message: { message, title, priority, extras }, appid }
}

type Fields = Omit<Partial<GotifyMessage>, 'extras'> & { extras?: Record<string, unknown>; appid?: number }

const isJson = ({ headers }: FastifyRequest) => /^application\/json\b/i.test(headers['content-type'] ?? '')

async function readObject(request: FastifyRequest): Promise<Record<string, unknown>> {
  const body = parseJson((await bodyOf(request)).toString() || '{}')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('the body must be a JSON object')
  return body as Record<string, unknown>
}

// Go decodes null as an absent member.
async function readJsonFields(request: FastifyRequest): Promise<Fields> {
  const { message, title, priority, extras, appid } = await readObject(request)
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

// The name of a client.
export async function readName(request: FastifyRequest): Promise<string> {
  const name = isJson(request) ? text('name', (await readObject(request)).name) : (await formOf(request)).get('name')
  if (!name) throw invalid("Field 'name' is required")
  return cutText(storableText(name), MOST_NAME_CHARS)
}

const MOST_NAME_CHARS = 128

// The number in the path.
export function readNumber({ params }: FastifyRequest): number {
  const { id } = params as { id: string }
  const number = /^\d{1,15}$/.test(id) ? Number(id) : undefined
  if (number === undefined) throw invalid('invalid id')
  return number
}

const DEFAULT_LIMIT = 100
const MOST_PER_PAGE = 200

// `since=0` is no bound.
export function readPaging(request: FastifyRequest): { below: number | undefined; limit: number } {
  const query = queryOf(request)
  const limit = readCount('limit', 'ParseInt', query.get('limit')) ?? DEFAULT_LIMIT
  if (limit < 1) throw invalid("Field 'limit' must be more or equal to 1")
  if (limit > MOST_PER_PAGE) throw invalid(`Field 'limit' must be less or equal to ${MOST_PER_PAGE}`)
  return { below: readCount('since', 'ParseUint', query.get('since')) || undefined, limit }
}

// Refuses in the words of Go's parser, which Gotify passes on.
function readCount(name: string, parser: string, value: string | null): number | undefined {
  if (value === null || value === '') return undefined
  if (/^\d{1,15}$/.test(value) || (name === 'limit' && /^-\d{1,15}$/.test(value))) return Number(value)
  throw invalid(`strconv.${parser}: parsing ${JSON.stringify(value)}: invalid syntax`)
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
