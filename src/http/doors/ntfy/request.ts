// Reads requests at the door for ntfy: where the token is, and a message in parameters and body or as JSON.
import { Buffer, isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { isAppPassword } from '../../../domain/apps/password.ts'
import { type ParameterSource, readParameter, readParameters } from '../../../domain/doors/ntfy/parameters.ts'
import { DEFAULT_MESSAGE, isNtfyName, type PublishRequest } from '../../../domain/doors/ntfy/publication.ts'
import { NtfyRefusal } from '../../../domain/doors/ntfy/refusal.ts'
import { hasFormOfAlias } from '../../../domain/keys.ts'
import { TOKEN_PATTERN } from '../../../domain/token.ts'
import type { Context } from '../../../operations/context.ts'
import { parseJson } from '../../json-body.ts'
import { publicUrlFor } from '../../public-url.ts'
import { basicPassword, bearerToken, queryOf } from '../reading.ts'

// Returns undefined for a request without credentials, and for a scheme that ntfy does not know. The query comes first: it
// has the value of the header in base64url, or the token itself.
export function ntfyToken(request: FastifyRequest): string | undefined {
  // Few requests have it there, and to parse a query takes longer than to look.
  const query = request.url.includes('auth') ? queryOf(request) : undefined
  const given = query?.get('authorization') || query?.get('auth')
  if (given && (TOKEN_PATTERN.test(given) || hasFormOfAlias('ntfy', given))) return given
  const authorization = given ? Buffer.from(given, 'base64url').toString() : request.headers.authorization
  return bearerToken(authorization) ?? basicPassword(authorization) ?? passwordIn(request)
}

// An app that was subscribed by a link has its password as the topic.
function passwordIn({ params }: FastifyRequest): string | undefined {
  const { topics } = params as { topics?: string }
  return topics !== undefined && isAppPassword(topics) ? topics : undefined
}

export type NtfyPath = { topic: string; sequence?: string }

// A path that ntfy does not have is an unknown page, not a bad request.
export function pathOf({ params }: FastifyRequest): NtfyPath {
  const { topic = '', sequence } = params as Partial<NtfyPath>
  if (!isNtfyName(topic) || (sequence !== undefined && !isNtfyName(sequence))) throw new NtfyRefusal(40401)
  return { topic, sequence }
}

// `body`: the beginning of the body.
export const readPublishRequest = (request: FastifyRequest, body: Buffer): PublishRequest => ({
  ...pathOf(request),
  parameters: readParameters(sourceOf(request)),
  body,
})

// If a header is sent twice, ntfy reads the first. Node joins them.
function sourceOf(request: FastifyRequest): ParameterSource {
  const { rawHeaders } = request.raw
  const headers = new Map<string, string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase()
    if (!headers.has(name)) headers.set(name, rawHeaders[i + 1] as string)
  }
  return { headers, query: queryOf(request) }
}

// Reads parameters of a subscription: for each of the names the header, then the query.
export function parameterReader(request: FastifyRequest): (...names: string[]) => string | undefined {
  const source = sourceOf(request)
  return (...names) => readParameter(names, source)
}

// Twice the size of a message, as ntfy allows it.
const MOST_JSON_BYTES = 8192

// Everything but the topic and the message could be a header as well, and headers beside the JSON count, too.
export function readJsonPublishRequest(request: FastifyRequest, body: Buffer): PublishRequest {
  const members = readObject(body)
  const topic = textOf(members, 'topic') ?? ''
  if (!isNtfyName(topic)) throw new NtfyRefusal(40009)
  return {
    topic,
    parameters: readParameters({ ...sourceOf(request), json: readJsonParameters(members) }),
    body: Buffer.from(textOf(members, 'message') || DEFAULT_MESSAGE),
  }
}

type Members = Record<string, unknown>

const readJsonParameters = (members: Members): ParameterSource['json'] => ({
  title: textOf(members, 'title'),
  priority: readPriority(members),
  tags: readTags(members),
  click: textOf(members, 'click'),
  icon: textOf(members, 'icon'),
  actions: isAbsent(members.actions) ? undefined : JSON.stringify(members.actions),
  attach: textOf(members, 'attach'),
  filename: textOf(members, 'filename'),
  markdown: readMarkdown(members),
  email: textOf(members, 'email'),
  call: textOf(members, 'call'),
  cache: textOf(members, 'cache'),
  delay: textOf(members, 'delay'),
  sequence: textOf(members, 'sequence_id'),
})

function readObject(body: Buffer): Members {
  if (body.length > MOST_JSON_BYTES) throw new NtfyRefusal(41303)
  if (!isUtf8(body)) throw new NtfyRefusal(40017)
  let value: unknown
  try {
    value = parseJson(body.toString())
  } catch {
    throw new NtfyRefusal(40017)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NtfyRefusal(40017)
  return value as Members
}

// Home Assistant sends every member that is not set as null.
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

function textOf(members: Members, name: string): string | undefined {
  const member = members[name]
  if (isAbsent(member)) return undefined
  if (typeof member !== 'string') throw new NtfyRefusal(40017)
  return member
}

// Some senders put the number in quotes. 0 is the same as none.
function readPriority({ priority }: Members): string | undefined {
  if (isAbsent(priority) || priority === 0 || priority === '0' || priority === '') return undefined
  const number = typeof priority === 'string' ? Number(priority) : priority
  if (!Number.isInteger(number)) throw new NtfyRefusal(40017)
  return String(number)
}

function readTags({ tags }: Members): string | undefined {
  if (isAbsent(tags)) return undefined
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) throw new NtfyRefusal(40017)
  return tags.join(',')
}

function readMarkdown({ markdown }: Members): string | undefined {
  if (isAbsent(markdown)) return undefined
  if (typeof markdown !== 'boolean') throw new NtfyRefusal(40017)
  return markdown ? 'yes' : undefined
}

// The address of this door, as the client has it.
export function addressOf(ctx: Context, request: FastifyRequest): string {
  const { protocol, host, hostname } = request
  return [host, hostname].includes(ctx.config.ntfyHost ?? '')
    ? `${protocol}://${host}`
    : `${publicUrlFor(ctx, request)}/ntfy`
}
