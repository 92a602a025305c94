// The console stays current, in every tab: whatever the connection does, no change of the account is missed.
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, useTestApp } from '../support/app.ts'
import { signInLink, useBrowser, visit, waitForStream, withoutSharedWorkers } from '../support/browser/browser.ts'
import { PHONE } from '../support/browser/pictures.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()
const browserWithServiceWorker = useBrowser({ hasServiceWorker: true })

async function profileWithoutSharedWorkers(): Promise<BrowserContext> {
  const context = await browser.newProfile()
  await withoutSharedWorkers(context)
  return context
}

// Holds the responses to these requests back until `release` is called.
async function hold(page: Page, url: string): Promise<{ release: () => void }> {
  const held = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await held.promise
    // Fails for a request that the page has given up.
    await route.continue().catch(() => {})
  })
  return { release: held.resolve }
}

const live = (page: Page) => page.getByText('Connected', { exact: true })
const connecting = (page: Page) => page.getByText('Connecting…')

describe('the event stream', () => {
  test('misses no notification that arrives after the list was loaded and before the stream is open', async () => {
    const user = await app.addUser()
    const page = await (await profileWithoutSharedWorkers()).newPage()
    const stream = await hold(page, '**/events')
    await page.goto(await signInLink(app, user.userId))
    await page.getByText('No notifications yet').waitFor()
    await app.post('/notifications', { title: 'Sent between', body: 'B' }, user.token)
    stream.release()
    await page.getByText('Sent between').first().waitFor()
  })

  test('is opened before the list is loaded, so that the list is loaded only once', async () => {
    const user = await app.addUser()
    await app.post('/notifications', { title: 'From before', body: 'B' }, user.token)
    const page = await (await browser.newProfile()).newPage()
    await waitForStream(page)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(await signInLink(app, user.userId))
    await page.getByText('From before').first().waitFor()
    await live(page).waitFor()
    await app.post('/notifications', { title: 'Sent later', body: 'B' }, user.token)
    await page.getByText('Sent later').first().waitFor()
    expect(requests.filter((url) => url === `${app.url}/notifications`)).toHaveLength(1)
  })

  nightlyTest('is one for all tabs: seven of them are live, and further pages are loaded', async () => {
    const user = await app.addUser()
    const { page, context } = await browser.openConsole(app, user)
    const tabs = [page]
    while (tabs.length < 7) {
      const tab = await context.newPage()
      await tab.goto(`${app.url}/app/`)
      await live(tab).waitFor()
      tabs.push(tab)
    }
    await app.post('/notifications', { title: 'For all tabs', body: 'B' }, user.token)
    for (const tab of tabs) await tab.getByText('For all tabs').first().waitFor()
    // Browsers open six connections to a host. If streams had them all, no tab could load anything.
    await visit(page, 'keys')
    await page.getByRole('heading', { name: 'default' }).waitFor()
  })

  test('outlives the tab that opened it', async () => {
    const user = await app.addUser()
    const { page, context } = await browser.openConsole(app, user)
    const second = await context.newPage()
    await second.goto(`${app.url}/app/`)
    await live(second).waitFor()
    await page.close()
    await app.post('/notifications', { title: 'After the first tab', body: 'B' }, user.token)
    await second.getByText('After the first tab').first().waitFor()
  })

  test('is connected again when its heartbeats stop, and says so meanwhile', async () => {
    const user = await app.addUser()
    for (let count = 0; count < 12; count++) await app.post('/notifications', { title: 'T', body: 'B' }, user.token)
    const page = await (await profileWithoutSharedWorkers()).newPage()
    await page.clock.install()
    await page.goto(await signInLink(app, user.userId))
    await live(page).waitFor()
    const stream = await hold(page, '**/events')
    // The test server's clock stands still, so it sends no heartbeat.
    await page.clock.fastForward(46_000)
    await connecting(page).waitFor()
    const warning = page
      .getByRole('status')
      .filter({ hasText: /^Not connected since \d+:\d+\. Alerts may be missing\.$/ })
    expect(await warning.count()).toBe(0)
    await page.clock.fastForward(10_000)
    await warning.waitFor()
    await page.setViewportSize(PHONE)
    // On every page, however far it is scrolled.
    for (const path of ['settings', '']) {
      await visit(page, path)
      await warning.waitFor()
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      const { x = 0, y = 0 } = (await warning.boundingBox()) ?? {}
      expect(await page.evaluate(`!!document.elementFromPoint(${x + 20}, ${y + 20})?.closest('.banner')`)).toBe(true)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await app.post('/notifications', { title: 'Sent meanwhile', body: 'B' }, user.token)
    stream.release()
    await live(page).waitFor()
    await warning.waitFor({ state: 'detached' })
    await page.getByText('Sent meanwhile').first().waitFor()
  })

  test('is not called live while the browser is offline', async () => {
    const context = await profileWithoutSharedWorkers()
    const page = await context.newPage()
    await page.goto(await signInLink(app, (await app.addUser()).userId))
    await live(page).waitFor()
    await context.setOffline(true)
    await connecting(page).waitFor()
    await context.setOffline(false)
    await live(page).waitFor()
  })
})

describe('a list', () => {
  test('shows the newest answer of the server, although an older one arrives after it', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user, {}, 'keys')
    await page.getByRole('heading', { name: 'default' }).waitFor()
    // The answer to the first request of two is read now, and given later.
    const late = Promise.withResolvers<void>()
    await page.route(
      '**/integrations/keys*',
      async (route) => {
        const response = await route.fetch()
        await late.promise
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    const asked = page.waitForRequest('**/integrations/keys*')
    await app.addKey(user, { name: 'first' })
    await asked
    await app.addKey(user, { name: 'second' })
    await page.getByRole('heading', { name: 'second' }).waitFor()
    const given = page.waitForResponse('**/integrations/keys*')
    late.resolve()
    await given
    // An answer is drawn in the next frame.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    expect(await page.getByRole('heading', { name: 'second' }).count()).toBe(1)
  })
})

describe('the limit of 200 requests a minute', () => {
  nightlyTest('does not stop a person who loads a dozen pages in a minute: half of it suffices for six', async () => {
    const limited = await startTestApp({ HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '100' })
    onTestFinished(() => limited.stop())
    const { page } = await browserWithServiceWorker.openConsole(limited, await limited.addUser())
    const names = ['Activities', 'Widgets', 'Schedules', 'Alerts', 'Keys', 'Devices']
    for (const name of names) {
      const answer = await page.goto(`${limited.url}/app/${name.toLowerCase()}`)
      expect(answer?.status()).toBe(200)
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    }
    expect(await page.getByText('The server limits the requests').count()).toBe(0)
  })
})

describe('a server that cannot be reached', () => {
  const KEYS = '**/integrations/keys*'

  test('is named after ten seconds, and the page is loaded without a click once it answers', async () => {
    const page = await (await browser.newProfile()).newPage()
    await page.clock.install()
    await page.goto(await signInLink(app, (await app.addUser()).userId))
    await live(page).waitFor()
    const keys = await hold(page, KEYS)
    await visit(page, 'keys')
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    await page.clock.fastForward(10_000)
    await page.getByText('The server did not answer within 10 seconds.').waitFor()
    await page.unroute(KEYS)
    keys.release()
    await page.clock.fastForward(2000)
    await page.getByRole('heading', { name: 'default' }).waitFor()
  })

  nightlyTest('because of its rate limit: the page says when it continues, and does', async () => {
    const { page } = await browser.openConsole(app, await app.addUser())
    const problem = { code: 'rate_limit.exceeded', detail: 'Too many requests.', retry_after_ms: 3000 }
    await page.route(KEYS, (route) => route.fulfill({ status: 429, json: problem }), { times: 1 })
    await visit(page, 'keys')
    await page.getByText(/Loading continues in \d s/).waitFor()
    await page.getByRole('heading', { name: 'default' }).waitFor()
  })
})
