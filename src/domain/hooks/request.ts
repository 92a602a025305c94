// A request to a hook as it came, and what is kept of it for its owner to look at.
import { Buffer, isUtf8 } from 'node:buffer'
import type { HookOutcome } from '../../contract/hooks.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Instant } from '../instant.ts'
import { storableText } from '../text.ts'

export type { HookOutcome }

// Names of headers are in lower case; the query has no question mark.
export type HookRequest = { method: string; headers: Record<string, string>; query: string; body: Buffer }

export type KeptBody = { text: string; encoding: 'utf-8' | 'base64'; bytes: number }

export type KeptRequest = Omit<HookRequest, 'body'> & {
  number: number
  receivedAt: Instant
  body: KeptBody
  outcome: HookOutcome
}

export type RequestToKeep = Omit<KeptRequest, 'number'>

export const toKeep = (request: HookRequest, outcome: HookOutcome, receivedAt: Instant): RequestToKeep => ({
  receivedAt,
  method: request.method,
  headers: withoutCredentials(request.headers),
  query: withoutSecretValues(request.query),
  body: keptBody(request.body),
  outcome,
})

export const isComplete = ({ body: { text, encoding, bytes } }: KeptRequest): boolean =>
  Buffer.byteLength(text, encoding) >= bytes

export const asReceived = ({ method, headers, query, body }: KeptRequest): HookRequest => ({
  method,
  headers,
  query,
  body: Buffer.from(body.text, body.encoding),
})

// By which senders authenticate themselves. An Idempotency-Key is none.
const CREDENTIAL = /auth|cookie|token|secret|signature|password|(?<!idempotency-)key/i
const MOST_HEADER_CHARS = 1024

const withoutCredentials = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !CREDENTIAL.test(name))
      .map(([name, value]) => [name, storableText(value).slice(0, MOST_HEADER_CHARS)]),
  )

const MOST_QUERY_CHARS = 8192

const withoutSecretValues = (query: string): string =>
  query
    .slice(0, MOST_QUERY_CHARS)
    .split('&')
    .map((pair) => (CREDENTIAL.test(pair.split('=', 1)[0] as string) ? `${pair.split('=', 1)[0]}=…` : pair))
    .join('&')

// Text of which U+0000 is removed would not be what was sent.
function keptBody(body: Buffer): KeptBody {
  const kept = body.subarray(0, LIMITS.hook.maxKeptBodyBytes)
  const text = textOf(kept, body.length > kept.length)
  if (text !== undefined && !text.includes('\u0000')) return { text, encoding: 'utf-8', bytes: body.length }
  return { text: kept.toString('base64'), encoding: 'base64', bytes: body.length }
}

// The limit may cut a character in two, which streaming leaves out.
function textOf(kept: Buffer, isCut: boolean): string | undefined {
  if (isUtf8(kept)) return kept.toString()
  if (!isCut) return undefined
  const text = new TextDecoder().decode(kept, { stream: true })
  return text.includes('\ufffd') ? undefined : text
}
