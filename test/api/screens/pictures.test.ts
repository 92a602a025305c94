// Pictures of widgets and activities over HTTP, drawn by the real process.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ACTIVITY_EXAMPLES } from '../../../console/src/builder/activity-examples.ts'
import { WIDGET_EXAMPLES } from '../../../console/src/builder/widget-examples.ts'
import { startTestApp, type TestUser, useTestApp } from '../../support/app.ts'
import { sqliteSuffices } from '../../support/database/database.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { isNightly, nightlyTest } from '../../support/nightly.ts'
import { type Pixels, readPng } from '../../support/screens/png.ts'

// Of a script that no bundled font has.
const MAYAN_FONT = createRequire(import.meta.url).resolve(
  '@fontsource/noto-sans-symbols-2/files/noto-sans-symbols-2-mayan-numerals-400-normal.woff',
)

const app = useTestApp()

let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { headers: { authorization: `Bearer ${user.token}`, ...headers } })
const at = (seconds: number) => new Date(app.clock.now() + seconds * 1000).toISOString()
const put = async (slug: string, content: object, more: object = {}) =>
  expect((await app.post('/widgets', { slug, name: slug, content, ...more }, user.token)).status).toBe(201)

const pixelsOf = async (path: string) => readPng(Buffer.from(await (await ask(path)).arrayBuffer()))

const colorsOf = ({ data }: Pixels) => [...new Set(Array.from(new Uint32Array(data.buffer)))]

