// Screen links: what an address under /s/ shows and what it does not, its limits, and its end.
import { inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { removeUser } from '../../../src/operations/accounts/remove.ts'
import type { TestUser } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { share } from '../../support/shares.ts'

const nodes = useTestNodes()

let user: TestUser
beforeAll(async () => {
  user = await nodes.first.addUser()
  for (const slug of ['boiler', 'boat', 'attic']) await addWidget(slug)
  await nodes.first.post('/activities', { slug: 'deploy', name: 'Deploy' }, user.token)
})

const addWidget = (slug: string, content: object = { template: 'value', value: 63, unit: '°C' }) =>
  nodes.first.post('/widgets', { slug, name: slug, content }, user.token)

type Link = { id: string; token: string; url: string; path: string }
async function addLink(input: object): Promise<Link> {
  const { status, body } = await nodes.first.post('/screens', { name: 'Kitchen', ...input }, user.token)
  expect([status, body]).toEqual([201, body])
  return { ...body, path: new URL(body.url).pathname }
}

const get = (path: string, node = nodes.first) => fetch(node.url + path)
async function expectNothing(path: string): Promise<void> {
  const response = await get(path)
  expect([path, response.status]).toEqual([path, 404])
  if (!/\.png/.test(path)) expect(await response.json()).toMatchObject({ code: 'screen.not_found' })
}

describe('POST /screens', () => {
  test('201 has the token once; the link shows what it names and nothing else', async () => {
    const link = await addLink({ widgets: ['bo*'], activities: ['deploy'] })
    expect(link.token).toMatch(/^hls_[0-9A-Za-z]{32}$/)
    expect(link.url).toBe(`${nodes.first.url}/s/${link.token}`)
    const list = await nodes.first.get('/screens', user.token)
    expect(list.body.items.at(-1)).toMatchObject({
      id: link.id,
      name: 'Kitchen',
      widgets: ['bo*'],
      wall: false,
      taps: 'none',
    })
    expect(list.text).not.toContain('hls_')

    expect(await (await get(`${link.path}/widgets.txt`)).text()).toBe('boat 63°C\nboiler 63°C\n')
    expect(await (await get(`${link.path}/widgets/boiler.txt?form=tmux`)).text()).toBe('boiler 63°C\n')
    expect((await get(`${link.path}/activities/deploy.json`)).status).toBe(200)
    for (const path of ['/widgets/attic.txt', '/widgets/none.json', '/widgets/..txt', '/activities/other.txt', '/wall'])
      await expectNothing(link.path + path)
    await expectNothing(`${link.path}/widgets/bogus.txt`)
    expectProblem(await nodes.first.get(`${link.path}/widgets/boiler.txt?max=1`), 422, 'request.validation_failed')
  })

  test('a picture has the headers of something public; what is not there is a picture too, of the size asked for', async () => {
    const { path, token } = await addLink({ widgets: ['boiler'] })
    const picture = await get(`${path}/widgets/boiler.png?size=60x40&scale=1`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    const nothing = await get(`${path}/widgets/attic.png?size=200x100&scale=1.5`)
    expect([nothing.status, nothing.headers.get('content-type')]).toEqual([404, 'image/png'])
    const bytes = Buffer.from(await nothing.arrayBuffer())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([300, 150])
    // Words on a white ground.
    const row = 1 + Math.ceil(300 / 8)
    const pixels = inflateSync(bytes.subarray(bytes.indexOf('IDAT') + 4, -16))
    expect([pixels.length, pixels[1], new Set(pixels.subarray(75 * row + 1, 76 * row)).size > 2]).toEqual([
      150 * row,
      255,
      true,
    ])
    // The answer is the same for a token that there never was.
    const mistyped = `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`
    const unknown = await get(`/s/${mistyped}/widgets/boiler.png?size=200x100&scale=1.5`)
    expect([unknown.status, Buffer.from(await unknown.arrayBuffer()).equals(bytes)]).toEqual([404, true])
    expect(await (await get(`${path}/widgets/attic.svg`)).text()).toContain('Not available')
  })

  test('403 for its token in Authorization, whatever the request', async () => {
    const { token } = await addLink({ wall: true, widgets: ['*'], activities: ['*'] })
    for (const path of ['/auth/me', '/widgets', '/widgets/boiler.png', '/wall', '/screens'])
      expectProblem(await nodes.first.get(path, token), 403, 'screen.not_permitted')
    expectProblem(await nodes.first.patch('/widgets/boiler', { name: 'x' }, token), 403, 'screen.not_permitted')
  })

  test('404 for an activity that somebody else shares', async () => {
    const owner = await nodes.first.addUser()
    await nodes.first.post('/activities', { slug: 'theirs', name: 'T' }, owner.token)
    const given = await share(nodes.first, { owner, recipient: user, what: 'theirs' })
    expect((await nodes.first.get('/activities/theirs', user.token)).status).toBe(200)
    const { path } = await addLink({ activities: ['*'] })
    for (const name of ['theirs', given.id]) await expectNothing(`${path}/activities/${name}.json`)
  })

  test('a link to the wall shows the wall with all widgets, and none of them alone; others show no wall', async () => {
    const [wall, other] = [await addLink({ wall: true }), await addLink({ widgets: ['boiler'] })]
    const svg = await (await get(`${wall.path}/wall.svg?size=400x800`)).text()
    expect(svg).toContain('attic 63°C')
    await expectNothing(`${wall.path}/widgets/boiler.txt`)
    expect(await (await get(`${wall.path}/widgets.txt`)).text()).toBe('')
    expect((await get(`${other.path}/wall.png`)).status).toBe(404)
    const display = await get(`${wall.path}/widgets/none.bmp?size=800x480`)
    expect([display.status, (await display.arrayBuffer()).byteLength]).toEqual([404, 48_062])
  })

  test('422 for a link that shows nothing, a time that is over and a zone that there is not', async () => {
    const at = new Date(nodes.first.clock.now()).toISOString()
    for (const input of [{}, { widgets: [] }, { wall: true, expires_at: at }, { wall: true, time_zone: 'Mars/Base' }]) {
      const answer = await nodes.first.post('/screens', { name: 'x', ...input }, user.token)
      expectProblem(answer, 422, 'request.validation_failed')
    }
    expectProblem(
      await nodes.first.post('/screens', { name: 'x', widgets: ['a b'] }, user.token),
      422,
      'request.validation_failed',
    )
  })

  test('409 for one more than an account may have', async () => {
    const owner = await nodes.first.addUser()
    const add = () => nodes.first.post('/screens', { name: 'x', wall: true }, owner.token)
    const answers = await Promise.all(Array.from({ length: LIMITS.screen.maxLinks + 2 }, add))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMITS.screen.maxLinks)
    expectProblem(await add(), 409, 'screen.limit_exceeded')
  })
})

describe('what a link says about language, zone and taps', () => {
  test('applies where the request says nothing', async () => {
    const end = new Date(nodes.first.clock.now() - 1000).toISOString()
    await addWidget('boat-race', { template: 'countdown', end_date: end })
    const chosen = { lang: 'de', time_zone: 'Europe/Berlin', theme: 'dark' }
    const { path } = await addLink({ widgets: ['boat-race'], ...chosen })
    const listed = (await nodes.first.get('/screens', user.token)).body.items
    expect(listed).toContainEqual(expect.objectContaining(chosen))
    expect(await (await get(`${path}/widgets/boat-race.txt`)).text()).toBe('boat-race Die Zeit ist um\n')
    expect(await (await get(`${path}/widgets/boat-race.txt?lang=en`)).text()).toBe('boat-race Time is up\n')
    const [dark, light] = await Promise.all(
      ['', '?theme=light'].map(async (query) =>
        (await get(`${path}/widgets/boat-race.svg${query}`)).headers.get('etag'),
      ),
    )
    expect(dark).not.toBe(light)
    // A BMP has black and white, in which no theme has an effect.
    expect((await get(`${path}/widgets/boat-race.bmp`)).status).toBe(200)
    // Nor has it one where the request names colours.
    expect((await get(`${path}/widgets/boat-race.png?colors=2`)).status).toBe(200)
    expect((await get(`${path}/widgets/boat-race.svg?family=badge`)).status).toBe(200)
  })

  test('the address that a tap opens is only in links that say so, and that of a silent call in none', async () => {
    const tap = async (taps: string, tap_action: object) => {
      await addWidget('door', { template: 'value', tap_action })
      const { path } = await addLink({ widgets: ['door'], taps })
      return (await get(`${path}/widgets/door.json`)).text()
    }
    const url = 'https://home.example/door'
    expect(await tap('none', { url, foreground: true })).not.toContain('home.example')
    expect(await tap('open', { url, foreground: true })).toContain(url)
    const silent = await tap('open', { url, method: 'POST', headers: { 'X-Secret': 'canary' } })
    expect([silent.includes('home.example'), silent.includes('canary')]).toEqual([false, false])
  })
})

describe('a link ends', () => {
  test('with the next request on every node, when it is changed, rolled, revoked or expired', async () => {
    const text = async (path: string) => Promise.all(nodes.all.map(async (node) => (await get(path, node)).status))
    const expires_at = new Date(nodes.first.clock.now() + 60_000).toISOString()
    const link = await addLink({ widgets: ['boiler'], expires_at })
    const at = (token: string) => `/s/${token}/widgets/boiler.txt`
    const all = (status: number) => nodes.all.map(() => status)
    expect(await text(at(link.token))).toEqual(all(200))

    await nodes.first.patch(`/screens/${link.id}`, { widgets: ['attic'] }, user.token)
    expect(await text(at(link.token))).toEqual(all(404))
    await nodes.first.patch(`/screens/${link.id}`, { widgets: ['boiler'] }, user.token)

    const rolled = (await nodes.first.post(`/screens/${link.id}/roll`, undefined, user.token)).body
    expect(rolled.token).not.toBe(link.token)
    expect([await text(at(link.token)), await text(at(rolled.token))]).toEqual([all(404), all(200)])

    nodes.first.advanceSeconds(61)
    expect(await text(at(rolled.token))).toEqual(all(404))
    // Other changes do not need a later end.
    expect((await nodes.first.patch(`/screens/${link.id}`, { name: 'Over' }, user.token)).body.name).toBe('Over')
    await nodes.first.patch(`/screens/${link.id}`, { expires_at: null }, user.token)
    expect(await text(at(rolled.token))).toEqual(all(200))
    // Written after the answer.
    await eventually(async () => {
      const [{ last_used_at }] = (await nodes.first.get('/screens', user.token)).body.items
      expect(last_used_at).toBeDefined()
    })

    expect((await nodes.first.del(`/screens/${link.id}`, user.token)).status).toBe(204)
    expect(await text(at(rolled.token))).toEqual(all(404))
    expectProblem(await nodes.first.del(`/screens/${link.id}`, user.token), 404, 'screen.not_found')
    expectProblem(await nodes.first.patch(`/screens/${link.id}`, { taps: 'open' }, user.token), 404, 'screen.not_found')
  })

  test('with its account', async () => {
    const owner = await nodes.first.addUser()
    await nodes.first.post('/widgets', { slug: 'a', name: 'A', content: { template: 'value' } }, owner.token)
    const { body } = await nodes.first.post('/screens', { name: 'x', widgets: ['*'] }, owner.token)
    const path = `${new URL(body.url).pathname}/widgets/a.txt`
    expect((await get(path)).status).toBe(200)
    await removeUser(nodes.first.app.ctx, owner.name)
    await expectNothing(path)
  })
})
