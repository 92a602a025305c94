// What the specification of screens promises of pictures over several requests, nodes and minutes.
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestUser } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { scrape } from '../../support/metrics.ts'
import { useTestNodes } from '../../support/nodes.ts'

const nodes = useTestNodes({ HELIOGRAPH_METRICS_PORT: '0' })

let user: TestUser
beforeEach(async () => {
  user = await nodes.first.addUser()
})

type Ask = { headers?: Record<string, string>; token?: string; node?: typeof nodes.first; method?: string }
const ask = (path: string, { headers, token = user.token, node = nodes.first, method = 'GET' }: Ask = {}) =>
  fetch(node.url + path, { method, headers: { authorization: `Bearer ${token}`, ...headers } })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const at = (seconds: number) => new Date(nodes.first.clock.now() + seconds * 1000).toISOString()
const put = (slug: string, content: object, more: object = {}) =>
  nodes.first.post('/widgets', { slug, name: slug, content, ...more }, user.token)
const start = (slug: string, content: object) =>
  nodes.first.patch(`/activities/${slug}?upsert=true`, { state: 'ongoing', content }, user.token)

async function drawnCount(): Promise<number> {
  const { value } = await scrape(nodes.first.app)
  return ['widget', 'activity'].reduce(
    (sum, kind) => sum + value('heliograph_pictures_total', { kind, result: 'drawn' }),
    0,
  )
}

describe('a picture', () => {
  test('is read with a key that reads widgets; HEAD has the headers of GET, and 304 has no body', async () => {
    await put('office', { template: 'value', value: 21.5, unit: '°C' })
    const { key } = (
      await nodes.first.post('/integrations/keys', { name: 'Bar', permissions: { widgets: 'read' } }, user.token)
    ).body
    const got = await ask('/widgets/office.png', { token: key })
    const bytes = await bytesOf(got)
    expect([got.status, bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([200, 676, 316])
    const head = await ask('/widgets/office.png', { token: key, method: 'HEAD' })
    for (const name of ['etag', 'cache-control', 'content-type', 'content-length', 'last-modified', 'x-valid-until'])
      expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)])
    expect([head.status, (await bytesOf(head)).length]).toEqual([200, 0])
    const headers = { 'if-none-match': `"other", ${got.headers.get('etag')}` }
    const known = await ask('/widgets/office.png', { token: key, headers })
    expect([known.status, await known.text()]).toEqual([304, ''])
    const sender = (await nodes.first.post('/integrations/keys', { name: 'S', permissions: {} }, user.token)).body.key
    expect((await ask('/widgets/office.png', { token: sender })).status).toBe(403)
  })

  test('changes with the next request after a change, and has the same ETag on every node', async () => {
    await put('office', { template: 'value', value: 1 })
    const seen = async () =>
      Promise.all(
        nodes.all.map(async (node) => {
          const response = await ask('/widgets/office.png', { node })
          return [response.headers.get('etag'), (await bytesOf(response)).toString('base64')]
        }),
      )
    const [first, ...others] = await seen()
    for (const other of others) expect(other).toEqual(first)
    await nodes.first.patch('/widgets/office', { content: { value: 1 } }, user.token)
    const headers = { 'if-none-match': String(first?.[0]) }
    for (const node of nodes.all) expect((await ask('/widgets/office.png', { node, headers })).status).toBe(304)
    await nodes.first.patch('/widgets/office', { content: { value: 2 } }, user.token)
    for (const [etag, bytes] of await seen()) {
      expect(etag).not.toBe(first?.[0])
      expect(bytes).not.toBe(first?.[1])
    }
  })

  test('of a countdown is right until X-Valid-Until: each minute, at its end, and when it becomes stale', async () => {
    const from = { template: 'countdown', start_date: at(-60), end_date: at(134 * 60) }
    await put('train', from, { stale_after: 10_000 })
    const look = async () => {
      const response = await ask('/widgets/train.svg')
      const svg = await response.text()
      const [, title] = /<title>([^<]*)/.exec(svg) ?? []
      // The grey of what is stale.
      const isDimmed = svg.includes('#a9abb2')
      return {
        etag: String(response.headers.get('etag')),
        title,
        isDimmed,
        until: response.headers.get('x-valid-until'),
      }
    }
    const first = await look()
    expect(first).toMatchObject({ title: 'train 2 h 14 min', isDimmed: false, until: at(60) })
    nodes.first.clock.advanceSeconds(59)
    expect((await ask('/widgets/train.svg', { headers: { 'if-none-match': first.etag } })).status).toBe(304)
    nodes.first.clock.advanceSeconds(2)
    const second = await look()
    expect(second).toMatchObject({ title: 'train 2 h 13 min', until: at(59) })
    expect(second.etag).not.toBe(first.etag)
    nodes.first.clock.advanceSeconds(134 * 60)
    const over = await look()
    expect(over).toMatchObject({ title: 'train Time is up', isDimmed: false })
    // The millisecond after which it is stale.
    const staleIn = 10_000 - 61 - 134 * 60
    expect(over.until).toBe(new Date(Date.parse(at(staleIn)) + 1).toISOString())
    nodes.first.clock.advanceSeconds(staleIn + 1)
    const stale = await look()
    expect(stale).toMatchObject({ title: 'train Time is up', isDimmed: true, until: null })
    expect(stale.etag).not.toBe(over.etag)
  })

  test('422 for each parameter that is not one, and nothing is drawn', async () => {
    await put('w', { template: 'value', value: 1 })
    const before = await drawnCount()
    const refused = ['family=small&family=small', 'size=1600x1600&scale=4', 'scale=99', 'size=NaNx1', 'nothing=1']
    for (const query of refused) expect([query, (await ask(`/widgets/w.png?${query}`)).status]).toEqual([query, 422])
    expect(await drawnCount()).toBe(before)
  })

  test('405 with the methods of a picture, and not those of the widget', async () => {
    const answer = await nodes.first.post('/widgets/w.png', {}, user.token)
    expectProblem(answer, 405, 'route.method_not_allowed')
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
  })

  test.each([
    ['.png?family=small&family=small', 'query.family must be given only once.'],
    ['.png?size=10x10', 'query.size must have sides from 40 to 1600 points.'],
    [
      '.png?size=1600x1600&scale=4',
      'The picture would have 6400 × 6400 pixels, and may have at most 4096 on a side and 4,000,000 in all.',
    ],
    ['.png?colors=2&theme=dark', 'query.theme has no effect with colors=2.'],
    ['.png?tz=Mars/Base', 'query.tz must be a time zone such as Europe/Berlin.'],
    ['.txt?form=waybar&style=1', 'query.style has an effect only with form=tmux.'],
  ])('422 for %s says what would be right', async (query, detail) => {
    await put('w', { template: 'value', value: 1 })
    expect(await (await ask(`/widgets/w${query}`)).json()).toMatchObject({ status: 422, detail })
  })
})

