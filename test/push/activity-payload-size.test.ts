// A push of any valid activity fits: the least important members are left out first, and the payload names them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/contract/limits.ts'
import { patchedActivityContent } from '../../src/domain/activities/content.ts'
import type { ActivityContent } from '../../src/domain/activities/templates/content.ts'
import { chunkOf, historyOf } from '../../src/domain/activities/timeline-history.ts'
import { MAX_PLAINTEXT_BYTES } from '../../src/push/channels/web-push/encryption.ts'
import { apnsActivity, webPushActivity } from '../../src/push/payload/activity.ts'
import { aps, push, STARTED, STARTED_SECONDS } from '../support/devices/pushed-activity.ts'
import { isNightly } from '../support/nightly.ts'

const stored = (content: ActivityContent) => patchedActivityContent({}, content, STARTED)
const bytes = (text: string) => Buffer.byteLength(text)

// Characters of one, two, three and four bytes, and some that JSON escapes to six.
const text = (maxLength: number, minLength = 0) =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'ß', '€', '🚲', '\u0001', '"'), minLength, maxLength }),
    fc.string({ unit: fc.constantFrom('\u0001', '🚲'), minLength: maxLength, maxLength }),
  )
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const url = fc.constantFrom('app://x', `https://example.org/${'x'.repeat(2000)}`)
const action = fc.record({
  url: fc.constant(`https://example.org/${'x'.repeat(2000)}`),
  body: text(1024),
  title: text(64),
})

const COMMON = {
  state: optional(text(256)),
  subtitle: optional(text(256)),
  completion_message: optional(text(512)),
  url: optional(url),
  secondary_url: optional(url),
  tap_action: optional(action),
  url_action: optional(action),
  secondary_url_action: optional(action),
  unknown_to_us: optional(text(2000)),
}
const number = fc.double({ noNaN: true, noDefaultInfinity: true })
const steps = fc.integer({ min: 1, max: 64 }).chain((total) => {
  const each = <Value>(value: fc.Arbitrary<Value>) => optional(fc.array(value, { minLength: total, maxLength: total }))
  return fc.record({
    template: fc.constant('steps'),
    total_steps: fc.constant(total),
    current_step: fc.constant(0),
    step_labels: each(text(32)),
    step_weights: each(fc.double({ min: 1e-9, max: 1e9, noNaN: true })),
    step_colors: each(fc.constantFrom('#12345678', '')),
  })
})
const option = (index: number) =>
  fc.record({
    id: fc.constant(`${index}${'o'.repeat(63)}`),
    title: text(24, 1),
    icon: fc.constant('x'.repeat(64)),
    url: optional(url),
  })
const TEMPLATES = [
  fc.record({ template: fc.constant('generic') }),
  steps,
  fc.record({
    template: fc.constant('timeline'),
    value: fc.dictionary(text(32, 1), number, { minKeys: 1, maxKeys: 10 }),
    thresholds: optional(fc.array(fc.record({ value: number, label: text(12) }), { maxLength: 5 })),
  }),
  fc.record({
    template: fc.constant('board'),
    tiles: fc.array(
      fc.record({
        label: text(32, 1).map((label) => `a${[...label].slice(1).join('')}`),
        value: text(16, 1),
        unit: text(8),
        icon: text(128),
        url_action: action,
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  fc.record({
    template: fc.constant('log'),
    lines: fc.array(fc.record({ text: text(512, 1).map((line) => `a${[...line].slice(1).join('')}`) }), {
      minLength: 1,
      maxLength: 20,
    }),
  }),
  fc.record({
    template: fc.constant('media'),
    media_title: text(128),
    controls: fc.record({ play: action, next: action }),
  }),
  fc.record({
    template: fc.constant('approval'),
    options: fc.tuple(option(1), option(2), option(3), option(4)),
    details: optional(fc.array(fc.record({ label: text(24), value: text(64) }), { maxLength: 2 })),
  }),
]
const anyContent = fc
  .tuple(fc.record(COMMON), fc.oneof(...TEMPLATES))
  .map(([common, own]) => stored(JSON.parse(JSON.stringify({ ...common, ...own }))))

function historyFor(content: ActivityContent, count: number) {
  if (content.template !== 'timeline') return undefined
  const value = content.value as Record<string, number>
  const chunks = Array.from({ length: count }, (_, index) => chunkOf(value, STARTED_SECONDS + index))
  return historyOf(chunks, Object.keys(value))
}

describe('size', () => {
  test('R36: every valid activity fits into every kind of push, on both channels', () => {
    const anyEvent = fc.constantFrom('start' as const, 'update' as const, 'end' as const)
    fc.assert(
      fc.property(anyContent, text(256, 1), anyEvent, fc.constantFrom(1, 20, 300), (content, name, event, count) => {
        const rest = {
          event,
          history: historyFor(content, count),
          ticket: 'x'.repeat(48),
          sound: 'notification' as const,
        }
        const whole = push({ content, name, slug: 's'.repeat(128), staleTtlSeconds: 60, dismissalTtlSeconds: 1 }, rest)
        const [apns, web] = [apnsActivity(whole), webPushActivity(whole)]
        expect(bytes(apns)).toBeLessThanOrEqual(LIMITS.push.maxPayloadBytes)
        expect(bytes(web)).toBeLessThanOrEqual(MAX_PLAINTEXT_BYTES)
        expect(apns.isWellFormed() && web.isWellFormed()).toBe(true)
        expect(JSON.parse(apns).aps['content-state'].template).toBe(content.template)
      }),
      { numRuns: isNightly ? 300 : 100 },
    )
  })

  test('the history of ten series fills the remaining space without exceeding the limit', () => {
    const value = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`series ${index}`, index / 3]))
    const content = stored({ template: 'timeline', value })
    const sent = apnsActivity(push({ content }, { history: historyFor(content, 300) }))
    expect(bytes(sent)).toBeGreaterThan(LIMITS.push.maxPayloadBytes - 700)
    expect(bytes(sent)).toBeLessThanOrEqual(LIMITS.push.maxPayloadBytes)
    const { history, shortened } = JSON.parse(sent).aps['content-state']
    expect(Object.keys(history)).toHaveLength(10)
    expect(history['series 0'].at(-1)).toEqual({ timestamp: STARTED_SECONDS + 299, value: 0 })
    expect(shortened).toBeUndefined()
  })

  test('unknown members are left out before any known one', () => {
    const content = stored({ template: 'generic', state: 'on', url: 'https://x.org', blob: 'x'.repeat(5000) })
    expect(aps({ content })['content-state']).toEqual({
      template: 'generic',
      state: 'on',
      url: 'https://x.org',
      shortened: ['blob'],
    })
  })

  test('the newest lines of a log are kept', () => {
    const lines = Array.from({ length: 20 }, (_, index) => ({ text: `${index} ${'x'.repeat(500)}` }))
    const state = aps({ content: stored({ template: 'log', lines }) })['content-state']
    expect(state.lines).toEqual(lines.slice(0, 5))
    expect(state.shortened).toEqual(['lines'])
  })

  test('option ids are never shortened, because answers refer to them', () => {
    const ids = [1, 2, 3, 4].map((index) => `${index}${'o'.repeat(63)}`)
    const options = ids.map((id) => ({
      id,
      title: '\u0001'.repeat(24),
      icon: '\u0001'.repeat(64),
      url: `https://x.org/${'x'.repeat(2000)}`,
    }))
    const content = stored({ template: 'approval', state: '\u0001'.repeat(256), options })
    const state = aps({ content }, { ticket: 'T' })['content-state']
    expect(state.options.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(state.answer_ticket).toBe('T')
  })
})
