// Heartbeats in the console: the form for the API and in words, the bars of the last pings, the lines for jobs.
import { describe, expect, test } from 'vitest'
import { barsOf, countByKind } from '../../console/src/on-call/heartbeats/bars.ts'
import {
  draftInWords,
  draftOf,
  everyError,
  expectedInWords,
  graceError,
  isComplete,
  NEW_HEARTBEAT,
  slugOf,
  toInput,
} from '../../console/src/on-call/heartbeats/draft.ts'
import { crontabTime, READY_LINES, TOOLS } from '../../console/src/on-call/heartbeats/ready-lines.ts'
import { byUrgency } from '../../console/src/on-call/heartbeats/status-tag.tsx'
import { slugFor } from '../../console/src/on-call/place.ts'
import { HEARTBEAT_TEXTS } from '../../console/src/texts/heartbeats.ts'
import { durationInWords } from '../../console/src/ui/duration.ts'
import type { HeartbeatView, PingView } from '../../src/contract/heartbeats.ts'

const BACKUP: HeartbeatView = {
  slug: 'backup',
  name: 'Nightly backup',
  cron: '0 3 * * *',
  timezone: 'Europe/Berlin',
  grace_seconds: 3600,
  max_run_seconds: 7200,
  level: 'critical',
  acknowledge: { repeat_seconds: 120, expire_seconds: 1800 },
  tags: ['phone'],
  widget: true,
  status: 'up',
  created_at: '2026-11-16T03:00:00Z',
  updated_at: '2026-11-16T03:00:00Z',
}

describe('the form of a heartbeat', () => {
  test('sends what was chosen, and a slug made from the name', () => {
    const draft = { ...NEW_HEARTBEAT, name: ' Grünes Haus: Sensor ', everySeconds: 600, url: ' https://example.org ' }
    expect(toInput(draft)).toEqual({
      slug: 'grunes-haus-sensor',
      name: 'Grünes Haus: Sensor',
      every_seconds: 600,
      grace_seconds: 300,
      level: 'time-sensitive',
      url: 'https://example.org',
    })
    expect(slugOf({ ...draft, slug: 'sensor' })).toBe('sensor')
  })

  test('shows a heartbeat, and keeps what has no field', () => {
    const draft = draftOf(BACKUP)
    expect(draft).toMatchObject({ timing: 'times', hasWidget: true, repetition: { every: '120', atMost: '1800' } })
    expect(toInput(draft)).toEqual({
      slug: 'backup',
      name: 'Nightly backup',
      cron: '0 3 * * *',
      timezone: 'Europe/Berlin',
      grace_seconds: 3600,
      max_run_seconds: 7200,
      level: 'critical',
      acknowledge: { repeat_seconds: 120, expire_seconds: 1800 },
      widget: true,
      tags: ['phone'],
    })
    const other = { ...draft, timing: 'every' as const, everySeconds: 86_400, repetition: undefined, hasWidget: false }
    expect(toInput(other)).toEqual({
      slug: 'backup',
      name: 'Nightly backup',
      every_seconds: 86_400,
      grace_seconds: 3600,
      max_run_seconds: 7200,
      level: 'critical',
      tags: ['phone'],
    })
  })

  test('says in words what it means', () => {
    expect(draftInWords({ ...NEW_HEARTBEAT, everySeconds: 5400 })).toBe(
      'A success is expected at least every 1 hour, 30 minutes. If none has come 5 minutes after it was due, an alert of the level “Time-sensitive” is sent.',
    )
    expect(draftInWords(draftOf(BACKUP))).toBe(
      'A success is expected: Every day at 03:00, Berlin. If none has come 1 hour after it was due, an alert of the level “Critical” is sent and repeats until someone acknowledges it.',
    )
    expect(expectedInWords(BACKUP)).toBe('Every day at 03:00, Berlin')
    expect(draftInWords({ ...NEW_HEARTBEAT, everySeconds: undefined })).toBe('A name and times are needed.')
  })

  test('says next to a field which times are possible', () => {
    const named = { ...NEW_HEARTBEAT, name: 'Job' }
    expect(isComplete(named)).toBe(true)
    for (const everySeconds of [59, 2_678_401, undefined]) {
      expect(everyError({ ...named, everySeconds })).toBe('Between 1 minute and 31 days.')
      expect(isComplete({ ...named, everySeconds })).toBe(false)
      expect(everyError({ ...named, everySeconds, timing: 'times' })).toBeUndefined()
    }
    expect(graceError({ ...named, graceSeconds: 604_801 })).toBe('Between 1 minute and 7 days.')
    expect(isComplete({ ...named, name: '…' })).toBe(false)
  })
})

