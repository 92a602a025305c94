// YAML is equivalent to the JSON it was made from, according to another parser.
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toYaml } from '../../src/http/yaml.ts'

// The parser that comes with @fastify/swagger.
const { resolve } = createRequire(import.meta.url)
const { parse } = createRequire(resolve('@fastify/swagger'))('yaml') as { parse(text: string): unknown }

test('every JSON document is parsed back unchanged', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('200', 'true', 'null', '/a/{b}', '$ref', 'x-y', 'a: b', '- a', '#'))
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(key, tree, { maxKeys: 4 }), (document) => {
      const plain = JSON.parse(JSON.stringify(document))
      expect(parse(toYaml(plain))).toEqual(plain)
    }),
    { numRuns: 500 },
  )
})
