// The other pages: alerts to acknowledge, devices, settings.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { setOperator } from '../../src/operations/accounts/accounts.ts'
import { VERSION } from '../../src/runtime/version.ts'
import { useTestApp } from '../support/app.ts'
import { useBrowser, visit } from '../support/browser/browser.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

describe('the menu', () => {
  const entries = (page: Page) => page.locator('.side-group > .side-link > span:first-of-type').allTextContents()

  test('has what every account needs, and the rest from its first use or by choice', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    const FEW = ['Inbox', 'Live', 'Planned', 'Connections', 'Devices', 'Settings']
    expect(await entries(page)).toEqual(FEW)
    await visit(page, 'settings')
    await page.getByLabel('On call').check()
    expect(await entries(page)).toEqual(FEW.toSpliced(5, 0, 'On call'))
    const org = (await app.post('/orgs', { name: 'Example Hosting' }, user.token)).body
    // The switch at the top leads to the organization, whose pages fill the same menu.
    await page.getByRole('combobox', { name: 'Account or organization' }).selectOption('Example Hosting')
    await page.waitForURL(`**/app/organizations/${org.id}`)
    await page.getByRole('heading', { name: 'Example Hosting' }).waitFor()
    expect(await entries(page)).toEqual(['Sent', 'Live', 'Planned', 'Connections', 'On call', 'People', 'Settings'])
    await page.getByRole('combobox', { name: 'Account or organization' }).selectOption('Your account')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await entries(page)).toEqual(FEW.toSpliced(5, 0, 'On call', 'People'))
  })

  test('leads addresses that people type to their page, and lists every program once', async () => {
    const user = await app.addUser()
    await app.post('/integrations/hooks', { name: 'Grafana', kind: 'grafana' }, user.token)
    await app.post('/heartbeats', { slug: 'backup', name: 'Backup', every_seconds: 3600 }, user.token)
    const { page } = await browser.openConsole(app, user, {}, 'widgets/new')
    await page.waitForURL('**/app/widgets/_new')
    await visit(page, 'connections')
    const programs = page.locator('.programs').getByRole('listitem')
    await programs.filter({ hasText: 'Backup' }).filter({ hasText: 'never seen' }).waitFor()
    expect(await programs.locator('strong').allTextContents()).toEqual(['Backup', 'Default', 'Grafana'])

    await app.post('/notifications', { title: 'T', body: 'B' }, user.defaultKey)
    await programs.getByRole('link', { name: 'Default' }).click()
    await page.getByRole('table', { name: 'Programs' }).getByRole('row', { name: 'Default 1 0' }).waitFor()
  })
})

describe('an alert that repeats until it is acknowledged', () => {
  test('shows its remaining time, is acknowledged with its button, and shows that', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    const alert = { title: 'Fire', body: 'in the server room', acknowledge: { expire_seconds: 600 } }
    const { id } = (await app.post('/notifications', alert, user.defaultKey)).body
    await page.getByRole('link', { name: 'Alerts' }).first().click()
    await page.getByRole('timer').waitFor()
    await page.getByRole('link', { name: 'Fire' }).click()
    await page.getByText('Waiting to be acknowledged').waitFor()
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText('Acknowledged', { exact: true }).first().waitFor()
    const { body } = await app.get(`/notifications/receipts/${id}`, user.defaultKey)
    expect(body).toMatchObject({ status: 'acknowledged', action_id: 'pw_ack' })
  })

  nightlyTest('can be stopped without being acknowledged', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    const { id } = (await app.post('/notifications', { title: 'Fire', body: 'B', acknowledge: {} }, user.defaultKey))
      .body
    await page.getByRole('link', { name: 'Fire' }).click()
    await page.getByRole('button', { name: 'Stop repeating' }).click()
    await page.getByText('Stopped', { exact: true }).waitFor()
    expect((await app.get(`/notifications/receipts/${id}`, user.token)).body.status).toBe('canceled')
  })
})

describe('devices and settings', () => {
  test('a device can be renamed, and its last push error is explained', async () => {
    const user = await app.addUser()
    await app.put(
      '/devices/phone',
      { name: 'Phone', platform: 'ios', apns: { device_token: 'ab', environment: 'production' } },
      user.token,
    )
    await app.post('/notifications', { title: 'T', body: 'B' }, user.token)
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'Devices' }).first().click()
    await page.getByText('This server has no APNs key').waitFor()
    await page.getByText(/^Last tried /).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada’s phone')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Ada’s phone' }).waitFor()
    expect((await app.get('/devices', user.token)).body.items).toMatchObject([{ name: 'Ada’s phone', channel: 'apns' }])
  })

  test('an operator sees the state of the server, and can check it again; others see only its version', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.getByText(`Heliograph ${VERSION}`).waitFor()
    expect(await page.getByText('You run this server').count()).toBe(0)

    await setOperator(app.app.ctx, user.name, true)
    await page.reload()
    await page
      .getByRole('listitem')
      .filter({ hasText: /^database OK/ })
      .waitFor()
    // No address is configured that other machines could reach. What is wrong comes first.
    const first = await page.locator('.check').first().textContent()
    expect(first).toMatch(/Warning.*To do: /)
    app.advanceSeconds(31)
    const checked = page.waitForResponse((answer) => answer.url().endsWith('/system/checks'))
    await page.getByRole('button', { name: 'Check again' }).click()
    expect((await checked).status()).toBe(200)
  })

  nightlyTest('the chosen theme is kept, also before the first paint', async () => {
    const { page } = await browser.openConsole(app, await app.addUser(), { scheme: 'light' })
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.getByRole('radio', { name: 'Dark' }).check()
    await page.reload()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark')
    // Of the browser's own frame, too.
    const colors = `[...document.querySelectorAll('meta[name="theme-color"]')].map(({ media }) => matchMedia(media).matches)`
    expect(await page.evaluate(colors)).toEqual([false, true])
  })
})
