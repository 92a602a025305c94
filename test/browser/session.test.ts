// Signing in and out, and the console without a network.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { signInLink, useBrowser } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()
const browserWithServiceWorker = useBrowser({ hasServiceWorker: true })

// Without a network, only a page that the service worker controls can be loaded again.
const controlled = (page: Page) =>
  eventually(async () => expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true))

describe('signing in', () => {
  test('with a link opens the inbox, and the code is removed from the URL', async () => {
    const { page } = await browser.openConsole(app, await app.addUser())
    expect(page.url()).toBe(`${app.url}/app/`)
    await page.getByText('No notifications yet').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  nightlyTest('works where the browser refuses storage, as some do in private windows', async () => {
    const context = await browser.newProfile()
    await context.addInitScript(`IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError') }`)
    const page = await context.newPage()
    await page.goto(await signInLink(app, (await app.addUser()).userId))
    await page.getByText('No notifications yet').waitFor()
  })

  test('with a used link shows an error, and accepts another link that is pasted', async () => {
    const user = await app.addUser()
    const link = await signInLink(app, user.userId)
    const page = await (await browser.newProfile()).newPage()
    await app.post('/auth/link', { code: link.split('=')[1] })
    await page.goto(link)
    await page.getByRole('alert').filter({ hasText: 'used or expired' }).waitFor()
    await page.getByLabel('Paste a one-time link').fill(await signInLink(app, user.userId))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  test('ends with signing out: the session is deleted on the server, and nothing is kept in the browser', async () => {
    const user = await app.addUser()
    await app.post('/notifications', { title: 'Private', body: 'B' }, user.token)
    const { page, context } = await browserWithServiceWorker.openConsole(app, user)
    await page.getByText('Private').first().waitFor()
    const kept = async () => JSON.stringify(await context.storageState({ indexedDB: true }))
    await eventually(async () => expect(await kept()).toContain('Private'))
    const [cookie] = await context.cookies()
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('one-time link').waitFor()
    expect(await context.cookies()).toEqual([])
    expect((await app.get('/auth/me', cookie?.value)).status).toBe(401)
    expect(await kept()).not.toContain('Private')
    await controlled(page)
    await context.setOffline(true)
    await page.reload()
    await page.getByText('one-time link').waitFor()
    expect(await page.getByText('Private').count()).toBe(0)
  })

  nightlyTest('with a used link does not end the session that the browser has', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    const link = await signInLink(app, user.userId)
    await app.post('/auth/link', { code: link.split('=')[1] })
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('You are still signed in.').waitFor()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  test('and out concerns all tabs of the browser', async () => {
    const { page, context } = await browser.openConsole(app, await app.addUser())
    const second = await context.newPage()
    await second.goto(`${app.url}/app/keys`)
    await second.getByRole('heading', { name: 'default' }).waitFor()
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await second.getByText('signed out in another tab').waitFor()
    expect(await second.getByText('default').count()).toBe(0)
    expect(await page.title()).toBe('Heliograph')

    const other = await app.addUser()
    await app.post('/notifications', { title: 'For the other account', body: 'B' }, other.token)
    await page.goto('about:blank')
    await page.goto(await signInLink(app, other.userId))
    await second.getByRole('heading', { name: 'default' }).waitFor()
    await second.getByRole('link', { name: 'Inbox' }).first().click()
    await second.getByText('For the other account').first().waitFor()
  })

  nightlyTest('as another account reloads the tabs of the first one', async () => {
    const user = await app.addUser()
    await app.post('/notifications', { title: 'For the first account', body: 'B' }, user.token)
    const { page, context } = await browser.openConsole(app, user)
    await page.getByText('For the first account').first().waitFor()
    const second = await context.newPage()
    const other = await app.addUser()
    await second.goto(await signInLink(app, other.userId))
    await page.getByText('No notifications yet').waitFor()
    await app.post('/notifications', { title: 'For the other account', body: 'B' }, other.token)
    await app.post('/notifications', { title: 'Again for the first', body: 'B' }, user.token)
    await page.getByText('For the other account').first().waitFor()
    expect(await page.getByText('Again for the first').count()).toBe(0)
  })

  test('a session that was revoked elsewhere ends on the open page', async () => {
    const { page, context } = await browser.openConsole(app, await app.addUser())
    const [cookie] = await context.cookies()
    await app.del('/auth/token', cookie?.value)
    await page.getByText('You have been signed out').waitFor()
  })
})

describe('without a network', () => {
  test('the console opens and shows the last inbox; with the network back it is live again', async () => {
    const user = await app.addUser()
    await app.post('/notifications', { title: 'From before', body: 'B' }, user.token)
    const { page, context } = await browserWithServiceWorker.openConsole(app, user)
    await page.getByText('From before').first().waitFor()
    await controlled(page)
    await context.setOffline(true)
    await page.reload()
    await page.getByText('You are offline').waitFor()
    await page.getByText('From before').first().waitFor()
    await app.post('/notifications', { title: 'Sent offline', body: 'B' }, user.token)
    await context.setOffline(false)
    await page.getByText('Sent offline').first().waitFor()
    await page.getByText('You are offline').waitFor({ state: 'detached' })
  })
})
