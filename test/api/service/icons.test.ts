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

describe('GET /icons', () => {
  test('200 one SVG with a symbol for each name, cached for ever, or for a day if a name is unknown', async () => {
    const known = await app.get('/icons?names=mdi:home,mdi:bell')
    expect(known.text.match(/<symbol id="[^"]+"/g)).toEqual(['<symbol id="mdi:bell"', '<symbol id="mdi:home"'])
    expect(known.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const other = await app.get('/icons?names=mdi:home,mdi:not-yet-drawn')
    expect(other.text).toContain('<symbol id="mdi:not-yet-drawn"')
    expect(other.headers.get('cache-control')).toBe('public, max-age=86400')
  })
})

describe('GET /icons/names', () => {
  const search = async (words: string) => (await app.get(`/icons/names?search=${encodeURIComponent(words)}`)).body.items

  test('200 finds system symbols and names of the icon set by their words, the nearest first', async () => {
    const found = await search('Washing machine')
    expect(found.slice(0, 2)).toEqual(['mdi:washing-machine', 'mdi:washing-machine-off'].toSorted())
    expect(found).toContain('washer')
    expect(await search('bolt.fill')).toEqual([])
    expect((await search('bolt'))[0]).toBe('bolt')
  })

  test('200 every name has a drawing, and all of them fit into one request for drawings', async () => {
    for (const words of ['', 'a']) {
      const names = await search(words)
      const { status, text } = await app.get(`/icons?names=${names.join(',')}`)
      expect([names.length, status]).toEqual([96, 200])
      expect(text).not.toContain('M8 4h8a4 4 0 0 1 4 4v8a4')
    }
  })

  test('422 for a search of more than 64 characters', async () => {
    expectProblem(await app.get(`/icons/names?search=${'x'.repeat(65)}`), 422, 'request.validation_failed')
  })
})