describe('a screen link', () => {
  test('that was revoked and one that there never was have the same answers on every node', async () => {
    await put('boiler', { template: 'value', value: 1 })
    const { body } = await nodes.first.post('/screens', { name: 'x', widgets: ['boiler'] }, user.token)
    const { pathname } = new URL(body.url)
    const never = `/s/hls_${'0'.repeat(32)}`
    for (const node of nodes.all) expect((await fetch(`${node.url}${pathname}/widgets/boiler.png`)).status).toBe(200)
    await nodes.first.del(`/screens/${body.id}`, user.token)
    for (const node of nodes.all) {
      for (const file of ['boiler.png', 'boiler.svg', 'boiler.bmp']) {
        const [revoked, unknown] = await Promise.all(
          [pathname, never].map((path) => fetch(`${node.url}${path}/widgets/${file}?size=200x100`)),
        )
        expect([file, revoked?.status, unknown?.status]).toEqual([file, 404, 404])
        expect(await bytesOf(revoked as Response)).toEqual(await bytesOf(unknown as Response))
      }
    }
  })
})

test('what is read as a picture or a text counts for no quota', async () => {
  await put('w', { template: 'value', value: 1 })
  await start('a', { template: 'generic', state: 'x' })
  const used = async () => {
    const { widget_updates_used, live_activity_updates_used, notifications_used } = (
      await nodes.first.get('/auth/me', user.token)
    ).body
    return [widget_updates_used, live_activity_updates_used, notifications_used]
  }
  const before = await used()
  expect(before.every((count) => typeof count === 'number')).toBe(true)
  for (const path of ['/widgets/w.svg', '/widgets/w.txt', '/widgets.json', '/activities/a.svg', '/activities.txt'])
    expect((await ask(path)).status).toBe(200)
  expect(await used()).toEqual(before)
})
