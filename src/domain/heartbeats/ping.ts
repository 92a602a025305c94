// A ping: what the path, the query and the body of its request say.
import type { Buffer } from 'node:buffer'
import type { PING_KINDS } from '../../contract/heartbeats/heartbeat.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Instant } from '../instant.ts'
import type { PingToken } from './heartbeat.ts'

export type PingKind = (typeof PING_KINDS)[number]

// `rid`: ties the start and the end of a run together; '' if the request has none.
export type Ping = { kind: PingKind; exitStatus?: number; rid: string; body: string; from: string }

// As it is kept. `durationMs`: from the start of the run that it ended.
export type KeptPing = Omit<Ping, 'rid'> & { at: Instant; durationMs?: number }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const readPingToken = (text: string): PingToken | undefined =>
  UUID.test(text) ? (text.toLowerCase() as PingToken) : undefined

// Undefined if it is no UUID.
export function readRunId(text: string | null): string | undefined {
  if (text === null) return ''
  return UUID.test(text) ? text.toLowerCase() : undefined
}

const MOST_EXIT_STATUS = 255

// `action`: what follows the token in the path. Undefined if there is no such action.
export function readAction(action: string | undefined): Pick<Ping, 'kind' | 'exitStatus'> | undefined {
  if (action === undefined || action === '') return { kind: 'success' }
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
