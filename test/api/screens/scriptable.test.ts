// The script of a screen link in a stand-in of Scriptable: what it shows in each family, without a network, and when the link ends.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { sqliteSuffices } from '../../support/database/database.ts'
import { serverThatReplies } from '../../support/fakes/replying-server.ts'
import { nightlyTest } from '../../support/nightly.ts'
import { createPhone, type Drawn, imagesOf, partsOf } from '../../support/screens/scriptable.ts'

const app = useTestApp()

let user: TestUser
let link: { id: string; url: string; path: string }
let script: string
let isOnline = true
const phoneNow = () => createPhone({ now: () => app.clock.now(), online: () => isOnline })

beforeAll(async () => {
  user = await app.addUser()
  const end_date = new Date(app.clock.now() + 8_000_000).toISOString()
  await app.post('/widgets', { slug: 'boiler', name: 'Boiler', content: { template: 'value', value: 63 } }, user.token)
  await app.post('/widgets', { slug: 'train', name: 'Train', content: { template: 'countdown', end_date } }, user.token)
  await app.post('/activities', { slug: 'deploy', name: 'Deploy' }, user.token)
  await app.patch('/activities/deploy', { state: 'ongoing', content: { state: 'Building' } }, user.token)
  link = await addLink()
  const response = await app.get(`${link.path}/scriptable.js`)
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  script = response.text
  expect(Buffer.byteLength(script)).toBeLessThan(16 * 1024)
})

async function addLink() {
  const input = { name: 'Phone', widgets: ['boiler', 'train'], activities: ['deploy'], wall: true }
  const { body } = await app.post('/screens', input, user.token)
  return { ...body, path: new URL(body.url).pathname }
}

const textsOf = (drawn: Drawn) => partsOf(drawn).flatMap((part) => (part.type === 'text' ? [part.text] : []))
const unescaped = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const minutes = (drawn: Drawn) => (Number(drawn.refreshAfterDate as Date) - app.clock.now()) / 60_000

