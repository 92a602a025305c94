// The rules of heartbeats as pure functions: runs that overlap or hang, their longest time, and the words of the news.
import { describe, expect, test } from 'vitest'
import type { UserId } from '../../src/domain/caller.ts'
import { notificationOf } from '../../src/domain/heartbeats/alert.ts'
import { type Heartbeat, type HeartbeatId, newSettings, type PingToken } from '../../src/domain/heartbeats/heartbeat.ts'
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
    const heartbeat = play(
      [
        [0, 'start', 'a'],
        [600, 'start', 'b'],
        [1200, '', 'b'],
        [1800, 'start', 'c'],
      ],
      heartbeatOf({ every_seconds: HOUR, max_run_seconds: 3000 }),
    )
    expect(heartbeat.status).toBe('started')
    expect(judgedAt(heartbeat)).toBe(plusSeconds(START, 3000))
    expect(untilTime(heartbeat, plusSeconds(START, 3000)).status).toBe('down')
  })

  test('a run that hung is forgotten, so the success of the next one is not followed by another alarm', () => {
    const heartbeat = play([
      [0, 'start', 'a'],
      [5000, 'start', 'b'],
      [5100, '0', 'b'],
    ])
    expect(heartbeat).toMatchObject({ status: 'up', runs: [], runUntil: null, lastDurationMs: 100_000 })
  })

  test('a run that hung while it was down is forgotten, too', () => {
    const heartbeat = play([
      [0, 'start', 'a'],
      [100, 'start', 'b'],
      [5000, 'start', 'c'],
      [5100, '0', 'c'],
    ])
    expect(heartbeat).toMatchObject({ status: 'up', runs: [], runUntil: null })
  })

  test('an end that names no run ends all of them, and its duration is that of the last', () => {
    const heartbeat = play([
      [0, 'start', 'a'],
      [100, 'start', 'b'],
      [160, ''],
    ])
    expect(heartbeat).toMatchObject({ status: 'up', runs: [], lastDurationMs: 60_000 })
  })

  test('at most 20 are open, the oldest, so that many starts do not hide a run that hangs', () => {
    const many = play(Array.from({ length: 30 }, (_, index): Step => [index, 'start', `run-${index}`]))
    expect([many.runs.length, many.runs[0]?.rid]).toEqual([20, 'run-0'])
    expect(judgedAt(many)).toBe(plusSeconds(START, 300))
  })

  test('a run that is started again is judged by its first start, and its duration counts from the last', () => {
    const restarted = play([
      [0, 'start'],
      [100, 'start'],
      [200, 'start'],
    ])
    expect(restarted.runs).toEqual([{ rid: '', at: plusSeconds(START, 200), firstAt: START }])
    expect(judgedAt(restarted)).toBe(plusSeconds(START, 300))
    expect(play([[250, '']], restarted)).toMatchObject({ status: 'up', runs: [], lastDurationMs: 50_000 })
  })

  test.each([
    ['a start before due', 3000, 3000 + 300],
    ['a start after due', 3700, HOUR + 300],
  ])('both limits are judged, the earlier one: %s', (_name, startSeconds, downSeconds) => {
    const open = play([
      [0, ''],
      [startSeconds, 'start'],
    ])
    expect(judgedAt(open)).toBe(plusSeconds(START, downSeconds))
    expect(untilTime(open, plusSeconds(START, downSeconds - 1)).status).toBe('started')
    expect(untilTime(open, plusSeconds(START, downSeconds)).status).toBe('down')
  })

  test('with max_run_seconds a run may take as long, also past the grace', () => {
    const heartbeat = heartbeatOf({ every_seconds: HOUR, max_run_seconds: 7200 })
    const open = play(
      [
        [0, ''],
        [3000, 'start'],
        [4000, 'start'],
      ],
      heartbeat,
    )
    expect(judgedAt(open)).toBe(plusSeconds(START, 3000 + 7200))
  })

  test('a limit that a standstill has moved stays moved when another run ends', () => {
    const open = play([
      [0, 'start', 'a'],
      [10, 'start', 'b'],
    ])
    const movedUntil = plusSeconds(START, 2 * HOUR)
    expect(play([[20, '', 'b']], { ...open, runUntil: movedUntil }).runUntil).toBe(movedUntil)
  })
})

test('the news that it is up again opens what the alert opens', () => {
  const heartbeat = heartbeatOf({ every_seconds: HOUR, url: 'https://example.org/job' })
  const told = { kind: 'up', downSince: START } as const
  expect(notificationOf(heartbeat, told, plusSeconds(START, 60)).url).toBe('https://example.org/job')
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
