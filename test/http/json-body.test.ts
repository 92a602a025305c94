// Which JSON is accepted: everything that JSON.parse accepts, except what is ambiguous, dangerous or cannot be stored.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/contract/limits.ts'
import { Problem } from '../../src/contract/problems.ts'
import { parseJson } from '../../src/http/json-body.ts'

function problemOf(text: string): Problem | undefined {
  try {
    parseJson(text)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return undefined
}

const codeOf = (text: string) => problemOf(text)?.code
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`

const FORBIDDEN = ['__proto__', 'constructor', 'prototype']
// Strings that look like structure, because the parser counts members and depth in the text.
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((drawn) => drawn.replaceAll('\u0000', '')),
  fc.constantFrom(':', '"', '\\', '\\"', '{', '}', '[[', '{"a":1}', '\\\\":', '\u2028', '😀'),
)
const key = text.filter((name) => !FORBIDDEN.includes(name))
const { tree: document } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
  ),
}))

describe('parseJson', () => {
  test('agrees with JSON.parse for every document without duplicate keys, with any spacing', () => {
    fc.assert(
      fc.property(document, fc.nat({ max: 3 }), (value, spaces) => {
        const written = JSON.stringify(value, null, spaces)
        expect(parseJson(written)).toEqual(JSON.parse(written))
      }),
      { numRuns: 3000 },
    )
  })

  test('agrees with JSON.parse when every character of every string is escaped', () => {
    fc.assert(
      fc.property(document, (value) => {
        const written = escapeStrings(JSON.stringify(value))
        expect(parseJson(written)).toEqual(JSON.parse(written))
      }),
    )
  })

  test('refuses what JSON.parse refuses, with a problem', () => {
    fc.assert(
      fc.property(document, fc.nat(), fc.nat(), (value, at, drawn) => {
        const written = JSON.stringify(value)
        const broken =
          written.slice(0, at % written.length) + '{}[]":,\\'[drawn % 8] + written.slice(at % written.length)
        fc.pre(!isJson(broken))
        expect(codeOf(broken)).toBe('request.body_invalid')
      }),
      { numRuns: 1000 },
    )
  })

  test('a duplicate key is refused in any object and in any spelling', () => {
    fc.assert(
      fc.property(document, key, fc.boolean(), (value, name, escaped) => {
        const written = JSON.stringify(name)
        const again = escaped ? escapeStrings(written) : written
        const twice = `{${written}:1,${again}:2}`
        expect(codeOf(twice)).toBe('request.body_invalid')
        expect(codeOf(`[${JSON.stringify(value)},{"other":[${twice}]}]`)).toBe('request.body_invalid')
      }),
    )
  })
})

describe('R38: keys that could modify prototypes', () => {
  test.each([
    '{"__proto__":{"polluted":true}}',
    '{"__proto__":null}',
    '{"\\u005f_proto__":{}}',
    '{"\\u005F\\u005Fproto\\u005f_":1}',
    '{"constructor":{"prototype":{}}}',
    '{"const\\u0072uctor":1}',
    '{"prototype":1}',
    '[{"content":{"tap_action":{"headers":{"__proto__":"x"}}}}]',
  ])('%s is refused', (body) => {
    const membersBefore = Reflect.ownKeys(Object.prototype)
    expect(codeOf(body)).toBe('request.body_invalid')
    expect(Reflect.ownKeys(Object.prototype)).toEqual(membersBefore)
  })

  test('as values they are accepted', () => {
    expect(parseJson('["__proto__","constructor","prototype"]')).toEqual(FORBIDDEN)
  })
})

describe('R39: extremes', () => {
  test('nesting is accepted up to the limit', () => {
    expect(parseJson(nested(LIMITS.request.maxJsonDepth))).toBeInstanceOf(Array)
    expect(parseJson(nestedObjects(LIMITS.request.maxJsonDepth))).toBeTypeOf('object')
    expect(codeOf(nested(LIMITS.request.maxJsonDepth + 1))).toBe('request.body_invalid')
    expect(codeOf(nestedObjects(LIMITS.request.maxJsonDepth + 1))).toBe('request.body_invalid')
  })

  test.each([5000, 200_000])('%i levels are refused with a problem, without a stack overflow', (depth) => {
    expect(codeOf(nested(depth))).toBe('request.body_invalid')
    expect(codeOf('['.repeat(depth))).toBe('request.body_invalid')
  })

  test('brackets inside strings are not nesting', () => {
    expect(parseJson(JSON.stringify('[{'.repeat(100)))).toBe('[{'.repeat(100))
  })

  test('a string of backslashes is parsed in linear time', () => {
    const backslashes = '\\'.repeat(400_000)
    expect(parseJson(JSON.stringify(backslashes))).toBe(backslashes)
    expect(parseJson(JSON.stringify('\\"'.repeat(100_000)))).toBe('\\"'.repeat(100_000))
  })

  test.each([
    '',
    ' ',
    'NaN',
    'Infinity',
    '-',
    '01',
    "{'a':1}",
    '{"a":1,}',
    '[1,]',
    '\ufeff{}',
    '{"a"',
    '"\n"',
    'undefined',
  ])('%j is not JSON', (body) => {
    expect(codeOf(body)).toBe('request.body_invalid')
  })

  test.each([
    ['1e400', Number.POSITIVE_INFINITY],
    ['-0', -0],
    ['9007199254740993', 9007199254740992],
    ['1e308', 1e308],
  ])('%s is left to the schema', (body, value) => {
    expect(parseJson(body)).toBe(value)
  })
})

describe('R22: text that PostgreSQL cannot store', () => {
  test.each([
    ['{"a":"x\\u0000y"}', 'body.a'],
    ['{"a":["ok","\\ud800"]}', 'body.a[1]'],
    ['{"a":{"b":"\\udc00\\ud800"}}', 'body.a.b'],
    ['{"a":"\\uD83D"}', 'body.a'],
  ])('%s is a violation at %s', (body, location) => {
    const problem = problemOf(body)
    expect(problem).toMatchObject({ status: 422, code: 'request.validation_failed' })
    expect(problem?.members.errors?.map((violation) => violation.location)).toEqual([location])
  })

  test('in a key it is a violation too', () => {
    expect(problemOf('{"a":{"\\u0000":1}}')).toMatchObject({ status: 422, code: 'request.validation_failed' })
  })

  test('every location is listed', () => {
    const problem = problemOf('{"a":"\\u0000","b":[{"c":"\\ud800"}]}')
    expect(problem?.members.errors?.map(({ location }) => location)).toEqual(['body.a', 'body.b[0].c'])
  })

  test('a surrogate pair and an escaped backslash before u0000 are accepted', () => {
    expect(parseJson('"\\ud83d\\ude00"')).toBe('😀')
    expect(parseJson('"\\\\u0000"')).toBe('\\u0000')
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

// Replaces each UTF-16 unit of every string, keys included, by \uXXXX.
function escapeStrings(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/gsu, (literal) => {
    const text: string = JSON.parse(literal)
    const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'))
    return `"${units.map((unit) => `\\u${unit}`).join('')}"`
  })
}