test.each([
  ['Nightly backup', 'nightly-backup'],
  ['Zürich — Überwachung #2', 'zurich-uberwachung-2'],
  ['心拍', ''],
])('the slug of “%s” is “%s”', (name, slug) => expect(slugFor(name, 125)).toBe(slug))

test.each([
  [0, '0 seconds'],
  [59.6, '1 minute'],
  [3661, '1 hour, 1 minute'],
  [2_678_400, '31 days'],
])('%d seconds are “%s”', (seconds, words) => expect(durationInWords(seconds)).toBe(words))

test('heartbeats that are down come first, then late ones; paused ones last', () => {
  const listed = (['up', 'paused', 'late', 'down', 'new'] as const).map((status, index) => ({
    ...BACKUP,
    status,
    name: `${9 - index}`,
  }))
  expect(byUrgency(listed).map(({ status }) => status)).toEqual(['down', 'late', 'new', 'up', 'paused'])
})

describe('the bars of the last pings', () => {
  const ping = (kind: PingView['kind'], duration_ms?: number): PingView => ({ at: '', kind, duration_ms, from: '' })

  test('are the last thirty, oldest first, and higher if the run took longer', () => {
    const pings = [ping('success', 400), ping('start'), ping('fail', 100), ...Array(40).fill(ping('success'))]
    const bars = barsOf(pings)
    expect(bars).toHaveLength(30)
    expect(bars.slice(-3).map(({ kind, height }) => [kind, height])).toEqual([
      ['fail', 0.625],
      ['start', 0.25],
      ['success', 1],
    ])
    expect(bars[0]?.height).toBe(0.5)
  })

  test('are counted for those who do not see them', () => {
    const counts = countByKind(barsOf([ping('success'), ping('success'), ping('fail'), ping('log')]))
    expect(HEARTBEAT_TEXTS.bars.label(counts)).toBe('The last 4 pings: 2 successes, 1 failure, 1 note')
  })
})

describe('the lines for jobs', () => {
  test.each([
    [{ cron: '0 3 * * *' }, '0 3 * * *'],
    [{ every_seconds: 60 }, '* * * * *'],
    [{ every_seconds: 600 }, '*/10 * * * *'],
    [{ every_seconds: 45 * 60 }, '*/30 * * * *'],
    [{ every_seconds: 3600 }, '0 * * * *'],
    [{ every_seconds: 5 * 3600 }, '0 */4 * * *'],
    [{ every_seconds: 86_400 }, '0 3 * * *'],
    [{ every_seconds: 30 * 86_400 }, '0 3 * * 1'],
  ])('have a time of cron that comes often enough for %o', (heartbeat, time) => {
    expect(crontabTime(heartbeat)).toBe(time)
  })

  test('contain the address, and one block for each place that the texts name', () => {
    const ping_url = 'https://push.example.org/ping/5bb1ae4f'
    for (const tool of TOOLS) {
      const blocks = READY_LINES[tool]({ ...BACKUP, ping_url })
      expect(blocks).toHaveLength(HEARTBEAT_TEXTS.connect.places[tool].length)
      expect(blocks.join()).toContain(ping_url)
    }
    expect(READY_LINES.cron({ ...BACKUP, ping_url }).join()).not.toContain('%')
  })
})
