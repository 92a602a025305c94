// The templates alert, media and approval.
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { endedContent } from '../../../src/domain/activities/content.ts'
import { questionOf } from '../../../src/domain/activities/templates/approval.ts'
import type { ActivityContent } from '../../../src/domain/activities/templates/content.ts'
import { templateFor } from '../../../src/domain/activities/templates/templates.ts'
import { fromUnixSeconds } from '../../../src/domain/instant.ts'
import {
  chars,
  expectBounds,
  NOW_SECONDS as now,
  patched,
  placesOf,
  stored,
  times,
} from '../../support/activity-content.ts'

const dueAt = (content: ActivityContent) => templateFor(content)?.timer?.dueAt(content)
const fire = (content: ActivityContent, seconds: number) =>
  templateFor(content)?.timer?.fire(content, fromUnixSeconds(seconds))

describe('alert', () => {
  test('limits', () => {
    expectBounds({ template: 'alert', severity: 'info' }, [
      ['severity', ['critical', 'warning', 'info'], ['success', 'meh', 5, '']],
      ['severity_label', [chars(40)], [chars(41)]],
      ['fired_at', [1, now, now + 300], [0, -1, now + 301, 1.5]],
    ])
    expect(placesOf({ template: 'alert' })).toEqual(['severity'])
  })

  test('fired_at is compared with the current time only when it is sent', () => {
    expect(placesOf({ state: 'x' }, { template: 'alert', severity: 'info', fired_at: now + 99_999 })).toEqual([])
  })
})

describe('media', () => {
  const good = { template: 'media' }
  const url = 'https://x.org/a'

  test('limits', () => {
    expectBounds(good, [
      ['media_title', [chars(128)], [chars(129)]],
      ['playback_state', ['playing', 'paused', 'stopped', 'buffering', ''], ['rewinding']],
      ['position_seconds', [0, 47.5, 604_800], [-0.5, 604_801]],
      ['duration_seconds', [0.1, 604_800], [0, 604_801]],
      ['position_at', [now - 43_200, now + 300], [0, now - 43_201, now + 301, 1.5]],
      ['volume', [0, 1], [-0.1, 1.01]],
      ['favorite', [true, false], ['yes']],
      [
        'controls',
        [{}, { play: { url } }, { favorite: { url: 'spotify://x', foreground: true } }],
        [
          [],
          { shuffle: { url } },
          { next: { title: 'x' } },
          { next: { url, foreground: true } },
          { stop: { url: 'app://x', method: 'POST' } },
          { extra: times(4, { url, icon: 'x' }) },
          { extra: [{ url }] },
          { extra: {} },
        ],
      ],
    ])
  })

  test('progress is computed from the position, and a position without a time gets the current one', () => {
    expect(stored({ ...good, position_seconds: 30, duration_seconds: 120, progress: 0.9 })).toMatchObject({
      progress: 0.25,
      position_at: now,
    })
    expect(stored({ ...good, position_seconds: 30, position_at: now - 5 })).toMatchObject({ position_at: now - 5 })
    expect(stored({ ...good, position_seconds: 200, duration_seconds: 100 })).toMatchObject({ progress: 1 })
  })

  test('controls default to POST, and an ended activity has stopped playing', () => {
    const controls = {
      play: { url },
      next: { url, method: 'get' },
      favorite: { url: 'spotify://x' },
      extra: [{ url, icon: 'x' }],
    }
    expect(stored({ ...good, controls }).controls).toEqual({
      play: { url, method: 'POST' },
      next: { url, method: 'GET' },
      favorite: { url: 'spotify://x' },
      extra: [{ url, icon: 'x', method: 'POST' }],
    })
    expect(endedContent(stored({ ...good, playback_state: 'playing' }))).toMatchObject({ playback_state: 'stopped' })
  })
})

describe('approval', () => {
  const option = (id: string, rest = {}) => ({ id, title: id.slice(0, 24), ...rest })
  const options = [option('yes'), option('no')]
  const good = { template: 'approval', options }

  test('limits', () => {
    const withIcons = (count: number) => Array.from({ length: count }, (_, index) => option(`o${index}`, { icon: 'x' }))
    expectBounds(good, [
      [
        'options',
        [withIcons(2), withIcons(3), withIcons(4), [option('a'.repeat(64)), option('b')]],
        [
          [],
          [option('a')],
          withIcons(5),
          [option('a'), option('b'), option('c')],
          [option('a'), option('a')],
          [option('-a'), option('b')],
          [option('a'.repeat(65)), option('b')],
          [option('a', { title: chars(25) }), option('b')],
          [option('a', { title: '' }), option('b')],
          [option('a', { style: 'bold' }), option('b')],
          [option('a', { url: 'x' }), option('b')],
          [option('a', { method: 'POST' }), option('b')],
          [option('a', { url: 'app://x', body: 'x' }), option('b')],
        ],
      ],
      [
        'details',
        [[], times(2, { label: chars(24), value: chars(64) })],
        [times(3, { label: 'a', value: 'b' }), [{ label: chars(25), value: 'b' }], [{ label: 'a', value: chars(65) }]],
      ],
      ['source', [chars(24)], [chars(25)]],
      ['end_date', [now + 60], [0, now + LIMITS.activity.dateHorizonSeconds + 1]],
      ['on_expire', ['yes', 'none'], ['maybe', 5]],
    ])
    expect(placesOf({ template: 'approval' })).toEqual(['options'])
  })

  test('changed options start a new round without an answer; the same options do not', () => {
    const first = stored(good)
    expect(first).toEqual({ ...good, answer_round: 1 })
    const answer = { option: 'yes', by: 'user', at: now }
    expect(patched({ ...first, answer }, { options, state: 'x' })).toMatchObject({ answer, answer_round: 1 })
    const second = patched({ ...first, answer }, { options: [option('yes'), option('later')] })
    expect(second.answer_round).toBe(2)
    expect(questionOf(second)?.answer).toBeUndefined()
  })

  test('at its end it is answered with on_expire, or ends without an answer', () => {
    const content = stored({ ...good, end_date: now + 60, on_expire: 'no' })
    expect(dueAt(content)).toBe(fromUnixSeconds(now + 60))
    expect(fire(content, now + 61)).toEqual({
      content: { ...content, answer: { option: 'no', by: 'expired', at: now + 61 } },
      isOver: true,
    })
    const silent = stored({ ...good, end_date: now + 60, on_expire: 'none' })
    expect(fire(silent, now + 61)).toEqual({ content: silent, isOver: true })
    expect(dueAt({ ...content, answer: {} })).toBeUndefined()
    expect(dueAt(stored(good))).toBeUndefined()
  })
})
