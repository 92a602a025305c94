// R36: push payloads of activities, by the rules of ActivityKit.
import { describe, expect, test } from 'vitest'
import type { Activity } from '../../src/domain/activities/activity.ts'
import { isAlerting } from '../../src/push/payload/activity.ts'
import { aps, message, push, STARTED, STARTED_SECONDS } from '../support/devices/pushed-activity.ts'

const CONTENT = { template: 'steps', total_steps: 4, current_step: 1, state: 'Lint', progress: 0.25 }

describe('R36: APNs', () => {
  test('a start has attributes and an alert, and requests an update token', () => {
    expect(aps({ priority: 3 }, { event: 'start' })).toEqual({
      timestamp: STARTED_SECONDS,
      event: 'start',
      'content-state': CONTENT,
      'attributes-type': 'HeliographActivityAttributes',
      attributes: { id: '6dabbfa9-2b0d-4208-9cd5-10f335c022fa', slug: 'build', name: 'Build 4711' },
      'input-push-token': 1,
      alert: { title: 'Build 4711', body: 'Lint' },
      'relevance-score': 3,
    })
  })

  test('an alert says the state, or else the subtitle', () => {
    const bodyOf = (members: object) =>
      aps({ content: { template: 'generic', progress: 0.5, ...members } }, { event: 'start' }).alert.body
    expect(bodyOf({ state: 'Lint', subtitle: 'main' })).toBe('Lint')
    expect(bodyOf({ subtitle: 'main' })).toBe('main')
    expect(bodyOf({})).toBe('')
  })

  test('an update is silent unless it has a sound', () => {
    expect(aps()).toEqual({
      timestamp: STARTED_SECONDS,
      event: 'update',
      'content-state': CONTENT,
      'relevance-score': 0,
    })
    expect(aps({}, { sound: 'chime' })).toMatchObject({
      sound: 'chime.caf',
      alert: { title: 'Build 4711', body: 'Lint' },
    })
    expect(aps({}, { sound: 'default' }).sound).toBe('default')
  })

  test('only pushes that alert have priority 10', () => {
    expect(isAlerting(push())).toBe(false)
    expect(isAlerting(push({}, { event: 'end' }))).toBe(false)
    expect(isAlerting(push({}, { event: 'start' }))).toBe(true)
    expect(isAlerting(push({}, { sound: 'bell' }))).toBe(true)
  })

  test('stale-date counts from the last change, and an end has none', () => {
    expect(aps({ staleTtlSeconds: 90 })['stale-date']).toBe(STARTED_SECONDS + 90)
    expect(aps({ staleTtlSeconds: 90, state: 'ended' }, { event: 'end' })).not.toHaveProperty('stale-date')
  })

  test.each([
    [null, undefined],
    [0, STARTED_SECONDS],
    [600, STARTED_SECONDS + 600],
  ])('an end with dismissal_ttl %s has dismissal-date %s', (dismissalTtlSeconds, expected) => {
    const end = aps({ state: 'ended', stateAt: STARTED, dismissalTtlSeconds }, { event: 'end' })
    expect(end['dismissal-date']).toBe(expected)
    expect(end).toMatchObject({ event: 'end', 'content-state': CONTENT })
  })

  test('a preempted activity is dismissed immediately', () => {
    expect(aps({ state: 'preempted', dismissalTtlSeconds: 600 }, { event: 'end' })['dismissal-date']).toBe(
      STARTED_SECONDS,
    )
  })

  test('an approval carries its ticket in the content', () => {
    expect(aps({}, { ticket: 'T' })['content-state'].answer_ticket).toBe('T')
  })
})

describe('Web Push', () => {
  test('a banner is dismissed with an activity that leaves the screen at its end, or is preempted', () => {
    const end = (changes: Partial<Activity>) => message({ state: 'ended', ...changes }, { event: 'end' }).dismiss
    expect(end({ dismissalTtlSeconds: 0 })).toBe(true)
    expect(end({ state: 'preempted' })).toBe(true)
    expect([end({ dismissalTtlSeconds: 60 }), end({ dismissalTtlSeconds: null })]).toEqual([undefined, undefined])
    expect(message({ dismissalTtlSeconds: 0 }, {}).dismiss).toBeUndefined()
  })

  test('has the same state, and a tag that replaces the previous push of the activity', () => {
    expect(message({ priority: 2 }, { sound: 'ding', ticket: 'T' })).toEqual({
      type: 'activity',
      event: 'update',
      tag: 'activity:6dabbfa9-2b0d-4208-9cd5-10f335c022fa',
      id: '6dabbfa9-2b0d-4208-9cd5-10f335c022fa',
      slug: 'build',
      name: 'Build 4711',
      state: 'ongoing',
      timestamp: STARTED_SECONDS,
      priority: 2,
      content: CONTENT,
      sound: 'ding',
      answer_ticket: 'T',
    })
  })
})