// Width, height, and the number of bytes.
async function sizeOf(path: string): Promise<[number, number]> {
  const response = await ask(path)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([path, response.status, bytes.subarray(1, 4).toString()]).toEqual([path, 200, 'PNG'])
  expect(bytes.length).toBeLessThan(500_000)
  // A ground, letters, and what is between the two, unless the picture is for a display with few colours.
  if (!path.includes('colors=')) expect([path, colorsOf(readPng(bytes)).length > 2]).toEqual([path, true])
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

// A drawing takes a tenth of a second: every third template by day, all of them at night.
const someOf = <Example>(examples: Record<string, Example>) =>
  Object.entries(examples).filter((_, index) => isNightly || index % 3 === 0)

describe.skipIf(sqliteSuffices())('a picture', () => {
  test('200 has the size of its family, an ETag that is answered with 304, and the headers of a private picture', async () => {
    await put('office', { template: 'value', value: 21.5, unit: '°C' })
    const response = await ask('/widgets/office.png')
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('cache-control')).toBe('private, max-age=300, stale-if-error=86400')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const etag = response.headers.get('etag') as string
    const known = await ask('/widgets/office.png', { 'if-none-match': etag })
    expect([known.status, await known.text()]).toEqual([304, ''])
    expect(await sizeOf('/widgets/office.png')).toEqual([676, 316])
    expect(await sizeOf('/widgets/office.png?size=300x200&scale=1.5')).toEqual([450, 300])
    // Spellings of the same request.
    const again = await ask('/widgets/office.png?scale=2&theme=light&family=medium&lang=en-GB')
    expect(again.headers.get('etag')).toBe(etag)
  })

  test('200 as SVG it has a title, no script and no reference to elsewhere, whatever the sender writes', async () => {
    const label = '</svg><script>alert(1)</script><foreignObject>"&'
    const points = Array.from({ length: 48 }, (_, index) => (index % 2 ? 1e308 : -1e308))
    await put('x', { template: 'trend', label, subtitle: 'آخر تحديث 12:30', value: 1e308, points, icon: 'constructor' })
    const svg = await (await ask('/widgets/x.svg')).text()
    expect(svg).toContain('<title>&lt;/svg&gt;&lt;script&gt;')
    expect(svg).not.toMatch(/<script|<foreignObject|NaN|Infinity|href="(?!data:|#)/)
  })

  test.each(someOf(WIDGET_EXAMPLES))('200 of the families of %s', async (_template, example) => {
    const { slug, content } = example(app.clock.now())
    await put(slug, content)
    const sizes = {
      small: [316, 316],
      large: [676, 708],
      'extra-large': [1430, 684],
      circular: [152, 152],
      rectangular: [344, 152],
      inline: [514, 52],
    }
    // Each drawing takes a tenth of a second; the others are drawn at night.
    for (const [family, size] of Object.entries(sizes).slice(0, isNightly ? undefined : 1)) {
      expect(await sizeOf(`/widgets/${slug}.png?family=${family}&theme=dark`)).toEqual(size)
    }
  })

  test.each(someOf(ACTIVITY_EXAMPLES))('200 of the card and the compact form of %s', async (_template, example) => {
    const { slug, content } = example(app.clock.now())
    const { status } = await app.patch(`/activities/${slug}?upsert=true`, { state: 'ongoing', content }, user.token)
    expect(status).toBe(201)
    expect((await sizeOf(`/activities/${slug}.png`))[0]).toBe(688)
    expect(await sizeOf(`/activities/${slug}.png?family=compact`)).toEqual([460, 88])
  })

  test('200 in layers: ink has one colour, and lies on tint as the whole card does on its ground', async () => {
    await put('office', { template: 'gauge', value: 21.5, unit: '°C', min_value: 10, max_value: 30, icon: 'house' })
    const [all, ink, tint] = await Promise.all(
      ['corners=square', 'layer=ink', 'layer=tint'].map((query) => pixelsOf(`/widgets/office.png?scale=1&${query}`)),
    )
    if (!all || !ink || !tint) throw new Error('no picture')
    let [strange, differing] = [0, 0]
    for (let at = 0; at < all.data.length; at += 4) {
      const alpha = (ink.data[at + 3] ?? 0) / 255
      // Nearly transparent pixels have rounded colours.
      if (alpha > 0.5) strange += ink.data.subarray(at, at + 3).some((part) => Math.abs(part - 28) > 5) ? 1 : 0
      const shade = (tint.data[at + 3] ?? 0) / 255
      const laid = [0, 1, 2].map((part) => {
        const below = (tint.data[at + part] ?? 0) * shade + 255 * (1 - shade)
        return Math.abs((ink.data[at + part] ?? 0) * alpha + below * (1 - alpha) - (all.data[at + part] ?? 0))
      })
      if (Math.max(...laid) > 0.2 * 255) differing++
    }
    expect(strange).toBe(0)
    expect(differing / (all.data.length / 4)).toBeLessThan(0.01)
    const cut = await pixelsOf('/widgets/office.png?background=none&scale=1')
    expect([cut.data[3], all.data[3]]).toEqual([0, 255])
    expect(await sizeOf('/widgets/office.png?layer=icon&scale=3')).toEqual([78, 78])
  })

  test('200 with an empty place for a timer, which the JSON names', async () => {
    await put('train', { template: 'countdown', end_date: at(3600), icon: 'tram' })
    const { hole } = (await app.get('/widgets/train.json?hole=timer&family=small', user.token)).body
    expect(hole).toEqual({ x: 16, y: 67, width: 126, height: 40, font_size: 40, align: 'start', date: at(3600) })
    const inked = async (query: string) => {
      const { data, width } = await pixelsOf(`/widgets/train.png?family=small&layer=ink&scale=1${query}`)
      const rows = Array.from({ length: hole.height }, (_, row) => (hole.y + row) * width + hole.x)
      return rows.some((start) => data.subarray(start * 4, (start + hole.width) * 4).some((part) => part > 0))
    }
    expect([await inked(''), await inked('&hole=timer')]).toEqual([true, false])
    await put('office', { template: 'value', value: 1 })
    expect((await app.get('/widgets/office.json?hole=timer', user.token)).body.hole).toBeUndefined()
  })

  test('200 as SVG for both themes in one file, whose parts have names of their own', async () => {
    await put('office', { template: 'gauge', value: 21, min_value: 10, max_value: 30 })
    const svg = await (await ask('/widgets/office.svg?theme=auto')).text()
    expect(svg).toContain('@media (prefers-color-scheme:dark)')
    const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const used = [...svg.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => id)
    expect(used.filter((id) => !ids.includes(id))).toEqual([])
  })

  test('200 for displays with few colours: bits, palettes, BMP, turned, and severity as a word', async () => {
    await put('calm', { template: 'value', value: 1, severity: 'info' })
    await put('bad', { template: 'value', value: 1, severity: 'critical' })
    const inFew = (slug: string, query: string) => pixelsOf(`/widgets/${slug}.png?${query}`)
    const [two, bad] = [await inFew('calm', 'colors=2'), await inFew('bad', 'colors=2')]
    expect([two.depth, two.width, two.height]).toEqual([1, 338, 158])
    // 'calm' and 'bad' and the names of the severities; the rest is equal.
    const right = (pixels: typeof two) =>
      [...pixels.data].filter((_, at) => (at >> 2) % 338 > 200 && Math.floor(at / 4 / 338) < 40)
    expect(right(bad)).not.toEqual(right(two))
    expect((await inFew('calm', 'colors=4')).depth).toBe(2)
    expect((await inFew('calm', 'colors=16')).depth).toBe(4)
    const red = await inFew('bad', 'colors=bwr&size=200x200&dither=floyd')
    expect(colorsOf(red).length).toBeLessThanOrEqual(3)
    const turned = await inFew('calm', 'colors=2&rotate=90')
    expect([turned.width, turned.height]).toEqual([158, 338])
    const bmp = Buffer.from(await (await ask('/widgets/calm.bmp?size=800x480')).arrayBuffer())
    expect([bmp.length, bmp.readUInt32LE(2), bmp.readUInt32LE(10)]).toEqual([48_062, 48_062, 62])
    expect([bmp.toString('latin1', 0, 2), bmp.readInt32LE(18), bmp.readInt32LE(22), bmp[28]]).toEqual([
      'BM',
      800,
      480,
      1,
    ])
    expect([...bmp.subarray(54, 62)]).toEqual([0, 0, 0, 0, 255, 255, 255, 0])
    // The first row is the lowest one, which is empty.
    expect(bmp.subarray(62, 162).every((byte) => byte === 255)).toBe(true)
    const full = Buffer.from(await (await ask('/widgets/calm.bmp?colors=full&size=50x50')).arrayBuffer())
    expect([full.length, full[28]]).toEqual([54 + 152 * 50, 24])
  })

  test('has letters of every script that has a font, and emoji; what has none is one box', async () => {
    await put('script', { template: 'value', value: 1 })
    const drawn = async (label: string) => {
      expect((await app.patch('/widgets/script', { content: { label } }, user.token)).status).toBe(200)
      return (await (await ask('/widgets/script.svg?family=badge')).text()).replace(/<title>.*?<\/title>/, '')
    }
    // For private use: no font has it.
    const box = await drawn('\u{10fffd}')
    expect(await drawn('字')).toBe(box)
    const scripts = ['Ж', 'Ω', 'ł', 'آخر', 'שלום', 'हिन्दी', 'ไทย', '👨‍👩‍👧', '🇩🇪', '👍🏽', '→']
    for (const letters of scripts) expect([letters, (await drawn(letters)) === box]).toEqual([letters, false])
    const width = (svg: string) => Number(/width="([\d.]+)"/.exec(svg)?.[1])
    // One sign each.
    for (const sign of ['👨‍👩‍👧', '🇩🇪', '👍🏽', '❤️']) {
      expect([sign, Math.round(width(await drawn(sign)))]).toEqual([sign, Math.round(width(await drawn('👍')))])
    }
    expect(await drawn('1️⃣')).toBe(await drawn('1'))
    expect(await drawn('\u202e\u{10fffd}\u202c')).toBe(box)
    expect(await drawn(`e${'\u0301'.repeat(20)}`)).toBe(await drawn(`e${'\u0301'.repeat(5)}`))
  })

  nightlyTest('200 whatever the letters and numbers are, with an SVG without NaN, and as a badge', async () => {
    const labels = [
      'W'.repeat(256),
      `e${'\u0301'.repeat(250)}`,
      '\u202eabc\u202c \u0007 </svg><script>',
      'آخر تحديث 12:30 עברית ไทย हिन्दी 中文 日本語 한국어 👨‍👩‍👧 🇩🇪 1️⃣',
    ]
    const contents = [
      { template: 'value', value: 1e308, trend: 'up' },
      { template: 'gauge', value: -0, min_value: -1e308, max_value: 1e308 },
      {
        template: 'trend',
        value: 1e-320,
        points: Array.from({ length: 48 }, (_, index) => (index % 2 ? 1e308 : -1e308)),
      },
      { template: 'status', severity: 'critical' },
    ]
    for (const [index, content] of contents.entries()) {
      const slug = `hostile${index}`
      await put(slug, { ...content, label: labels[index], subtitle: labels[(index + 1) % 4] })
      for (const query of [
        'family=small',
        'family=extra-large',
        'family=inline',
        'family=badge',
        'theme=paper',
        'layer=ink',
      ]) {
        const response = await ask(`/widgets/${slug}.svg?${query}`)
        expect([slug, query, response.status]).toEqual([slug, query, 200])
        expect(await response.text()).not.toMatch(/NaN|Infinity|<script|<foreignObject/)
      }
      await sizeOf(`/widgets/${slug}.png?colors=bwry&dither=floyd`)
    }
  })

  test('changes with the content and with the minute, and not with a heartbeat', async () => {
    await put('train', { template: 'countdown', end_date: at(134 * 60) }, { stale_after: 7200 })
    const etag = async () => (await ask('/widgets/train.svg')).headers.get('etag')
    const first = await etag()
    await app.patch('/widgets/train', { content: {} }, user.token)
    app.clock.advanceSeconds(59)
    expect(await etag()).toBe(first)
    app.clock.advanceSeconds(2)
    const second = await etag()
    expect(second).not.toBe(first)
    await app.patch('/widgets/train', { content: { label: 'Train' } }, user.token)
    expect(await etag()).not.toBe(second)
  })

  test('422 for what cannot be drawn, before anything is drawn', async () => {
    await put('w', { template: 'value', value: 1 })
    for (const query of [
      'size=10000x10000',
      'size=1x1',
      'size=NaNx1',
      'scale=99',
      'family=x',
      'theme=auto',
      'layer=ink&background=none',
      'layer=icon&family=small',
      'background=red',
      'colors=3',
      'colors=2&theme=dark',
      'colors=2&layer=ink',
      'dither=none',
      'colour=1',
    ]) {
      expectProblem(await app.get(`/widgets/w.png?${query}`, user.token), 422, 'request.validation_failed')
    }
    expectProblem(await app.get('/widgets/w.png?size=1600x1600&scale=4', user.token), 422, 'picture.too_large')
    expectProblem(await app.get('/widgets/w.svg?scale=2', user.token), 422, 'request.validation_failed')
    expectProblem(await app.get('/widgets/none.png', user.token), 404, 'widget.not_found')
  })

  test('has letters of a script for which the operator brings a font; without one they are a box', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'fonts-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    copyFileSync(MAYAN_FONT, path.join(folder, 'mayan.woff'))
    writeFileSync(path.join(folder, 'broken.ttf'), 'no font')
    const other = await startTestApp({ HELIOGRAPH_FONTS_DIR: folder })
    onTestFinished(() => other.stop())
    const drawn = async ({ url, post, addUser }: typeof other | typeof app) => {
      const { token } = await addUser()
      await post(
        '/widgets',
        { slug: 'w', name: 'W', content: { template: 'value', label: '\u{1d2e5}', value: 1 } },
        token,
      )
      const svg = await fetch(`${url}/widgets/w.svg?family=badge`, { headers: { authorization: `Bearer ${token}` } })
      return svg.text()
    }
    const [without, withFont] = [await drawn(app), await drawn(other)]
    expect([without.length > 500, withFont.length > 500, without === withFont]).toEqual([true, true, false])
  })

  test.each([{ HELIOGRAPH_PICTURES: 'off' }, { HELIOGRAPH_PICTURE_PROCESSES: '0' }])(
    '404 with %o; texts stay',
    async (settings) => {
      const plain = await startTestApp(settings)
      onTestFinished(() => plain.stop())
      const { token } = await plain.addUser()
      await plain.post('/widgets', { slug: 'w', name: 'W', content: { template: 'value', value: 1 } }, token)
      expectProblem(await plain.get('/widgets/w.png', token), 404, 'picture.not_enabled')
      const text = await fetch(`${plain.url}/widgets/w.txt`, { headers: { authorization: `Bearer ${token}` } })
      expect(text.status).toBe(200)
    },
  )
})
