// A heartbeat and its pings, as clients see them.
import type { HeartbeatView, PingView } from '../contract/heartbeats.ts'
import type { Heartbeat } from '../domain/heartbeats/heartbeat.ts'
import { judgedAt } from '../domain/heartbeats/judging.ts'
import type { KeptPing } from '../domain/heartbeats/ping.ts'
import { type Instant, toRfc3339 } from '../domain/instant.ts'

type Shown = { heartbeat: Heartbeat; maySeeAddress: boolean }

export const heartbeatView = ({ heartbeat, maySeeAddress }: Shown, publicUrl: string): HeartbeatView => ({
  slug: heartbeat.slug,
  ...heartbeat.settings,
  status: heartbeat.status,
  last_ping_at: textOf(heartbeat.lastPingAt),
  last_duration_ms: heartbeat.lastDurationMs ?? undefined,
  next_due_at: textOf(nextDueAt(heartbeat)),
  ping_url: maySeeAddress ? `${publicUrl}/ping/${heartbeat.token}` : undefined,
  created_at: toRfc3339(heartbeat.createdAt),
  updated_at: toRfc3339(heartbeat.updatedAt),
})

// While a run is open, its end is due.
const nextDueAt = (heartbeat: Heartbeat): Instant | null =>
  heartbeat.status === 'started' ? judgedAt(heartbeat) : heartbeat.dueAt

const textOf = (at: Instant | null): string | undefined => (at === null ? undefined : toRfc3339(at))

export const pingView = ({ at, kind, exitStatus, durationMs, body, from }: KeptPing): PingView => ({
  at: toRfc3339(at),
  kind,
  exit_status: exitStatus,
  duration_ms: durationMs,
  body: body === '' ? undefined : body,
  from,
})
