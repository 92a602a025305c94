// openapi.json is fit for generators: everything has a name, nothing is written twice, and examples are valid.
import { statSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../src/contract/events/event.ts'
import { PROBLEMS, type ProblemName, problemCode } from '../../src/contract/problems.ts'
import {
  bodySchema,
  DESCRIPTION_FILE,
  description,
  operations,
  resolve,
  type Schema,
  violationsOf,
} from '../support/api-description.ts'

const { schemas } = description.components

// Every schema in the document, with the place it stands at.
function* schemasIn(node: unknown, place: string): Generator<[place: string, schema: Schema]> {
  if (typeof node !== 'object' || node === null) return
  const schema = node as Schema
  if (schema.type !== undefined || schema.$ref !== undefined || schema.anyOf || schema.oneOf) yield [place, schema]
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'examples' && key !== 'enum') yield* schemasIn(value, `${place}/${key}`)
  }
}

describe('operations', () => {
  test('each has an id of its own: a verb and a noun in camel case', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z]+(?:[A-Z][a-z]+)+$/)
  })

  test('each parameter is described', () => {
    const silent = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
    )
    expect(silent).toEqual([])
  })

  test('each belongs to tags that the document describes', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags))
    expect([...used].sort()).toEqual(description.tags.map(({ name }) => name).sort())
  })

  test('each callback has an id, so that generators can name its type', () => {
    const { callbacks } = description.components
    const posts = Object.values(callbacks).flatMap((callback) => Object.values(callback).map(({ post }) => post))
    expect(posts.length).toBeGreaterThan(0)
    for (const { operationId } of posts) expect(operationId).toMatch(/^receive[A-Z]/)
  })

  test('each body is made of named schemas', () => {
    const isNamed = (schema: Schema): boolean =>
      schema.$ref !== undefined ||
      (schema.type === 'array' && isNamed(schema.items as Schema)) ||
      (Array.isArray(schema.anyOf) && schema.anyOf.every(isNamed))
    for (const { operationId, responses, ...operation } of operations) {
      const bodies = [bodySchema({ operationId, responses, ...operation })]
      for (const { content } of Object.values(responses)) bodies.push(content?.['application/json']?.schema)
      for (const body of bodies.filter((body) => body !== undefined)) expect(isNamed(body), operationId).toBe(true)
    }
  })

  test('each problem lists the codes that the operation may answer with', () => {
    const known = new Set(Object.keys(PROBLEMS).map((name) => problemCode(name as ProblemName)))
    for (const { operationId, responses } of operations) {
      for (const [status, response] of Object.entries(responses).filter(([status]) => status >= '400')) {
        const shared = response.$ref?.split('/').at(-1)
        const { content } = shared ? description.components.responses[shared]! : response
        const [problem, narrowed] = content!['application/problem+json']!.schema.allOf as [Schema, Schema]
        expect(problem, `${operationId} ${status}`).toEqual({ $ref: '#/components/schemas/Problem' })
        const codes = narrowed.properties?.code?.enum as string[]
        expect(codes.length).toBeGreaterThan(0)
        for (const code of codes) expect(known, `${operationId} ${status}`).toContain(code)
      }
    }
  })
})

describe('schemas', () => {
  test('no object with several members is written twice', () => {
    const places = new Map<string, string[]>()
    for (const [place, schema] of schemasIn(description, '')) {
      // The problem responses narrow the code, and event messages differ in the type alone.
      if (Object.keys(schema.properties ?? {}).length < 2) continue
      const text = JSON.stringify(schema)
      places.set(text, [...(places.get(text) ?? []), place])
    }
    expect([...places.values()].filter((same) => same.length > 1)).toEqual([])
  })

  // The service does not check them before it compiles them.
  test('each is a valid JSON Schema', () => {
    const ajv = new Ajv2020()
    const parameters = operations.flatMap(({ parameters = [] }) => parameters.map(({ schema }) => schema))
    for (const schema of [...Object.values(schemas), ...parameters]) {
      expect([schema, ajv.validateSchema(schema), ajv.errorsText()]).toEqual([schema, true, 'No errors'])
    }
  })

  test('each list says what it contains', () => {
    const lists = [...schemasIn(description, '')].filter(([, { type }]) => [type].flat().includes('array'))
    expect(lists.filter(([, { items }]) => items === undefined).map(([place]) => place)).toEqual([])
  })

  test('each event type has a schema', () => {
    const { discriminator } = schemas.Event as { discriminator: { mapping: Record<string, string> } }
    expect(Object.keys(discriminator.mapping)).toEqual(EVENT_TYPES)
  })

  test('the file stays small enough to read and to load: 4.3 KB per operation', () => {
    expect(statSync(DESCRIPTION_FILE).size / operations.length).toBeLessThan(4_300)
  })
})

describe('examples', () => {
  test('each request body has one', () => {
    const without = operations.filter((operation) => {
      const schema = bodySchema(operation)
      return schema && !resolve(schema).examples?.length
    })
    expect(without.map(({ operationId }) => operationId)).toEqual([])
  })

  test('each is valid', () => {
    const examples = [...schemasIn(description, '')].filter(([, { examples }]) => Array.isArray(examples))
    expect(examples.length).toBeGreaterThan(30)
    for (const [place, schema] of examples) {
      for (const example of schema.examples ?? []) expect([place, violationsOf(schema, example)]).toEqual([place, ''])
    }
  })
})
