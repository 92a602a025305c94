// A ping: what the path, the query and the body of its request say.
import type { Buffer } from 'node:buffer'
import type { PING_KINDS } from '../../contract/heartbeats.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Instant } from '../instant.ts'
import type { PingKey, PingToken } from './heartbeat.ts'

export type PingKind = (typeof PING_KINDS)[number]

// `rid`: ties the start and the end of a run together; '' if the request has none.
export type Ping = { kind: PingKind; exitStatus?: number; rid: string; body: string; from: string }

// As it is kept. `durationMs`: from the start of the run that it ended.
export type KeptPing = Omit<Ping, 'rid'> & { at: Instant; durationMs?: number }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const PING_KEY_CHARS = 22

const PING_KEY = new RegExp(`^[0-9A-Za-z]{${PING_KEY_CHARS}}$`)

// What a ping is sent to: the address of a heartbeat, or the key of an account and a slug, of which it may make a heartbeat.
export type PingAddress = { token: PingToken } | { key: PingKey; slug: string; mayCreate: boolean }

// The parts of a path: a token and an action, or a key, a slug and an action. Undefined if it is neither.
export function readPath(
  [first = '', second = '', third = '']: string[],
  mayCreate: boolean,
): { address: PingAddress; action: PingAction } | undefined {
  const token = UUID.test(first) ? (first.toLowerCase() as PingToken) : undefined
  const action = readAction(token ? second : third)
  if (!action) return undefined
  if (token) return third === '' ? { address: { token }, action } : undefined
  if (!PING_KEY.test(first) || second === '') return undefined
  return { address: { key: first as PingKey, slug: second, mayCreate }, action }
}

// Undefined if it is no UUID.
export function readRunId(text: string | null): string | undefined {
  if (text === null) return ''
  return UUID.test(text) ? text.toLowerCase() : undefined
}

const MOST_EXIT_STATUS = 255

type PingAction = Pick<Ping, 'kind' | 'exitStatus'>

// `action`: the end of the path, '' for none. Undefined if there is no such action.
export function readAction(action: string): PingAction | undefined {
  if (action === '') return { kind: 'success' }
  if (action === 'start' || action === 'fail' || action === 'log') return { kind: action }
  const exitStatus = /^\d{1,3}$/.test(action) ? Number(action) : Number.NaN
  if (!(exitStatus <= MOST_EXIT_STATUS)) return undefined
  return { kind: exitStatus === 0 ? 'success' : 'fail', exitStatus }
}

// PostgreSQL cannot hold U+0000. A character that the cut divides is left out; a pattern without an upper bound would take
// seconds on a body of invalid bytes.
export function keptBody(body: Buffer): string {
  const { maxKeptBodyBytes } = LIMITS.heartbeat
  const text = body.subarray(0, maxKeptBodyBytes).toString('utf8').replaceAll('\0', '')
  return body.length > maxKeptBodyBytes ? text.replace(/�{1,3}$/, '') : text
}
