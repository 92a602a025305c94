// Buttons of messages for ntfy, in both of their forms.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseActions } from '../../../../src/domain/doors/ntfy/actions.ts'
import { NtfyRefusal } from '../../../../src/domain/doors/ntfy/refusal.ts'

const parse = (text: string) => parseActions(text, () => 'a1b2c3d4e5').map(({ id, ...action }) => action)

function errorOf(text: string): string | undefined {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof NtfyRefusal && error.ntfy.code === 40018) return error.ntfy.error.split('; ')[1]
    throw error
  }
  return undefined
}

const view = { action: 'view', label: 'Open', clear: false, url: 'https://a.example' }

describe('the short form', () => {
  test.each<[string, object[]]>([
    ['view, Open, https://a.example', [view]],
    ['  VIEW ,Open,https://a.example ', [view]],
    ['view, Open, https://a.example;', [view]],
    ['action=view, label=Open, url=https://a.example', [view]],
    ['view, Open, https://a.example, clear=true', [{ ...view, clear: true }]],
    ['view, Open, https://a.example, clear=0', [view]],
    ['view, "Open, now; really", https://a.example', [{ ...view, label: 'Open, now; really' }]],
    ["view, 'It''s', https://a.example".replace("''", '"'), [{ ...view, label: 'It"s' }]],
    ['view, "Say \\"hi\\"", "https://a.example"', [{ ...view, label: 'Say "hi"' }]],
    ['view, Open, https://a.example/?a=b', [{ ...view, url: 'https://a.example/?a=b' }]],
    [
      'view, Open, https://a.example; http, Close, https://a.example/c, method=put, headers.Authorization=Bearer t, body={"a":1}',
      [
        view,
        {
          action: 'http',
          label: 'Close',
          clear: false,
          url: 'https://a.example/c',
          method: 'PUT',
          headers: { Authorization: 'Bearer t' },
          body: '{"a":1}',
        },
      ],
    ],
    [
      'broadcast, Photo, extras.cmd=pic, extras.camera=front, intent=io.example.X',
      [
        {
          action: 'broadcast',
          label: 'Photo',
          clear: false,
          intent: 'io.example.X',
          extras: { cmd: 'pic', camera: 'front' },
        },
      ],
    ],
    ['copy, Copy code, 1234', [{ action: 'copy', label: 'Copy code', clear: false, value: '1234' }]],
  ])('%s', (text, actions) => {
    expect(parse(text)).toEqual(actions)
  })

  test.each([
    ['view', "parameter 'label' is required"],
    ['view, Open', "parameter 'url' is required for action 'view'"],
    ['ring, Open, https://a.example', "term 'https://a.example' unknown"],
    ['ring, Open', "action 'ring' unknown"],
    ['view, Open, https://a.example, more', "term 'more' unknown"],
    ['view, Open, https://a.example,', "term '' unknown"],
    ['view, Open, https://a.example, colour=red', "key 'colour' unknown"],
    ['view, Open, https://a.example, clear=maybe', "'clear=maybe' not allowed"],
    ['view, "Open', 'unexpected character or end of input, quote started at position 6'],
    ['view, label="Open', 'unexpected character or end of input, quote started at position 12'],
    ['view, "Open" now, https://a.example', 'unexpected character or end of input, quote started at position 6'],
    ['http, Get, https://a.example, method=GET, body=x', "parameter 'body' cannot be set if method is GET"],
    [Array(4).fill('view, A, https://a.example').join(';'), 'only 3 actions allowed'],
  ])('refuses %s', (text, error) => {
    expect(errorOf(text)).toBe(error)
  })
})

describe('JSON', () => {
  test('takes the members of ntfy, ignores others, and reads null as absent', () => {
    const action = { ...view, method: null, headers: { a: 'b' }, extras: null, colour: 'red' }
    expect(parse(JSON.stringify([action]))).toEqual([{ ...view, headers: { a: 'b' } }])
  })

  test.each([
    ['[', 'JSON error: not valid JSON'],
    ['[1]', 'JSON error: not an object'],
    ['[null]', 'JSON error: not an object'],
    ['[{"action":"view","label":1}]', "JSON error: 'label' is not a string"],
    ['[{"action":"view","label":"a","clear":"yes"}]', "JSON error: 'clear' is not a boolean"],
    ['[{"action":"http","label":"a","headers":{"a":1}}]', "JSON error: 'headers' is not a map of strings"],
    [JSON.stringify(Array(4).fill(view)), 'only 3 actions allowed'],
  ])('refuses %s', (text, error) => {
    expect(errorOf(text)).toBe(error)
  })
})

// Texts made of what the parser looks for.
const parts = fc.constantFrom(
  ...[',', ';', '"', "'", '\\', '=', ' ', '\n', '[', '{', 'view', 'http', 'headers.', 'é', 'clear'],
)
const hostile = fc.oneof(
  fc.string(),
  fc.array(parts, { maxLength: 40 }).map((some) => some.join('')),
)

test('any text gives actions with an id, a label and a known kind, or ntfy’s error', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      if (errorOf(text) !== undefined) return
      const actions = parseActions(text, () => 'id')
      expect(actions.length).toBeLessThanOrEqual(3)
      for (const { action, label } of actions) {
        expect(['view', 'http', 'broadcast', 'copy']).toContain(action)
        expect(label).not.toBe('')
      }
    }),
    { numRuns: 2000 },
  )
})
