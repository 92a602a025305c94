// Badges, and several cards in one picture, over HTTP.
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { sqliteSuffices } from '../../support/database/database.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { type Pixels, readPng } from '../../support/screens/png.ts'

const app = useTestApp()

let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const ask = (path: string, token = user.token) =>
  fetch(app.url + path, { headers: { authorization: `Bearer ${token}` } })
const pixelsOf = async (path: string) => readPng(Buffer.from(await (await ask(path)).arrayBuffer()))
// Whether black or white letters are at least 4.5 times as light, or as dark, as the ground at the right.
function contrastOf({ width, height, data }: Pixels): boolean {
  const lightness = (x: number, y: number) => {
    const [red = 0, green = 0, blue = 0] = [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)].map(
      (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4),
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const ground = lightness(width - 8, height >> 1)
  const half = [...Array(width >> 1).keys()].flatMap((x) =>
    [...Array(height).keys()].map((y) => lightness(width - 4 - x, y)),
  )
  const ratio = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  return Math.max(...half.map((one) => ratio(one, ground))) >= 4.5
}
const put = async (slug: string, content: object) =>
  expect((await app.post('/widgets', { slug, name: slug, content }, user.token)).status).toBe(201)

describe.skipIf(sqliteSuffices())('a badge', () => {
  test('200 has 20 points of height and the width of its text, in the colour of the severity, and is asked for always', async () => {
    await put('build', { template: 'status', label: 'failing', severity: 'critical' })
    const response = await ask('/widgets/build.png?family=badge&scale=3')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('etag')).toMatch(/^"/)
    const { height, width, data } = readPng(Buffer.from(await response.arrayBuffer()))
    expect(height).toBe(60)
    const right = [...data.subarray((5 * width + width - 20) * 4, (5 * width + width - 20) * 4 + 4)]
    expect(right).toEqual([255, 59, 48, 255])
    // Its text can be read on each colour.
    for (const severity of ['info', 'success', 'warning', 'critical']) {
      await put('build', { template: 'status', label: 'failing', severity })
      expect([severity, contrastOf(await pixelsOf('/widgets/build.png?family=badge&scale=3'))]).toEqual([
        severity,
        true,
      ])
    }
    await put('long', { template: 'status', label: 'W'.repeat(200) })
    expect((await pixelsOf('/widgets/long.png?family=badge&scale=1')).width).toBeGreaterThan(width / 3)
    for (const query of ['size=100x20', 'theme=dark', 'corners=square']) {
      const asked = await app.get(`/widgets/build.png?family=badge&${query}`, user.token)
      expectProblem(asked, 422, 'request.validation_failed')
    }
  })
})

describe.skipIf(sqliteSuffices())('a picture of several cards', () => {
  test('200 is the wall in its order and sizes, with its clock, in the size of the display', async () => {
    const empty = await ask('/wall.svg')
    expect(await empty.text()).toContain('<title>There is no widget yet</title>')
    await put('office', { template: 'value', value: 21.5, unit: '°C' })
    await put('garage', { template: 'gauge', value: 4, min_value: 0, max_value: 10 })
    const etag = async () => (await ask('/wall.png?size=800x480&colors=2')).headers.get('etag')
    const before = await etag()
    const items = [
      { slug: 'garage', size: 'large' },
      { slug: 'office', size: 'small' },
    ]
    expect((await app.put('/wall', { items, shows_clock: true }, user.token)).status).toBe(200)
    const arranged = await etag()
    expect(arranged).not.toBe(before)
    expect(await etag()).toBe(arranged)
    const svg = await (await ask('/wall.svg?tz=Europe/Berlin')).text()
    expect(svg).toMatch(/<title>\d\d:\d\d; garage 4; office 21.5/)
    const display = await pixelsOf('/wall.png?size=800x480&colors=2')
    expect([display.width, display.height, display.depth]).toEqual([800, 480, 1])
    app.clock.advanceSeconds(60)
    expect(await etag()).not.toBe(arranged)
    const grant = { name: 'Bar', permissions: { widgets: 'read' }, widget_slugs: ['office'] }
    const { key } = (await app.post('/integrations/keys', grant, user.token)).body
    expect(await (await ask('/wall.svg', key)).text()).not.toContain('garage')
    expectProblem(await app.get('/wall.png?family=small', user.token), 422, 'request.validation_failed')
  })

  test('200 are the ongoing activities one below another, or that nothing is going on', async () => {
    expect(await (await ask('/activities.svg?lang=de')).text()).toContain('<title>Gerade passiert nichts</title>')
    const start = (slug: string, priority: number) =>
      app.patch(
        `/activities/${slug}?upsert=true`,
        { state: 'ongoing', priority, content: { template: 'generic', state: slug, progress: 0.5 } },
        user.token,
      )
    await start('build', 1)
    const one = await pixelsOf('/activities.png?scale=1')
    await start('deploy', 9)
    const two = await pixelsOf('/activities.png?scale=1')
    expect([two.width, two.height > one.height]).toEqual([one.width, true])
    expect(await (await ask('/activities.svg')).text()).toContain('<title>deploy 50%; build 50%</title>')
  })
})
