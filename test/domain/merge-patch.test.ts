// Merge patch of RFC 7396, which never modifies anything outside of the document (R38).
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergePatch } from '../../src/domain/merge-patch.ts'

describe('RFC 7396, appendix A', () => {
  const VECTORS: [target: string, patch: string, result: string][] = [
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ]

  test.each(VECTORS)('%s with %s becomes %s', (target, patch, result) => {
    expect(mergePatch(JSON.parse(target), JSON.parse(patch))).toStrictEqual(JSON.parse(result))
  })
})

describe('R38: a patch cannot pollute', () => {
  const HOSTILE = [
    '{"__proto__":{"polluted":true}}',
    '{"\\u005f_proto__":{"polluted":true}}',
    '{"__proto__":null}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"a":{"__proto__":{"polluted":true}}}',
    '{"a":{"constructor":{"prototype":{"polluted":true}}}}',
  ]

  test.each(HOSTILE)('%s', (patch) => {
    const membersBefore = Reflect.ownKeys(Object.prototype)
    const result = mergePatch({ a: { b: 1 } }, JSON.parse(patch))

    expect(Reflect.ownKeys(Object.prototype)).toEqual(membersBefore)
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
    expect(result).not.toHaveProperty('polluted')
  })

  test('__proto__ becomes a member like any other', () => {
    const result = mergePatch({}, JSON.parse('{"__proto__":{"x":1}}'))
    expect(JSON.stringify(result)).toBe('{"__proto__":{"x":1}}')
  })
})

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'prototype', 'toString')
const { document } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, 0, 'text', true),
    fc.array(tie('document'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('document')), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
  ),
}))

test('neither Object.prototype nor the arguments are modified', () => {
  const membersBefore = Reflect.ownKeys(Object.prototype)
  fc.assert(
    fc.property(document, document, (target, patch) => {
      const before = JSON.stringify([target, patch])
      mergePatch(deepFrozen(target), deepFrozen(patch))
      expect(JSON.stringify([target, patch])).toBe(before)
      expect(Reflect.ownKeys(Object.prototype)).toEqual(membersBefore)
    }),
  )
})

test('applying a patch twice is the same as applying it once', () => {
  fc.assert(
    fc.property(document, document, (target, patch) => {
      const once = mergePatch(target, patch)
      expect(JSON.stringify(mergePatch(once, patch))).toBe(JSON.stringify(once))
    }),
  )
})

function deepFrozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFrozen)
  return Object.freeze(value)
}
