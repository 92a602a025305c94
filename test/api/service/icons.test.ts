// Icons by name: of the icon set, of the system symbols, and unknown ones.
import { describe, expect, test } from 'vitest'
import { SYMBOL_ICONS } from '../../../src/domain/symbols.ts'
import { useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'

const app = useTestApp()

const icon = (name: string) => app.get(`/icons/${encodeURIComponent(name)}.svg`)
const drawing = async (name: string) => (await icon(name)).text
const UNKNOWN = 'no-such-thing'

describe('GET /icons/{file}', () => {
  test('200 an icon of the set, cached for ever', async () => {
    const answer = await icon('mdi:home')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 24 24"><path [^>]+>/)
  })

  test('200 an alias of an icon of the set', async () => {
    expect(await drawing('mdi:administrator')).toBe(await drawing('mdi:security'))
  })

  test('200 a system symbol is mapped to the nearest icon', async () => {
    expect(await drawing('clock.badge.xmark')).toBe(await drawing('mdi:clock-remove'))
  })

  test('200 a variant without its own icon is drawn as its base symbol', async () => {
    expect(await drawing('bolt.horizontal.circle.fill')).toBe(await drawing('mdi:flash'))
    expect(await drawing('house.fill')).toBe(await drawing('mdi:home'))
    expect(await drawing('wifi.slash')).not.toBe(await drawing('wifi'))
  })

  test('200 an unknown name is a neutral icon, cached for a day', async () => {
    const answer = await icon(UNKNOWN)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
    for (const name of ['mdi:no-such-thing', 'mdi:constructor', 'constructor', 'toString', 'mdi:__proto__']) {
      expect(await drawing(name), name).toBe(answer.text)
    }
  })

  test('200 every system symbol of the table has an icon in the set', async () => {
    const neutral = await drawing(UNKNOWN)
    const missing: string[] = []
    for (const symbol of SYMBOL_ICONS.keys()) if ((await drawing(symbol)) === neutral) missing.push(symbol)
    expect(SYMBOL_ICONS.size).toBeGreaterThan(200)
    expect(missing).toEqual([])
  })

  test.each(['a/b', '..', '<svg>', ' ', 'x'.repeat(129)])('422 for an invalid name: %j', async (name) => {
    const answer = await icon(name)
    expectProblem(answer, 422, 'request.validation_failed')
    expect(locations(answer)).toEqual(['path.file'])
  })
})