describe.skipIf(sqliteSuffices())('the script for Scriptable', () => {
  test('shows the pictures of the server in every family, in both appearances and within what iOS shows', async () => {
    const phone = phoneNow()
    for (const family of ['small', 'medium', 'large', 'accessoryCircular', 'accessoryRectangular', 'accessoryInline']) {
      const widget = await phone.show(script, family, 'boiler')
      expect([family, widget.url]).toEqual([family, `${app.url}/app/widgets/boiler`])
      expect([family, minutes(widget)]).toEqual([family, 15])
      const images = imagesOf(widget)
      expect([family, images.length]).toEqual([family, family.startsWith('accessory') ? 1 : 2])
      const tinted = partsOf(widget).filter((part) => part.type === 'image' && part.tintColor)
      expect([family, tinted.length]).toEqual([family, family.startsWith('accessory') ? 0 : 1])
      if (family === 'small') expect(images[0]).toMatchObject({ width: 158 * 3, height: 158 * 3 })
      if (family === 'accessoryInline') expect(textsOf(widget)).toEqual(['63'])
      expect(phone.asked.every((url) => url.startsWith(`${link.url}/`))).toBe(true)
    }
    const pictures = imagesOf(await phone.show(script, 'small', 'boiler')).map(({ bytes }) => bytes.toString('base64'))
    const paths = phone.asked.filter((url) => url.includes('.png')).slice(-2)
    const served = await Promise.all(paths.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())))
    expect(served.map((bytes) => bytes.toString('base64')).sort()).toEqual(pictures.sort())
  })

  test('shows extra large on an iPad, the wall, an activity that is refreshed sooner, and a theme of its own', async () => {
    const pad = createPhone({ now: () => app.clock.now(), online: () => true, screen: { width: 834, height: 1194 } })
    expect(imagesOf(await pad.show(script, 'extraLarge', 'boiler'))).toMatchObject([{ width: 715 }, { width: 715 }])
    const phone = phoneNow()
    expect(imagesOf(await phone.show(script, 'large', 'wall'))).toHaveLength(1)
    expect(minutes(await phone.show(script, 'medium', 'a:deploy'))).toBe(2)
    expect(imagesOf(await phone.show(script, 'medium', 'boiler theme=dark'))).toHaveLength(1)
  })

  test('has a timer that ticks by itself in the place that the picture leaves empty', async () => {
    const widget = await phoneNow().show(script, 'medium', 'train')
    const dates = partsOf(widget).filter(({ type }) => type === 'date')
    expect(dates).toMatchObject([{ style: 'timer' }])
    const { hole } = (await app.get(`${link.path}/widgets/train.json?family=medium&size=338x158&hole=timer`)).body
    const box = partsOf(widget).find(({ children }) => children.includes(dates[0] as never))
    expect(box?.size).toMatchObject({ width: hole.width, height: hole.height })
    expect(dates.map(({ date }) => (date as Date).toISOString())).toEqual([hole.date])
    // Its countdown changes each minute, but iOS is asked for no more than one refresh in five.
    expect(minutes(widget)).toBe(5)
  })

  test('without the server it shows what it had with the time of that, and words if it has nothing', async () => {
    const phone = phoneNow()
    const before = await phone.show(script, 'medium', 'boiler')
    isOnline = false
    try {
      app.clock.advanceSeconds(600)
      const later = await phone.show(script, 'medium', 'boiler')
      expect(imagesOf(later)).toEqual(imagesOf(before))
      expect(textsOf(later)).toEqual([expect.stringMatching(/^as of \d\d:\d\d$/)])
      app.clock.advanceSeconds(86_400)
      const old = await phone.show(script, 'medium', 'boiler')
      expect(partsOf(old).find(({ type }) => type === 'image')?.imageOpacity).toBe(0.4)
      expect(imagesOf(old)).toHaveLength(1)
      expect(textsOf(await phoneNow().show(script, 'small'))).toEqual(['The server cannot be reached.'])
    } finally {
      isOnline = true
    }
  })

  test('takes a server that fails or refuses for one that is away, and asks it again when it says', async () => {
    const phone = phoneNow()
    const before = await phone.show(script, 'small', 'boiler')
    for (const status of [500, 503, 429]) {
      const { environment } = await serverThatReplies({ status, headers: { 'retry-after': '1800' } })
      const failing = script.replaceAll(link.url, environment.HELIOGRAPH_URL)
      const shown = await phone.show(failing, 'small', 'boiler')
      expect([status, imagesOf(shown)]).toEqual([status, imagesOf(before)])
      expect(textsOf(shown)).toEqual([expect.stringMatching(/^as of /)])
      expect([status, minutes(shown)]).toEqual([status, 30])
    }
  })

  test('has a page that says how, with the script to copy, and may run nothing but its copy button', async () => {
    const { path } = await addLink()
    const page = await app.get(`${path}/iphone`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const [, copy = ''] = /<script>([\s\S]*)<\/script>/.exec(page.text) ?? []
    const hash = createHash('sha256').update(copy).digest('base64')
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'; img-src 'self'`)
    const own = (await app.get(`${path}/scriptable.js`)).text
    expect(unescaped(/<textarea[^>]*>([\s\S]*)<\/textarea>/.exec(page.text)?.[1] ?? '')).toBe(own)
    const pictures = [...page.text.matchAll(/<img src="([^"]*)"/g)].map(([, src = '']) => unescaped(src))
    expect(pictures).toEqual([
      'widgets/boiler.png?family=small&theme=light',
      'widgets/boiler.png?family=small&theme=dark',
      'widgets/train.png?family=small&theme=light',
      'widgets/train.png?family=small&theme=dark',
      'activities/deploy.png?family=card&theme=light',
      'activities/deploy.png?family=card&theme=dark',
      'wall.png?size=344x206&theme=light',
      'wall.png?size=344x206&theme=dark',
    ])
    for (const src of [...pictures.slice(0, 1), ...pictures.slice(-3)])
      expect([src, (await app.get(`${path}/${src}`)).status]).toEqual([src, 200])

    expect(page.text).not.toContain('This link also has')

    const german = await app.post(
      '/screens',
      { name: 'W', widgets: ['wall'], activities: ['none-*'], lang: 'de' },
      user.token,
    )
    await app.post('/widgets', { slug: 'wall', name: 'W', content: { template: 'value', value: 1 } }, user.token)
    const other = await app.get(`${new URL(german.body.url).pathname}/iphone`)
    expect(other.text).toContain('<html lang="de">')
    expect(other.text).toContain('<code>w:wall</code>')
    // A pattern is no activity that a picture shows.
    expect(other.text).not.toContain('none-*')
    await app.del(`/screens/${german.body.id}`, user.token)
    const ended = await fetch(`${german.body.url}/iphone`, { headers: { Accept: 'text/html' } })
    expect([ended.status, await ended.text()]).toEqual([404, expect.stringContaining('This link shows nothing')])
  })

  test('has a page that pictures four things of a link and names the others', async () => {
    const owner = await app.addUser()
    const slugs = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const slug of slugs)
      await app.post('/widgets', { slug, name: slug, content: { template: 'value', value: 1 } }, owner.token)
    const { body } = await app.post('/screens', { name: 'Many', widgets: ['*'] }, owner.token)
    const { text } = await app.get(`${new URL(body.url).pathname}/iphone`)
    const pictured = [...text.matchAll(/<figcaption><code>(\w)<\/code>/g)].map(([, slug]) => slug)
    const named = [...(/This link also has (.*)<\/p>/.exec(text)?.[1] ?? '').matchAll(/<code>(\w)<\/code>/g)]
    expect([pictured.length, [...pictured, ...named.map(([, slug]) => slug)].sort()]).toEqual([4, slugs])
    // A widget of Scriptable without a parameter shows the first.
    const script = (await app.get(`${new URL(body.url).pathname}/scriptable.js`)).text
    expect(script).toContain(`const FIRST = "${pictured[0]}"`)
  })

  nightlyTest('goes through a day: changes, an hour without the server, and the end of the link', async () => {
    const begin = app.clock.now()
    const hours = () => (app.clock.now() - begin) / 3_600_000
    const expires_at = new Date(begin + 23 * 3_600_000).toISOString()
    const { body } = await app.post('/screens', { name: 'Day', widgets: ['boiler'], expires_at }, user.token)
    const own = (await app.get(`${new URL(body.url).pathname}/scriptable.js`)).text
    const phone = phoneNow()
    const shown = new Set<string>()
    let last: Drawn | undefined
    for (let value = 100; hours() < 24; ) {
      if (hours() >= (value - 99) * 4) {
        await app.patch('/widgets/boiler', { content: { value: ++value } }, user.token)
      }
      isOnline = hours() < 8 || hours() >= 9
      last = await phone.show(own, 'small', 'boiler')
      expect([hours(), textsOf(last).length]).toEqual([hours(), isOnline && hours() < 23 ? 0 : 1])
      for (const { bytes } of imagesOf(last)) shown.add(bytes.toString('base64'))
      // iOS refreshes no sooner than it was asked to.
      app.clock.advanceSeconds(Math.max(minutes(last) * 60, 300))
    }
    isOnline = true
    expect(textsOf(last as Drawn)).toEqual([expect.stringContaining('This link was revoked.')])
    // Tint and ink of a value: the ink changed each time, six times a day.
    expect(shown.size).toBeGreaterThanOrEqual(6)
  })

  test('says that a name is not in the link, and that the link was revoked, and keeps nothing then', async () => {
    const phone = phoneNow()
    await phone.show(script, 'small', 'boiler')
    const wrong = await phone.show(script, 'small', 'boilr')
    expect([textsOf(wrong), minutes(wrong)]).toEqual([['Not in this link: boilr'], 15])
    expect(phone.files.size).toBeGreaterThan(1)
    await app.del(`/screens/${link.id}`, user.token)
    const ended = await phone.show(script, 'small', 'boiler')
    expect([textsOf(ended), minutes(ended)]).toEqual([[`This link was revoked. ${app.url}/app`], 360])
    expect([...phone.files.keys()]).toEqual(['/cache/heliograph'])
  })
})
