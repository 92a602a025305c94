// The states of a heartbeat, and what a ping, the clock or a person makes of them.
//
//            start                    its longest time passes
//   new ───────────────▶ started ────────────────────────────▶ down
//    │                     │  ▲                                 ▲ │
//    │ success     success │  │ start        fail, from any state │ success
//    └─────────────────────┴▶ up ── due ──▶ late ── grace ──────┘ └──▶ up
//
//   paused: not judged. Every ping but `log` leads on from it as from `new`.
//
// While a run is open, its own limit is judged and not when the next success is due: the start has shown that the job
// is alive.
import { LIMITS } from '../../contract/limits.ts'
import { type Instant, instant, later, plusSeconds } from '../instant.ts'
import { dueAfter, type Heartbeat, longestRunMs, type Run } from './heartbeat.ts'
import type { Ping } from './ping.ts'

export type DownCause =
  | { kind: 'missed'; dueAt: Instant }
  | { kind: 'failed'; exitStatus?: number; body: string }
  | { kind: 'hung'; startedAt: Instant | undefined }

// What people are told of a change.
export type Told = { kind: 'down'; cause: DownCause } | { kind: 'up'; downSince: Instant }

// `durationMs`: of the run that a ping ended.
export type Change = { heartbeat: Heartbeat; told?: Told; durationMs?: number }

// When the status changes unless a ping comes first.
export function judgedAt({ status, dueAt, runUntil, settings }: Heartbeat): Instant | null {
  if (status === 'started') return runUntil
  if (dueAt === null) return null
  if (status === 'up') return dueAt
  return status === 'late' ? plusSeconds(dueAt, settings.grace_seconds) : null
}

// The next change that the clock makes; undefined if none is due.
export function afterTime(heartbeat: Heartbeat, now: Instant): Change | undefined {
  const at = judgedAt(heartbeat)
  if (at === null || at > now) return undefined
  const { status, dueAt, runs } = heartbeat
  if (status === 'up') return { heartbeat: { ...heartbeat, status: 'late' } }
  if (status === 'late') return goDown(heartbeat, { kind: 'missed', dueAt: dueAt ?? at }, now)
  const [hung, ...others] = runs
  return goDown(withRuns(heartbeat, others), { kind: 'hung', startedAt: hung?.at }, now)
}

export function afterPing(before: Heartbeat, ping: Ping, now: Instant): Change {
  const heartbeat = { ...before, lastPingAt: now, pings: before.pings + 1, ...countedInMinute(before, now) }
  switch (ping.kind) {
    case 'log':
      return { heartbeat }
    case 'start':
      return { heartbeat: afterStart(heartbeat, ping, now) }
    case 'success':
      return afterSuccess(heartbeat, ping, now)
    case 'fail': {
      const { ended, durationMs } = endRun(heartbeat, ping, now)
      const { exitStatus, body } = ping
      return { ...goDown(ended, { kind: 'failed', exitStatus, body }, now), durationMs }
    }
  }
}

const minuteOf = (now: Instant): Instant => instant(now - (now % 60_000))

export const isPingedTooOften = ({ minuteStart, minutePings }: Heartbeat, now: Instant): boolean =>
  minuteStart === minuteOf(now) && minutePings >= LIMITS.heartbeat.pingsPerMinute

function countedInMinute({ minuteStart, minutePings }: Heartbeat, now: Instant) {
  const minute = minuteOf(now)
  return { minuteStart: minute, minutePings: minuteStart === minute ? minutePings + 1 : 1 }
}

// A heartbeat that is down stays so until a success.
function afterStart(heartbeat: Heartbeat, { rid }: Ping, now: Instant): Heartbeat {
  const others = heartbeat.runs.filter((run) => run.rid !== rid)
  const runs = [...others, { rid, at: now }].slice(-LIMITS.heartbeat.maxOpenRuns)
  const started = withRuns(heartbeat, runs)
  return heartbeat.status === 'down' ? started : { ...started, status: 'started' }
}

