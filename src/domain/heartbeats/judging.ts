// The states of a heartbeat, and what a ping, the clock or a person makes of them.
//
//            start               its longest time, or due + grace
//   new ───────────────▶ started ────────────────────────────▶ down
//    │                     │  ▲                                 ▲ │
//    │ success     success │  │ start        fail, from any state │ success
//    └─────────────────────┴▶ up ── due ──▶ late ── grace ──────┘ └──▶ up
//
//   paused: not judged. Every ping but `log` leads on from it as from `new`. A resume leads to `down` if it was down
//   before, to `up` if it has ever succeeded, and else to `new`.
//
// A start moves neither limit back: a job that starts, dies and starts again is judged by its last success and by its
// first start since. Only `max_run_seconds` lets a run go on after due + grace, because it says how long a run may take.
import { LIMITS } from '../../contract/limits.ts'
import { earlier, type Instant, instant, later, plusSeconds } from '../instant.ts'
import { dueAfter, type Heartbeat, longestRunSeconds, type Run } from './heartbeat.ts'
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
export function judgedAt(heartbeat: Heartbeat): Instant | null {
  const { status, dueAt, runUntil, settings } = heartbeat
  if (status === 'up') return dueAt
  const graceUntil = dueAt && plusSeconds(dueAt, settings.grace_seconds)
  if (status === 'late') return graceUntil
  if (status !== 'started') return null
  if (runUntil === null || graceUntil === null || settings.max_run_seconds !== undefined) return runUntil
  return earlier(runUntil, graceUntil)
}

// The next change that the clock makes; undefined if none is due.
export function afterTime(heartbeat: Heartbeat, now: Instant): Change | undefined {
  const at = judgedAt(heartbeat)
  if (at === null || at > now) return undefined
  const { status, dueAt, runs, runUntil } = heartbeat
  if (status === 'up') return { heartbeat: { ...heartbeat, status: 'late' } }
  if (status === 'late' || at !== runUntil) return goDown(heartbeat, { kind: 'missed', dueAt: dueAt ?? at }, now)
  const [hung, ...others] = runs
  return goDown(withRuns(heartbeat, others), { kind: 'hung', startedAt: hung && firstStartOf(hung) }, now)
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
  const { runs: open } = heartbeat
  const isOpen = open.some((run) => run.rid === rid)
  const runs = isOpen
    ? open.map((run) => (run.rid === rid ? { rid, at: now, firstAt: firstStartOf(run) } : run))
    : [...open, { rid, at: now }].slice(0, LIMITS.heartbeat.maxOpenRuns)
  const started = withRuns(heartbeat, runs)
  return heartbeat.status === 'down' ? started : { ...started, status: 'started' }
}

const firstStartOf = ({ at, firstAt = at }: Run): Instant => firstAt

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
  const hasHung = (one: Run) => status === 'down' && endOf(settings, one) <= now
  const open = rid === '' ? [] : runs.filter((one) => one.rid !== rid && !hasHung(one))
  const ended = withRuns(heartbeat, open)
  if (!run) return { ended }
  const durationMs = Math.max(now - run.at, 0)
  return { ended: { ...ended, lastDurationMs: durationMs }, durationMs }
}

// A limit that a standstill has moved is not moved back.
function withRuns(heartbeat: Heartbeat, runs: Run[]): Heartbeat {
  const [oldest] = runs
  const firstEnd = oldest ? endOf(heartbeat.settings, oldest) : null
  const runUntil = firstEnd && later(firstEnd, heartbeat.runUntil ?? firstEnd)
  return { ...heartbeat, runs, runUntil }
}

const endOf = (settings: Heartbeat['settings'], run: Run): Instant =>
  plusSeconds(firstStartOf(run), longestRunSeconds(settings))

// Only the first cause is told: the others are in the list of pings.
function goDown(heartbeat: Heartbeat, cause: DownCause, now: Instant): Change {
  if (heartbeat.status === 'down') return { heartbeat }
  return { heartbeat: { ...heartbeat, status: 'down', dueAt: null, downSince: now }, told: { kind: 'down', cause } }
}

// `downSince` stays: a resume tells by it whether the last run was a success.
export const pause = (heartbeat: Heartbeat): Heartbeat => ({
  ...heartbeat,
  status: 'paused',
  dueAt: null,
  runs: [],
  runUntil: null,
  alertId: null,
})

// The time until it is due counts from now: what was missed while it was paused is not judged.
export function resume(heartbeat: Heartbeat, now: Instant): Heartbeat {
  if (heartbeat.status !== 'paused') return heartbeat
  if (heartbeat.downSince !== null) return { ...heartbeat, status: 'down' }
  if (heartbeat.lastSuccessAt === null) return { ...heartbeat, status: 'new' }
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
