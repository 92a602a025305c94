// R50: security of the console: no foreign scripts, no framing, no cross-site requests, no token accessible to
// scripts.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { useBrowser, visit } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { isNightly } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

const XSS = [
  '<img src=x onerror="window.pwned=1">',
  '"><script>window.pwned=1</script>',
  "'-window.pwned=1-'",
  '{{constructor.constructor("window.pwned=1")()}}',
]
const evil = (limit = 256) => XSS.join(' ').slice(0, limit)

const isPwned = (page: Page) => page.evaluate('window.pwned !== undefined')

describe('R50: user content is shown and never executed', () => {
  test('in every field that a sender, a program or a device can fill', async () => {
    const user = await app.addUser()
    const { token } = user
    await app.patch('/auth/me', { nickname: XSS[0] }, token)
    await app.post('/integrations/keys', { name: evil() }, token)
    await app.put(
      `/devices/${encodeURIComponent("'onclick=window.pwned=1")}`,
      { name: evil(64), platform: 'web', tags: [XSS[0]] },
      token,
    )
    const other = await app.addUser()
    await app.patch('/auth/me', { nickname: XSS[0] }, other.token)
    await app.post('/activities', { slug: 'a', name: evil() }, other.token)
    const share = await app.post('/activities/a/share', {}, other.token)
    expect((await app.post('/shares/join', { code: share.body.code }, token)).status).toBe(201)
    const org = `/orgs/${(await app.post('/orgs', { name: evil(64) }, other.token)).body.id}`
    const invitation = await app.post(`${org}/invitations`, { role: 'admin' }, other.token)
    expect((await app.post('/orgs/join', { code: invitation.body.code }, token)).status).toBe(201)
    const name = XSS[0]
    expect((await app.post(`${org}/groups`, { name }, other.token)).status).toBe(201)
    expect((await app.post(`${org}/tags`, { name }, other.token)).status).toBe(201)
    await app.post(`${org}/keys`, { name: evil(), permissions: {} }, other.token)
    const target = { groups: [name] }
    expect((await app.post(`${org}/notifications`, { title: evil(), body: evil(), target }, other.token)).status).toBe(
      201,
    )
    const activity = { state: 'ongoing', content: { template: 'generic', state: evil() }, target }
    expect((await app.patch(`${org}/activities/a?upsert=true`, activity, other.token)).status).toBe(201)
    await app.post('/widgets', { slug: 'w', name: evil(), content: { template: 'value', label: evil() } }, token)
    const fields = {
      title: evil(),
      subtitle: evil(),
      body: evil(),
      thread_id: evil(128),
      source: evil(128),
      source_display_name: evil(),
    }
    const metadata = { '<b onclick=window.pwned=1>': evil() }
    const actions = [{ id: evil(64), title: evil(64) }]
    const links = { icon_url: 'https://127.0.0.1:1/x"onerror="window.pwned=1', url: 'x-app://"onclick=window.pwned=1' }
    const sent = await app.post('/notifications', { ...fields, metadata, actions, ...links }, token)
    expect(sent.status).toBe(201)

    const { page } = await browser.openConsole(app, user)
    const refused: string[] = []
    page.on('console', (message) => refused.push(message.text()))
    // The content of a page comes after its heading; until it is shown, nothing could be executed.
    const shown = page.getByText(XSS[0] as string).first()
    const inspect = async (path: string, opened: Locator) => {
      await visit(page, path)
      await opened.waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      await shown.waitFor({ state: 'attached' })
      expect([path, await isPwned(page)]).toEqual([path, false])
    }
    await inspect(`n/${sent.body.id}`, page.getByText('Delivery'))
    for (const name of ['Keys', 'Devices', 'Widgets', 'Activities', 'Shares', 'Organizations']) {
      await inspect(name.toLowerCase(), page.getByRole('heading', { level: 1, name }))
    }
    for (const tab of ['members', 'groups', 'sent', 'activities', 'keys', 'settings']) {
      const opened = page.locator(`a[aria-current][href$="/${tab}"]`).first()
      await inspect(`${org.replace('/orgs', 'organizations')}/${tab}`, opened)
    }
    await inspect('', page.getByRole('heading', { name: 'Inbox' }))
    await visit(page, 'settings')
    await expect.poll(() => page.getByLabel('Nickname').inputValue()).toBe(XSS[0])
    expect(await isPwned(page)).toBe(false)
    // The content security policy did not have to block anything.
    expect(refused.filter((text) => text.includes('script-src'))).toEqual([])
  })

  test('and a policy forbids inline scripts, frames, base elements and plugins', async () => {
    const { headers } = await app.get('/app/')
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of [
      "script-src 'self';",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'none'",
    ]) {
      expect(policy).toContain(part)
    }
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const page = await (await browser.newProfile()).newPage()
    await page.goto(`${app.url}/app/`)
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.pwned=1">')`)
    await page.evaluate('new Promise((done) => { const i = new Image(); i.onerror = done; i.src = "/nothing" })')
    expect(await isPwned(page)).toBe(false)
  })
})

// Serves a page on another site.
async function foreignSite(html: string): Promise<string> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  // By name, which is another site than the address, on the same machine.
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

