// Values that may be used but not shown, and values nobody can guess.
import { format, inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { newToken, newUuid, randomText } from '../../src/runtime/ids.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { createMemoryLog } from '../support/fakes/memory-log.ts'

describe('a secret', () => {
  const secret = new Secret('hunter2')

  test('is revealed to whoever asks for it by name', () => {
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
  test('a token says what it is by its prefix, and no id has that form', () => {
    for (const kind of ['hla', 'hlk', 'hlw'] as const) {
      expect(newToken(kind)).toMatch(new RegExp(`^${kind}_[0-9A-Za-z]{32}$`))
    }
    expect(newUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('10,000 random texts are of the length asked for, and all different', () => {
    const texts = Array.from({ length: 10_000 }, () => randomText(32))
    expect(texts.filter((text) => !/^[0-9A-Za-z]{32}$/.test(text))).toEqual([])
    expect(new Set(texts).size).toBe(10_000)
  })
})
