// The templates with a time span: generic and steps with live progress, and countdown.
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { endedContent } from '../../../src/domain/activities/content.ts'
import type { ActivityContent } from '../../../src/domain/activities/templates/content.ts'
import { snoozed } from '../../../src/domain/activities/templates/countdown.ts'
import { templateFor } from '../../../src/domain/activities/templates/templates.ts'
import { fromUnixSeconds } from '../../../src/domain/instant.ts'
import { chars, expectBounds, NOW_SECONDS as now, patched, placesOf, stored } from '../../support/activity-content.ts'

const dueAt = (content: ActivityContent) => templateFor(content)?.timer?.dueAt(content)
const fire = (content: ActivityContent, seconds: number) =>
  templateFor(content)?.timer?.fire(content, fromUnixSeconds(seconds))

describe('generic', () => {
  test('limits', () => {
    expectBounds({ template: 'generic', end_date: now + 60 }, [
      [
        'end_date',
        [1, now - 10, now + LIMITS.activity.dateHorizonSeconds],
        [0, -1, 1.5, '5', true, now + LIMITS.activity.dateHorizonSeconds + 1],
      ],
      ['live_progress', [true, false], [1, 'yes']],
      [
        'image_url',
        ['https://x.org/a.png', 'https://x.org:8443', 'https://[2001:db8::1]/a', ''],
        [
          'http://x.org/a',
          'https:///a',
          'https://u:p@x.org/a',
          'https://@x.org/a',
          'https://[camera]/a',
          'https://a b.org',
          'https://x.org/a b',
          'https://x\u0001.org',
          'https://ex^am.org',
          'https://ex%41.org',
          'https://x.org:port/a',
          `https://x.org/${chars(2048)}`,
        ],
      ],
      ['image_shape', ['poster', 'square', 'circle', ''], ['oval']],
      [
        'image_thumbhash',
        ['3gYKnZp4iHiAeHiHiHiId4B1CPeI', 'AA==', ''],
        ['3PcNNYSFeXh_d3el', '3PcNNYSFeXh', 'A'.repeat(68)],
      ],
      ['duration', [1, 157_788_000, '90', '5m', '1h30m', '1d2h3m4s'], [0, -5, 157_788_001, 'soon', '5m1h', '0s', true]],
    ])
    expect(placesOf({ template: 'generic', start_date: now + 60, end_date: now + 60 })).toEqual(['start_date'])
    expect(placesOf({ template: 'generic', start_date: now + 59, end_date: now + 60 })).toEqual([])
  })

  test('live_progress needs an end date, which a duration sets', () => {
    expect(placesOf({ template: 'generic', live_progress: true })).toEqual(['live_progress'])
    expect(stored({ template: 'generic', live_progress: true, duration: '1h30m' })).toEqual({
      template: 'generic',
      live_progress: true,
      start_date: now,
      end_date: now + 5400,
    })
  })

  test('the end removes live_progress and its dates, and nothing else', () => {
    const run = { template: 'steps', total_steps: 2, current_step: 1 }
    expect(endedContent(stored({ ...run, live_progress: true, end_date: now + 5 }))).toEqual(run)
    const content = stored({ template: 'generic', state: 'x', live_progress: true, start_date: 5, end_date: now + 5 })
    expect(endedContent(content)).toEqual({ template: 'generic', state: 'x' })
    expect(endedContent(stored({ template: 'generic', end_date: 5 }))).toHaveProperty('end_date', 5)
  })
})