function afterSuccess(heartbeat: Heartbeat, ping: Ping, now: Instant): Change {
  const { ended, durationMs } = endRun(heartbeat, ping, now)
  const { status, downSince } = heartbeat
  const up: Heartbeat = {
    ...ended,
    status: ended.runs.length > 0 ? 'started' : 'up',
    lastSuccessAt: now,
    dueAt: dueAfter(heartbeat.settings, now),
    downSince: null,
    alertId: null,
  }
  const told: Told | undefined = status === 'down' && downSince !== null ? { kind: 'up', downSince } : undefined
  return { heartbeat: up, told, durationMs }
}

// Without a rid a ping ends every run, because it may be the end of each. Runs that hung while it was down have ended,
// too.
function endRun(heartbeat: Heartbeat, { rid }: Ping, now: Instant): { ended: Heartbeat; durationMs?: number } {
  const { settings, runs, status } = heartbeat
  const run = runs.find((one) => one.rid === rid) ?? (rid === '' ? runs.at(-1) : undefined)
  const hasHung = ({ at }: Run) => status === 'down' && at + longestRunMs(settings, at) <= now
  const open = rid === '' ? [] : runs.filter((one) => one.rid !== rid && !hasHung(one))
  const ended = withRuns(heartbeat, open)
  if (!run) return { ended }
  const durationMs = Math.max(now - run.at, 0)
  return { ended: { ...ended, lastDurationMs: durationMs }, durationMs }
}

// A limit that a standstill has moved is not moved back.
function withRuns(heartbeat: Heartbeat, runs: Run[]): Heartbeat {
  const ends = runs.map(({ at }) => at + longestRunMs(heartbeat.settings, at))
  const firstEnd = ends.length === 0 ? null : instant(Math.min(...ends))
  const runUntil = firstEnd && later(firstEnd, heartbeat.runUntil ?? firstEnd)
  return { ...heartbeat, runs, runUntil }
}

// Only the first cause is told: the others are in the list of pings.
function goDown(heartbeat: Heartbeat, cause: DownCause, now: Instant): Change {
  if (heartbeat.status === 'down') return { heartbeat }
  return { heartbeat: { ...heartbeat, status: 'down', dueAt: null, downSince: now }, told: { kind: 'down', cause } }
}

export const pause = (heartbeat: Heartbeat): Heartbeat => ({
  ...heartbeat,
  status: 'paused',
  dueAt: null,
  runs: [],
  runUntil: null,
  downSince: null,
  alertId: null,
})

// The time until it is due counts from now: what was missed while it was paused is not judged.
export function resume(heartbeat: Heartbeat, now: Instant): Heartbeat {
  if (heartbeat.status !== 'paused') return heartbeat
  if (heartbeat.lastPingAt === null) return { ...heartbeat, status: 'new' }
  return { ...heartbeat, status: 'up', dueAt: dueAfter(heartbeat.settings, now) }
}

// With other settings. What is due is judged by them: from the last success on, or from now if that would be in the past
// already.
export function withSettings(heartbeat: Heartbeat, settings: Heartbeat['settings'], now: Instant): Heartbeat {
  const changed = withRuns({ ...heartbeat, settings, runUntil: null }, heartbeat.runs)
  if (heartbeat.dueAt === null || !hasOtherTiming(heartbeat.settings, settings)) return changed
  const due = dueAfter(settings, heartbeat.lastSuccessAt ?? now)
  const dueAt = due > now ? due : dueAfter(settings, now)
  return { ...changed, dueAt, status: heartbeat.status === 'late' ? 'up' : heartbeat.status }
}

const hasOtherTiming = (before: Heartbeat['settings'], after: Heartbeat['settings']): boolean =>
  before.every_seconds !== after.every_seconds || before.cron !== after.cron || before.timezone !== after.timezone