describe('R50: other sites', () => {
  test('cannot show the console in a frame', async () => {
    const { context } = await browser.openConsole(app, await app.addUser())
    const page = await context.newPage()
    await page.goto(await foreignSite(`<iframe src="${app.url}/app/"></iframe>`))
    // The browser's own page for a refused frame.
    await eventually(() => expect(page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/'))
  })

  test('cannot change anything, with a form or a script', async () => {
    const user = await app.addUser()
    await app.post('/notifications', { title: 'T', body: 'B' }, user.token)
    const { context } = await browser.openConsole(app, user)
    const page = await context.newPage()
    const form = `<form method="post" action="${app.url}/notifications/read" enctype="text/plain"><input name='{"all":true,"x":"' value='"}'></form>`
    await page.goto(await foreignSite(form))
    const statuses = await page.evaluate(`Promise.all([
      fetch('${app.url}/notifications/read', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"all":true}' }),
      fetch('${app.url}/notifications/read', { method: 'POST', credentials: 'include', headers: { 'x-heliograph-console': '1' }, body: '{"all":true}' }),
      fetch('${app.url}/notifications', { credentials: 'include' }),
    ].map((request) => request.then(({ type }) => type, () => 'blocked')))`)
    expect(statuses).toEqual(['opaque', 'blocked', 'blocked'])
    await Promise.all([page.waitForNavigation(), page.evaluate('document.forms[0].submit()')])
    expect((await app.get('/notifications/unread-count', user.token)).body.count).toBe(1)
  })
})

describe('R50: the session', () => {
  test('is an HttpOnly cookie, and no token is stored in the browser', async () => {
    const { page, context } = await browser.openConsole(app, await app.addUser())
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ name: 'heliograph', httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(cookie?.value).toMatch(/^hla_/)
    const visible = await page.evaluate(`(async () => {
      const databases = await indexedDB.databases()
      const values = await Promise.all(databases.map(({ name }) => new Promise((resolve) => {
        const open = indexedDB.open(name)
        open.onsuccess = () => {
          const all = open.result.transaction('values').objectStore('values').getAll()
          all.onsuccess = () => resolve(all.result)
        }
      })))
      return JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, values, location.href])
    })()`)
    expect(visible).toContain('nickname')
    expect(visible).not.toMatch(/hl[akw]_|signin/)
  })
})

describe('the first load', () => {
  test('needs less than 60 KB of compressed scripts in few files, all from this server', async () => {
    const page = await (await browser.newProfile()).newPage()
    const scripts: Promise<number>[] = []
    const hosts = new Set<string>()
    page.on('response', (response) => {
      hosts.add(new URL(response.url()).host)
      if (response.headers()['content-type']?.includes('javascript')) {
        scripts.push(response.body().then((body) => gzipSync(body).length))
      }
    })
    await page.goto(`${app.url}/app/`, { waitUntil: 'load' })
    await page.getByText('one-time link').waitFor()
    const bytes = (await Promise.all(scripts)).reduce((sum, one) => sum + one, 0)
    expect(scripts.length).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(60_000)
    expect(scripts.length).toBeLessThanOrEqual(5)
    expect([...hosts]).toEqual([new URL(app.url).host])
  })

  test('of a signed-in person needs less than 60 KB of scripts too, with the first steps; nothing on it moves', async () => {
    const user = await app.addUser()
    for (let n = 0; n < 12; n++) await app.post('/notifications', { title: `Title ${n}`, body: 'Body' }, user.token)
    const question = { title: 'Deploy?', body: 'Body', actions: [{ id: 'yes', title: 'Yes' }] }
    await app.post('/notifications', question, user.token)
    const inGerman = (await browser.openConsole(app, user, { width: 1440, locale: 'de-DE' }, '?first-run')).page
    await expectFewBytes(inGerman, 'Erste Schritte', 7)
    const { page } = await browser.openConsole(app, user, { width: 1440 })
    await expectFewBytes(page, 'First steps', 6)
    for (const width of [1440, 390]) expect(await shiftAt(page, width)).toBeLessThan(2)
    if (!isNightly) return
    for (const width of [1440, 390]) expect(await shiftAt(inGerman, width)).toBeLessThan(2)
    await page.setViewportSize({ width: 1440, height: 800 })
    await page.getByRole('button', { name: 'Hide this' }).click()
    for (const width of [1440, 390]) expect(await shiftAt(page, width)).toBeLessThan(2)
  })
})

// What the browser loads until the first steps are shown. `most`: scripts, besides that of the shared worker.
async function expectFewBytes(page: Page, heading: string, most: number): Promise<void> {
  await page.getByRole('heading', { name: heading }).waitFor()
  const bodies = (await page.evaluate(`performance.getEntriesByType('resource')
    .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])`)) as [string, number][]
  const scripts = bodies.filter(([path]) => path.endsWith('.js'))
  const bytesOf = (some: typeof bodies) => some.reduce((sum, [, bytes]) => sum + bytes, 0)
  expect(bytesOf(scripts)).toBeLessThan(60_000)
  expect(bytesOf(bodies)).toBeLessThan(90_000)
  expect(scripts.length).toBeLessThanOrEqual(most)
}

// The sum of what moves while the page is loaded, in hundredths.
async function shiftAt(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 })
  await page.reload()
  await page.getByText('Title 11').first().waitFor()
  const shift = (await page.evaluate(`new Promise((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value })
      .observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(sum), 100)
  })`)) as number
  return shift * 100
}
