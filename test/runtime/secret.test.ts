// Secrets, which are never printed, and random ids and tokens.
import { format, inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { newToken, newUuid, randomText } from '../../src/runtime/ids.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { createMemoryLog } from '../support/fakes/memory-log.ts'

describe('a secret', () => {
  const secret = new Secret('hunter2')

  test('is returned by reveal()', () => {
    expect(secret.reveal()).toBe('hunter2')
  })

  test.each<[string, () => string]>([
    ['a template', () => `${secret}`],
    ['a concatenation', () => `the secret is ${String(secret)}`],
    ['JSON', () => JSON.stringify({ nested: [{ secret }] })],
    ['the console', () => format('%s %o %O %j', secret, secret, { secret }, secret)],
    ['an inspection of everything', () => inspect({ secret }, { showHidden: true, depth: null })],
    ['its own keys', () => JSON.stringify([Object.entries(secret), Object.getOwnPropertyNames(secret), { ...secret }])],
  ])('is not shown by %s', (_, show) => {
    expect(show()).not.toContain('hunter2')
  })

  test('is not shown by the log, not even within an error', () => {
    const { log, lines } = createMemoryLog()
    log.info({ secret, nested: { secret } }, `starting with ${secret}`)
    log.error({ err: Object.assign(new Error('failed'), { secret }) }, 'failed')
    expect(lines.join()).toContain('[secret]')
    expect(lines.join()).not.toContain('hunter2')
  })
})

describe('ids and tokens', () => {
  test('a token has the prefix of its kind, and an id is a UUID', () => {
    for (const kind of ['hla', 'hlk', 'hlw'] as const) {
      expect(newToken(kind)).toMatch(new RegExp(`^${kind}_[0-9A-Za-z]{32}$`))
    }
    expect(newUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('10,000 random texts have the requested length and are all different', () => {
    const texts = Array.from({ length: 10_000 }, () => randomText(32))
    expect(texts.filter((text) => !/^[0-9A-Za-z]{32}$/.test(text))).toEqual([])
    expect(new Set(texts).size).toBe(10_000)
  })
})
