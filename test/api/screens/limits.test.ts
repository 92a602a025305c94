// Pictures of widgets and activities whose contents are at their limits: whole, and nothing is drawn over the edge.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { readPng } from '../../support/screens/png.ts'

const app = useTestApp()

beforeAll(() => initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm'))))

let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const ask = (path: string) => fetch(app.url + path, { headers: { authorization: `Bearer ${user.token}` } })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const put = (slug: string, content: object) => app.post('/widgets', { slug, name: slug, content }, user.token)
const start = (slug: string, content: object) =>
  app.patch(`/activities/${slug}?upsert=true`, { state: 'ongoing', content }, user.token)

// Throws unless it is well-formed XML.
const parsed = (svg: string) => new Resvg(svg)

const LONGEST = 'W'.repeat(256)
const MARKS = `e${'\u0301'.repeat(255)}`
const HOSTILE = '\u202eabc\u202c \u0007 </svg><script>&'

async function expectSound(path: string): Promise<void> {
  const svg = await (await ask(path)).text()
  expect([path, svg.match(/NaN|Infinity|<script|<foreignObject|href="(?!data:|#)/)?.[0]]).toEqual([path, undefined])
  expect(parsed(svg).width, path).toBeGreaterThan(0)
  const response = await ask(`${path.replace('.svg', '.png')}?scale=1&corners=square`)
  expect([path, response.status]).toEqual([path, 200])
  const { data, width, height } = readPng(await bytesOf(response))
  // All pixels at the edge have the colour of the background, so no text or line runs over it.
  const pixel = (x: number, y: number) => data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3).join()
  const edges = new Set([...Array(width).keys()].flatMap((x) => [pixel(x, 0), pixel(x, height - 1)]))
  for (let y = 0; y < height; y++) edges.add(pixel(0, y)).add(pixel(width - 1, y))
  expect([path, [...edges]]).toEqual([path, ['255,255,255']])
}

test('200 and whole, whatever its texts are', async () => {
  await put('label', { template: 'value', value: 1, label: LONGEST, subtitle: MARKS, unit: 'W'.repeat(32) })
  await put('marks', { template: 'status', label: HOSTILE, severity: 'critical', subtitle: LONGEST })
  await expectSound('/widgets/label.svg')
  await expectSound('/widgets/marks.svg')
  const lines = Array.from({ length: 20 }, (_, index) => ({ text: `${index} ${'W'.repeat(500)}`, level: 'error' }))
  expect((await start('log', { template: 'log', state: HOSTILE, lines, unknown: 'x'.repeat(4096) })).status).toBe(201)
  await expectSound('/activities/log.svg')
})

test('200 and whole, whatever its numbers are', async () => {
  const numbers: Record<string, object> = {
    equal: { template: 'trend', value: 5, points: Array(48).fill(5) },
    wide: {
      template: 'trend',
      value: 1e308,
      points: Array.from({ length: 48 }, (_, at) => (at % 2 ? 1e308 : -1e308)),
    },
    least: { template: 'gauge', value: -0, min_value: 0, max_value: 1e-320 },
    most: { template: 'gauge', value: 1e308, min_value: -1e308, max_value: 1e308 },
  }
  for (const [slug, content] of Object.entries(numbers)) {
    expect([slug, (await put(slug, content)).status]).toEqual([slug, 201])
    await expectSound(`/widgets/${slug}.svg`)
  }
  const now = Math.floor(app.clock.now() / 1000)
  const points = Array.from({ length: 300 }, (_, at) => ({
    timestamp: now - 300 + at,
    value: at % 2 ? 1e308 : -1e308,
  }))
  const names = Array.from({ length: 10 }, (_, index) => `s${index}`)
  const value = Object.fromEntries(names.map((name) => [name, 1e308]))
  const history = Object.fromEntries(names.map((name) => [name, points]))
  expect((await start('timeline', { template: 'timeline', value, history })).status).toBe(201)
  await expectSound('/activities/timeline.svg')
  const step_rows = Array(64).fill(10)
  expect((await start('steps', { template: 'steps', total_steps: 64, current_step: 64, step_rows })).status).toBe(201)
  await expectSound('/activities/steps.svg')
})

test('stays as it is when a change is refused', async () => {
  await put('w', { template: 'value', value: 1 })
  await start('log', { template: 'log', lines: [{ text: 'a' }] })
  const etags = () =>
    Promise.all(['/widgets/w.svg', '/activities/log.svg'].map(async (path) => (await ask(path)).headers.get('etag')))
  const before = await etags()
  const rows = Array(21).fill({ label: 'a', value: '1' })
  const changes = [
    ['/widgets/w', { label: 'W'.repeat(4096) }, 'request.validation_failed'],
    ['/widgets/w', { template: 'stat_list', stat_rows: rows }, 'request.validation_failed'],
    ['/activities/log', { lines: Array(21).fill({ text: 'a' }) }, 'activity.content_invalid'],
  ] as const
  for (const [path, content, code] of changes) expectProblem(await app.patch(path, { content }, user.token), 422, code)
  expect(await etags()).toEqual(before)
})
