// How a violation is worded, and that it repeats no value that may be a secret.
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { type Check, compileCheck } from '../../src/contract/validation.ts'

const CANARY = 'canary'

test.each([
  'token',
  'device_token',
  'secret',
  'headers',
  'password',
  'encrypted',
  'key',
  'auth',
  'code',
  'p256dh',
  'endpoint',
  'apns',
  'web_push',
  'url',
  'callback_url',
  'body',
])('the value of %s is not repeated', (name) => {
  const check = compileCheck(Type.Object({ [name]: Type.Integer(), size: Type.Integer() }), 'body')
  expect(check({ [name]: CANARY, size: CANARY })).toEqual([
    { location: `body.${name}`, message: 'must be a whole number' },
    { location: 'body.size', message: 'must be a whole number', value: CANARY },
  ])
})

test('a long value is repeated in part', () => {
  const check = compileCheck(Type.Object({ name: Type.String({ maxLength: 100 }) }), 'body')
  expect(check({ name: 'n'.repeat(101) })).toEqual([
    { location: 'body.name', message: 'must have at most 100 characters', value: `${'n'.repeat(80)}…` },
  ])
})

const wordsOf = (check: Check, value: unknown) => check(value).map(({ message }) => message)

test('bounds of one are said in words, others as numbers', () => {
  const schema = Type.Object({
    title: Type.String({ minLength: 1 }),
    name: Type.String({ minLength: 2 }),
    items: Type.Array(Type.Integer(), { minItems: 1 }),
    tags: Type.Array(Type.Integer(), { minItems: 2 }),
  })
  expect(wordsOf(compileCheck(schema, 'body'), { title: '', name: '', items: [], tags: [] })).toEqual([
    'must not be empty',
    'must have at least 2 characters',
    'must have at least 1 entry',
    'must have at least 2 entries',
  ])
})

test('a parameter that is given twice must be given only once', () => {
  const check = compileCheck(Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1 })) }), 'query')
  expect(wordsOf(check, { limit: ['1', '2'] })).toEqual(['must be given only once'])
  expect(wordsOf(check, { limit: '0' })).toEqual(['must be at least 1'])
  expect(wordsOf(check, { limit: '2' })).toEqual([])
})
