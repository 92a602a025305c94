// Widgets and activities as texts over HTTP: what they say, who may read them, and how long they may be kept.
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const app = useTestApp()

let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const ask = (path: string, token = user.token, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
const glance = async (path: string) => (await (await ask(path)).json()) as Record<string, unknown>
const text = async (path: string, token?: string) => (await ask(path, token)).text()
const at = (seconds: number) => new Date(app.clock.now() + seconds * 1000).toISOString()

const put = async (slug: string, content: object, more: object = {}) => {
  const { status } = await app.post('/widgets', { slug, name: slug, content, ...more }, user.token)
  expect(status).toBe(201)
}
const boiler = () => put('boiler', { template: 'value', value: 63, unit: '°C', label: 'Boiler', severity: 'warning' })

describe('GET /widgets/{slug}.txt and .json', () => {
  test('200 has the value with its label, and the glance with everything that a small screen needs', async () => {
    await boiler()
    expect(await text('/widgets/boiler.txt')).toBe('Boiler 63°C\n')
    const response = await ask('/widgets/boiler.json')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { updated_at, ...glance } = (await response.json()) as Record<string, unknown>
    expect(updated_at).toMatch(/Z$/)
    expect(glance).toEqual({
      slug: 'boiler',
      kind: 'widget',
      name: 'boiler',
      label: 'Boiler',
      template: 'value',
      text: '63°C',
      severity: 'warning',
      color: '#FF9500',
      stale: false,
    })
    expect(await text('/widgets.txt')).toBe('Boiler 63°C\n')
    expect(await (await ask('/widgets.json')).json()).toMatchObject({ items: [{ slug: 'boiler', text: '63°C' }] })
  })

  test('200 in a language and a time zone; without a zone, times say that they are in UTC', async () => {
    const periods = [at(-3600), at(3600)].map((start) => ({ start, value: 1 }))
    await put('price', { template: 'schedule', periods })
    const detail = async (query: string) => (await glance(`/widgets/price.json${query}`)).detail
    expect(await detail('')).toMatch(/^until \d\d:\d\d UTC$/)
    expect(await detail('?lang=de-AT&tz=Europe/Vienna')).toMatch(/^bis \d\d:\d\d$/)
    expectProblem(await app.get('/widgets/price.txt?tz=Mars/Base', user.token), 422, 'request.validation_failed')
  })

  test('304 until the text changes: by a patch, by the clock, or because it became stale', async () => {
    await put('train', { template: 'countdown', end_date: at(134 * 60) }, { stale_after: 3600 })
    const first = await ask('/widgets/train.txt')
    expect(await first.text()).toBe('train 2 h 14 min\n')
    const etag = first.headers.get('etag') as string
    expect(first.headers.get('cache-control')).toBe('private, max-age=60, stale-if-error=86400')
    expect(first.headers.get('x-valid-until')).toBe(at(60))
    const again = (tag: string) => ask('/widgets/train.txt', user.token, { 'if-none-match': tag })
    for (const tag of [etag, `"other", W/${etag}`, '*']) expect((await again(tag)).status).toBe(304)
    // A heartbeat that changes nothing.
    await app.patch('/widgets/train', { content: {} }, user.token)
    app.clock.advanceSeconds(59)
    expect((await again(etag)).status).toBe(304)
    app.clock.advanceSeconds(2)
    const later = await again(etag)
    expect([later.status, await later.text()]).toEqual([200, 'train 2 h 13 min\n'])
    expect((await glance('/widgets/train.json')).stale).toBe(false)
    app.clock.advanceSeconds(3600)
    expect((await glance('/widgets/train.json')).stale).toBe(true)
    app.clock.advanceSeconds(7200)
    expect(await text('/widgets/train.txt')).toBe('train Time is up\n')
    expect(await text('/widgets/train.txt?lang=de')).toBe('train Die Zeit ist um\n')
  })

  test('a list may be kept until the first of its texts changes', async () => {
    for (const [slug, seconds] of Object.entries({ a: 600, b: 620, c: 640 }))
      await put(slug, { template: 'countdown', end_date: at(seconds) })
    const until = async (path: string) => (await ask(path)).headers.get('x-valid-until')
    const [first, ...others] = await Promise.all(['b', 'a', 'c'].map((slug) => until(`/widgets/${slug}.txt`)))
    for (const other of others) expect(String(first) < String(other)).toBe(true)
    expect([await until('/widgets.txt'), await until('/widgets.json')]).toEqual([first, first])
  })

  test('HEAD has the headers of GET and no body', async () => {
    await boiler()
    const [head, get] = await Promise.all([
      fetch(`${app.url}/widgets/boiler.txt`, { method: 'HEAD', headers: { authorization: `Bearer ${user.token}` } }),
      ask('/widgets/boiler.txt'),
    ])
    for (const name of ['etag', 'cache-control', 'content-type'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    expect(await head.text()).toBe('')
  })

  test('a tap has only an address that is opened, never one that is called', async () => {
    const tapOf = async (tap_action: object) => {
      await put('door', { template: 'value', tap_action })
      return (await glance('/widgets/door.json')).tap
    }
    const url = 'https://home.example/door?secret=1'
    expect(await tapOf({ url })).toBeUndefined()
    expect(await tapOf({ url, method: 'POST', headers: { 'X-Secret': 's' } })).toBeUndefined()
    expect(await tapOf({ url, foreground: true })).toBe(url)
    expect(await tapOf({ url: 'myapp://door' })).toBe('myapp://door')
  })

  test('422 for a form that the ending does not have, and for parameters without effect', async () => {
    await boiler()
    for (const query of [
      '.txt?form=x',
      '.json?form=tmux',
      '.txt?max=7',
      '.txt?markup=1',
      '.txt?form=waybar&style=1',
      '.txt?size=1',
      '.txt?lang=1',
      '.txt?form=tmux&form=tmux',
    ]) {
      expectProblem(await app.get(`/widgets/boiler${query}`, user.token), 422, 'request.validation_failed')
    }
    expect(await text('/widgets/boiler.txt?form=i3blocks&markup=1&max=8')).toBe('Boiler …\n63°C\n#FF9500\n')
  })

  test('404 and 403 as for the widget itself; a key with slugs reads and lists those alone', async () => {
    await boiler()
    await put('garage', { template: 'value', value: 1 })
    expectProblem(await app.get('/widgets/attic.txt', user.token), 404, 'widget.not_found')
    const grant = { name: 'Bar', permissions: { widgets: 'read' }, widget_slugs: ['garage'] }
    const { key } = (await app.post('/integrations/keys', grant, user.token)).body
    expectProblem(await app.get('/widgets/boiler.txt', key), 403, 'integration_key.slug_invalid')
    expect(await text('/widgets.txt', key)).toBe('garage 1\n')
  })
})

describe('GET /activities/{slug}.txt and .json', () => {
  const start = (slug: string, content: object, more: object = {}) =>
    app.patch(`/activities/${slug}?upsert=true`, { state: 'ongoing', content, ...more }, user.token)

  test('200 has the state of the activity, and the list has the ongoing ones by priority', async () => {
    await start('build', { template: 'generic', state: 'Testing', progress: 0.4 })
    await start('disk', { template: 'alert', severity: 'critical', state: 'Disk full' }, { priority: 9 })
    expect(await text('/activities/build.txt')).toBe('build 40%\n')
    expect(await text('/activities.txt')).toBe('disk Critical\nbuild 40%\n')
    expect(await (await ask('/activities/disk.json')).json()).toMatchObject({
      kind: 'activity',
      severity: 'critical',
      detail: 'Disk full',
      state: 'ongoing',
    })
    await app.patch('/activities/build', { state: 'ended', content: { completion_message: 'Shipped' } }, user.token)
    expect(await text('/activities/build.txt')).toBe('build Shipped\n')
    expect(await text('/activities.txt')).toBe('disk Critical\n')
    expectProblem(await app.get('/activities/none.txt', user.token), 404, 'activity.not_found')
  })
})
