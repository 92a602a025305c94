// The wall: the order and sizes of widgets, and links that show it without a session.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { CAPS } from '../../../src/contract/plans.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { openStream } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const app = useTestApp()

let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const addWidget = (slug: string) =>
  app.post('/widgets', { slug, name: slug, content: { template: 'value', value: 1 } }, user.token)

const addLink = async (name = 'Kitchen') => {
  const { body } = await app.post('/wall/links', { name }, user.token)
  return { ...body, token: body.url.split('#link=')[1] } as { id: string; url: string; token: string }
}

describe('the wall', () => {
  test('200 has every widget: those with a place first, the others after them in medium size', async () => {
    for (const slug of ['a', 'b', 'c', 'd']) await addWidget(slug)
    expect((await app.get('/wall', user.token)).body).toMatchObject({
      items: ['a', 'b', 'c', 'd'].map((slug) => ({ slug, size: 'medium' })),
      shows_clock: false,
    })
    const places = [
      { slug: 'c', size: 'large' },
      { slug: 'gone', size: 'small' },
      { slug: 'a', size: 'small' },
      { slug: 'c', size: 'large' },
    ]
    const { status, body } = await app.put('/wall', { items: places, shows_clock: true }, user.token)
    expect(status).toBe(200)
    expect(body.items.map(({ slug, size }: { slug: string; size: string }) => `${slug} ${size}`)).toEqual([
      'c large',
      'a small',
      'b medium',
      'd medium',
    ])
    expect((await app.get('/wall', user.token)).body).toEqual(body)

    // The clock stays as it is unless it is named; a widget that comes back has its place again.
    await app.put('/wall', { items: places.slice(0, 2) }, user.token)
    await addWidget('gone')
    const later = (await app.get('/wall', user.token)).body
    expect([later.shows_clock, later.items[1]]).toEqual([true, { slug: 'gone', size: 'small' }])
  })

  test('200 a key with a list of slugs sees the places of its widgets', async () => {
    for (const slug of ['a', 'b']) await addWidget(slug)
    const input = { name: 'A', permissions: { widgets: 'read' }, widget_slugs: ['b'] }
    const key = (await app.post('/integrations/keys', input, user.token)).body.key
    expect((await app.get('/wall', key)).body.items).toEqual([{ slug: 'b', size: 'medium' }])
  })

  test('422 for a size that there is not, and for more places than an account has widgets', async () => {
    const place = { slug: 'a', size: 'huge' }
    expectProblem(await app.put('/wall', { items: [place] }, user.token), 422, 'request.validation_failed')
    const many = Array.from({ length: CAPS.widgets.most + 1 }, () => ({ slug: 'a', size: 'small' }))
    expectProblem(await app.put('/wall', { items: many }, user.token), 422, 'request.validation_failed')
  })
})

describe('a link to the wall', () => {
  test('201 reads the widgets and the wall, and nothing else; the list never repeats its token', async () => {
    await addWidget('a')
    const { id, url, token } = await addLink()
    expect(url).toBe(`${app.url}/app/wall#link=${token}`)
    expect(token).toMatch(/^hlw_/)
    for (const path of ['/wall', '/widgets', '/widgets/a']) expect((await app.get(path, token)).status).toBe(200)
    for (const path of ['/notifications', '/integrations/keys', '/auth/me', '/events', '/wall/links', '/activities']) {
      expectProblem(await app.get(path, token), 403, 'widget.token_not_permitted')
    }
    expectProblem(await app.put('/wall', { items: [] }, token), 403, 'widget.token_not_permitted')
    const list = await app.get('/wall/links', user.token)
    expect(list.body.items).toEqual([{ id, name: 'Kitchen', created_at: expect.any(String) }])
    expect(list.text).not.toContain('hlw_')
  })

  test('its stream has the changes of widgets and of their order alone', async () => {
    const { token } = await addLink()
    const stream = await openStream(`${app.url}/wall/events`, token)
    await app.post('/notifications', { title: 'Secret', body: 'B' }, user.token)
    await addWidget('a')
    await app.put('/wall', { items: [{ slug: 'a', size: 'large' }] }, user.token)
    await app.del('/widgets/a', user.token)
    await eventually(() => expect(stream.types()).toEqual(['widget.updated', 'wall.updated', 'widget.deleted']))
    expect(JSON.stringify(stream.events)).not.toContain('Secret')
    stream.close()
  })

  test('a key that is limited to fewer widgets meanwhile gets no more of the others', async () => {
    const input = { name: 'A', permissions: { widgets: 'read' }, widget_slugs: ['a', 'b'] }
    const { id, key } = (await app.post('/integrations/keys', input, user.token)).body
    const stream = await openStream(`${app.url}/wall/events`, key)
    await addWidget('b')
    await eventually(() => expect(stream.types()).toEqual(['widget.updated']))
    await app.patch(`/integrations/keys/${id}`, { widget_slugs: ['a'] }, user.token)
    await app.del('/widgets/b', user.token)
    await addWidget('a')
    await eventually(() => expect(stream.types().at(-1)).toBe('widget.updated'))
    await eventually(() => expect(stream.events).toHaveLength(2))
    expect(stream.types()).toEqual(['widget.updated', 'widget.updated'])
    stream.close()
  })

  test('204 when it is revoked: its stream ends, and its token is refused', async () => {
    const [kept, revoked] = [await addLink('Hall'), await addLink()]
    const streams = [
      await openStream(`${app.url}/wall/events`, kept.token),
      await openStream(`${app.url}/wall/events`, revoked.token),
    ]
    expect((await app.del(`/wall/links/${revoked.id}`, user.token)).status).toBe(204)
    await streams[1]?.ended
    expectProblem(await app.get('/wall', revoked.token), 401, 'token.invalid')
    await addWidget('a')
    await eventually(() => expect(streams[0]?.types()).toEqual(['widget.updated']))
    streams[0]?.close()
    expectProblem(await app.del(`/wall/links/${revoked.id}`, user.token), 404, 'wall_link.not_found')
  })

  test('404 wall_link.not_found for a session and for the link of another account', async () => {
    const { items } = (await app.get('/auth/sessions', user.token)).body
    expectProblem(await app.del(`/wall/links/${items[0].id}`, user.token), 404, 'wall_link.not_found')
    const other = await app.addUser()
    expectProblem(await app.del(`/wall/links/${(await addLink()).id}`, other.token), 404, 'wall_link.not_found')
  })

  test('409 wall_link.limit_exceeded for the 21st, until one is revoked', async () => {
    const links = []
    for (let n = 0; n < LIMITS.wall.maxLinks; n++) links.push(await addLink(`Link ${n}`))
    expectProblem(await app.post('/wall/links', { name: 'x' }, user.token), 409, 'wall_link.limit_exceeded')
    await app.del(`/wall/links/${links[0]?.id}`, user.token)
    expect((await app.post('/wall/links', { name: 'x' }, user.token)).status).toBe(201)
  })
})
