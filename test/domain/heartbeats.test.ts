// The rules of heartbeats as pure functions: runs that overlap or hang, their longest time, and the words of the news.
import { describe, expect, test } from 'vitest'
import type { UserId } from '../../src/domain/caller.ts'
import { notificationOf } from '../../src/domain/heartbeats/alert.ts'
import {
  type Heartbeat,
  type HeartbeatId,
  longestRunMs,
  newSettings,
  type PingToken,
} from '../../src/domain/heartbeats/heartbeat.ts'
import { afterPing, afterTime, judgedAt } from '../../src/domain/heartbeats/judging.ts'
import { type Ping, readAction } from '../../src/domain/heartbeats/ping.ts'
import { fromRfc3339, type Instant, plusSeconds } from '../../src/domain/instant.ts'

const START = fromRfc3339('2027-01-10T03:00:00Z')
const HOUR = 3600

const heartbeatOf = (timing: object = { every_seconds: HOUR }): Heartbeat => ({
  id: 'h' as HeartbeatId,
  userId: 'u' as UserId,
  slug: 'job',
  token: 't' as PingToken,
  settings: newSettings({ slug: 'job', name: 'Job', ...timing }),
  targetIds: null,
  status: 'new',
  lastPingAt: null,
  lastSuccessAt: null,
  lastDurationMs: null,
  dueAt: null,
  runs: [],
  runUntil: null,
  downSince: null,
  alertId: null,
  pings: 0,
  minuteStart: START,
  minutePings: 0,
  createdAt: START,
  updatedAt: START,
})

type Step = [seconds: number, action: string, rid?: string]

// Judges by the clock before each ping, as the job does.
function play(steps: Step[], heartbeat = heartbeatOf()): Heartbeat {
  return steps.reduce((before, [seconds, action, rid = '']) => {
    const now = plusSeconds(START, seconds)
    const said = readAction(action)
    if (!said) throw new Error(`no action ${action}`)
    return afterPing(untilTime(before, now), { ...said, rid, body: '', from: '' } satisfies Ping, now).heartbeat
  }, heartbeat)
}

function untilTime(heartbeat: Heartbeat, now: Instant): Heartbeat {
  const change = afterTime(heartbeat, now)
  return change ? untilTime(change.heartbeat, now) : heartbeat
}

describe('runs', () => {
  test('the oldest open run is judged, whatever the others do', () => {
    const heartbeat = play([
      [0, 'start', 'a'],
      [600, 'start', 'b'],
      [1200, '', 'b'],
      [1800, 'start', 'c'],
    ])
    expect(heartbeat.status).toBe('started')
    expect(judgedAt(heartbeat)).toBe(plusSeconds(START, HOUR))
    expect(untilTime(heartbeat, plusSeconds(START, HOUR)).status).toBe('down')
  })

  test('a run that hung is forgotten, so the success of the next one is not followed by another alarm', () => {
    const heartbeat = play([
      [0, 'start', 'a'],
      [5000, 'start', 'b'],
      [5100, '0', 'b'],
    ])
    expect(heartbeat).toMatchObject({ status: 'up', runs: [], runUntil: null, lastDurationMs: 100_000 })
  })

  test('at most 20 are open; a start without a rid replaces the one before it', () => {
    const many = play(Array.from({ length: 30 }, (_, index): Step => [index, 'start', `run-${index}`]))
    expect([many.runs.length, many.runs[0]?.rid]).toEqual([20, 'run-10'])
    expect(
      play([
        [0, 'start'],
        [10, 'start'],
      ]).runs,
    ).toEqual([{ rid: '', at: plusSeconds(START, 10) }])
  })

  test('a limit that a standstill has moved stays moved when another run ends', () => {
    const open = play([
      [0, 'start', 'a'],
      [10, 'start', 'b'],
    ])
    const movedUntil = plusSeconds(START, 2 * HOUR)
    expect(play([[20, '', 'b']], { ...open, runUntil: movedUntil }).runUntil).toBe(movedUntil)
  })

  test('the longest time of a cron pattern is that from one run to the next, also for a start a second early', () => {
    const { settings } = heartbeatOf({ cron: '0 3 * * *', timezone: 'UTC' })
    expect(longestRunMs(settings, plusSeconds(START, -1))).toBe(24 * HOUR * 1000)
    expect(longestRunMs(settings, plusSeconds(START, 1))).toBe(24 * HOUR * 1000)
  })
})

test.each([
  [20, '1 min'],
  [14 * 60, '14 min'],
  [HOUR, '1 h'],
  [26 * HOUR + 300, '1 d 2 h'],
  [24 * HOUR + 120, '1 d 2 min'],
])('down for %i seconds reads %s', (seconds, words) => {
  const told = { kind: 'up', downSince: START } as const
  expect(notificationOf(heartbeatOf(), told, plusSeconds(START, seconds)).title).toBe(
    `Job is up again, down for ${words}`,
  )
})
