// Properties of any widget content, tried on content that is valid under every template.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problems.ts'
import { WIDGET_TEMPLATES, type WidgetContentInput } from '../../../src/contract/widgets.ts'
import { fromRfc3339, plusSeconds, toRfc3339 } from '../../../src/domain/instant.ts'
import { newWidgetContent, patchedWidgetContent } from '../../../src/domain/widgets/widget.ts'

const NOW = fromRfc3339('2026-11-15T08:00:00Z')
const inSeconds = (seconds: number) => toRfc3339(plusSeconds(NOW, seconds))

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const number = fc.double({ min: -1e9, max: 1e9, noNaN: true })
const word = fc.string({ minLength: 1, maxLength: 8 }).map((letters) => `x${letters}`)
const color = fc.constantFrom('red', 'TEAL', '#123456', 'abcdef80', '')
const date = fc.integer({ min: -1000, max: 0 }).map(inSeconds)
const action = fc.record(
  {
    url: fc.constantFrom('https://example.com', 'http://10.0.0.1/hook'),
    method: orNull(fc.constantFrom('get', 'Post', 'DELETE')),
    headers: orNull(fc.dictionary(fc.constantFrom('X-A', 'X-B', 'color'), orNull(fc.constantFrom('', 'v')))),
    foreground: orNull(fc.boolean()),
  },
  { requiredKeys: ['url'] },
)
const node = fc.record({ rate: number, name: orNull(word), color: orNull(color) }, { requiredKeys: ['rate'] })
const device = fc.record(
  { name: fc.constantFrom('a', 'A', 'b', 'Ä'), level: fc.integer({ min: 0, max: 3 }), color: orNull(color) },
  { requiredKeys: ['name', 'level'] },
)
const sort = fc.record(
  {
    field: fc.constantFrom('level' as const, 'name' as const),
    direction: orNull(fc.constantFrom('asc' as const, 'desc' as const)),
  },
  { requiredKeys: ['field'] },
)
const required = {
  template: fc.constantFrom(...WIDGET_TEMPLATES),
  value: fc.double({ min: 0, max: 1, noNaN: true }),
  min_value: fc.integer({ min: -10, max: 0 }),
  max_value: fc.integer({ min: 1, max: 10 }),
  stat_rows: fc.array(fc.record({ label: word, value: word, unit: orNull(word) }), { minLength: 1, maxLength: 6 }),
  points: fc.array(number, { minLength: 2, maxLength: 48 }),
  end_date: fc.integer({ min: 1, max: 1000 }).map(inSeconds),
  devices: fc.array(device, { minLength: 1, maxLength: 8 }),
  periods: fc
    .nat({ max: 47 })
    .map((last) => Array.from({ length: last + 1 }, (_, at) => ({ start: inSeconds(at), value: at }))),
  flow: fc.record({ output: node, inputs: orNull(fc.array(node, { maxLength: 3 })) }),
}
const content: fc.Arbitrary<WidgetContentInput> = fc.record(
  {
    ...required,
    label: orNull(fc.string({ maxLength: 20 })),
    severity: orNull(fc.constantFrom('' as const, 'info' as const)),
    trend: orNull(fc.constantFrom('' as const, 'up' as const)),
    accent_color: orNull(color),
    start_date: orNull(date),
    subtitle_timer: orNull(fc.record({ date })),
    device_sort: orNull(fc.uniqueArray(sort, { maxLength: 2, selector: (entry) => entry.field })),
    tap_action: orNull(action),
    url_action: orNull(action),
  },
  {
    requiredKeys: [
      'template',
      'value',
      'min_value',
      'max_value',
      'stat_rows',
      'points',
      'end_date',
      'devices',
      'periods',
      'flow',
    ],
  },
)

test('newContent is idempotent', () => {
  fc.assert(
    fc.property(content, (input) => {
      const stored = newWidgetContent(input, NOW)
      expect(newWidgetContent(stored, NOW)).toStrictEqual(stored)
      expect(JSON.stringify(stored)).not.toContain(':null')
    }),
  )
})

test('an empty patch changes nothing, at any time', () => {
  fc.assert(
    fc.property(content, fc.integer({ min: -1e9, max: 1e9 }), (input, seconds) => {
      const stored = newWidgetContent(input, NOW)
      expect(patchedWidgetContent(stored, {}, plusSeconds(NOW, seconds))).toStrictEqual(stored)
    }),
  )
})

test('patching with complete content sets all of its members', () => {
  fc.assert(
    fc.property(content, content, (before, after) => {
      const patched = patchedWidgetContent(newWidgetContent(before, NOW), after, NOW)
      const { devices: _, ...expected } = newWidgetContent(after, NOW)
      expect(patched).toMatchObject(expected)
    }),
  )
})

test('R38: a hostile patch is refused and never touches Object.prototype', () => {
  const membersBefore = Reflect.ownKeys(Object.prototype)
  const hostile = fc.constantFrom(
    '{"__proto__":{"polluted":true}}',
    '{"flow":{"\\u005f_proto__":{"polluted":true}}}',
    '{"tap_action":{"url":"https://x.y","__proto__":{"polluted":true}}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
  )
  fc.assert(
    fc.property(content, hostile, (input, patch) => {
      const stored = newWidgetContent(input, NOW)
      expect(() => patchedWidgetContent(stored, JSON.parse(patch), NOW)).toThrow(Problem)
      expect(Reflect.ownKeys(Object.prototype)).toEqual(membersBefore)
    }),
  )
})