describe('countdown', () => {
  const good = { template: 'countdown', end_date: now + 600 }

  test('limits', () => {
    expectBounds(good, [
      ['warning_threshold', [0, 1, 86_401], [-1, 0.5, '5']],
      ['alarm', [true, false], ['yes']],
      ['snooze_seconds', [60, 3600], [59, 3601, 60.5]],
    ])
    expect(placesOf({ template: 'countdown' })).toEqual(['end_date'])
    expect(placesOf({ template: 'countdown', end_date: 0 })).toEqual(['end_date'])
  })

  test('duration counts from now; end_date overrides it; start_date is kept when only end_date is sent', () => {
    expect(stored({ template: 'countdown', duration: 30 })).toEqual({
      template: 'countdown',
      start_date: now,
      end_date: now + 30,
    })
    expect(stored({ ...good, duration: 30 })).toEqual(good)
    expect(patched({ ...good, start_date: now - 100 }, { end_date: now + 900 })).toMatchObject({
      start_date: now - 100,
      end_date: now + 900,
    })
    expect(patched({ ...good, start_date: 5 }, { duration: '1m' })).toMatchObject({
      start_date: now,
      end_date: now + 60,
    })
  })

  test.each(['countdown', 'generic', 'steps'])(
    'an end_date sent alone drops a stored start_date that is not before it: %s',
    (template) => {
      const steps = template === 'steps' ? { total_steps: 2, current_step: 1 } : {}
      const running = { template, ...steps, start_date: now, end_date: now + 600 }
      const { start_date: _, ...startless } = running
      expect(patched(running, { end_date: now })).toEqual({ ...startless, end_date: now })
      expect(patched(running, { end_date: now - 5, duration: 60 })).toEqual({ ...startless, end_date: now - 5 })
      expect(patched(running, { end_date: now + 1 })).toEqual({ ...running, end_date: now + 1 })
      expect(patched(running, { end_date: now, start_date: null })).toEqual({ ...startless, end_date: now })
      expect(placesOf({ ...running, start_date: now, end_date: now })).toEqual(['start_date'])
    },
  )

  test('warns once at the threshold, and ends at the end date with its message', () => {
    const content = stored({ ...good, warning_threshold: 60, completion_message: 'Tea' })
    expect(dueAt(content)).toBe(fromUnixSeconds(now + 540))
    const warned = fire(content, now + 540)
    expect(warned).toEqual({ content: { ...content, accent_color: 'orange', warning_pushed: true }, isOver: false })
    expect(dueAt(warned?.content ?? {})).toBe(fromUnixSeconds(now + 600))
    expect(fire(warned?.content ?? {}, now + 600)).toMatchObject({
      content: { state: 'Tea', progress: 1 },
      isOver: true,
    })
    expect(fire(good, now + 600)?.content.state).toBe('Completed')
  })

  test('a new end date warns again; the same one does not; threshold and alarm are kept until null', () => {
    const warned = { ...good, warning_threshold: 60, alarm: true, warning_pushed: true }
    expect(patched(warned, { end_date: now + 601 })).not.toHaveProperty('warning_pushed')
    const snoozedOnce = { ...warned, snoozed_until: now + 600 }
    expect(patched(snoozedOnce, { end_date: now + 601 })).not.toHaveProperty('snoozed_until')
    expect(patched(snoozedOnce, { state: 'x' })).toMatchObject({ snoozed_until: now + 600 })
    expect(patched(warned, { end_date: now + 600, state: 'x' })).toMatchObject({
      warning_pushed: true,
      alarm: true,
      warning_threshold: 60,
    })
    expect(patched(warned, { alarm: null, warning_threshold: null })).toEqual({ ...good, warning_pushed: true })
  })

  test('a snooze moves the end by snooze_seconds, five minutes by default', () => {
    expect(snoozed(good)).toMatchObject({ end_date: now + 900, snoozed_until: now + 900 })
    expect(snoozed({ ...good, snooze_seconds: 60, warning_pushed: true })).toEqual({
      ...good,
      snooze_seconds: 60,
      end_date: now + 660,
      snoozed_until: now + 660,
    })
  })

  test('the end clears alarm, snoozed_until and warning_pushed', () => {
    expect(endedContent({ ...good, alarm: true, snoozed_until: 5, warning_pushed: true })).toEqual(good)
  })
})

describe('steps', () => {
  const good = { template: 'steps', total_steps: 3, current_step: 1 }

  test('limits', () => {
    expectBounds(good, [
      ['total_steps', [1, 64], [0, 65, 1.5, '3']],
      ['current_step', [0, 3], [-1, 4, 0.5]],
      ['step_rows', [[1, 10, 1]], [[1, 2], [0, 1, 1], [1, 1, 11], [1, 1, 1, 1], 'x', []]],
      [
        'step_labels',
        [[chars(32), '', 'c']],
        [
          ['a', 'b'],
          [chars(33), 'b', 'c'],
          [1, 2, 3],
        ],
      ],
      [
        'step_colors',
        [['green', '', '#ff0000']],
        [
          ['red', 'blue'],
          ['red', 'neon', 'blue'],
          ['#12', '', ''],
        ],
      ],
      [
        'step_weights',
        [[1, 2.5, 0.1]],
        [
          [1, 2],
          [1, 0, 2],
          [1, -2, 3],
        ],
      ],
      ['live_progress', [false], [true]],
    ])
    expect(placesOf({ template: 'steps' })).toEqual(['total_steps', 'current_step'])
  })

  test('lists whose length no longer matches total_steps are dropped, unless the patch sends them', () => {
    const before = stored({ ...good, step_labels: ['a', 'b', 'c'], step_rows: [1, 1, 1] })
    expect(patched(before, { total_steps: 2, step_rows: [1, 2] })).toEqual({
      ...good,
      total_steps: 2,
      step_rows: [1, 2],
    })
    expect(patched(before, { current_step: 2 })).toHaveProperty('step_labels')
    expect(placesOf({ total_steps: 2, step_rows: [1, 1, 1] }, before)).toEqual(['step_rows'])
  })
})
