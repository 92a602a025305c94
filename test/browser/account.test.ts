// Access to the account, and what it was used for.
import { describe, expect, test } from 'vitest'
import { plusSeconds, toRfc3339 } from '../../src/domain/instant.ts'
import { useTestApp } from '../support/app.ts'
import { seriousViolations } from '../support/browser/accessibility.ts'
import { addVirtualAuthenticator, signInLink, useBrowser, visit } from '../support/browser/browser.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

describe('the page of the sessions', () => {
  test('names this one, ends another, then all others, then all', async () => {
    const user = await app.addUser()
    const { page, context } = await browser.openConsole(app, user)
    const signInByProgram = async (program: string) => {
      const code = (await signInLink(app, user.userId)).split('=')[1]
      const headers = { 'content-type': 'application/json', 'user-agent': program }
      const answer = await fetch(`${app.url}/auth/link`, { method: 'POST', headers, body: JSON.stringify({ code }) })
      return ((await answer.json()) as { token: string }).token
    }
    const statusOf = async (token: string | undefined) => (await app.get('/auth/me', token)).status
    const thermostat = await signInByProgram('thermostat/1.0')
    const backup = await signInByProgram('backup/2.0')

    await visit(page, 'settings')
    await page.getByRole('link', { name: 'Where you are signed in' }).click()
    await page.waitForURL('**/app/settings/sessions')
    const rows = page.getByRole('main').getByRole('listitem')
    const current = rows.filter({ hasText: 'This session' })
    expect(await current.textContent()).toMatch(/on Linux.*Browser · Signed in/)
    expect(await current.getByRole('button').count()).toBe(0)

    await page.getByRole('button', { name: 'End the session of thermostat' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
    await rows.filter({ hasText: 'thermostat' }).waitFor({ state: 'detached' })
    expect([await statusOf(thermostat), await statusOf(backup)]).toEqual([401, 200])

    // A session that begins elsewhere appears without a reload.
    await signInByProgram('newcomer/1')
    await rows.filter({ hasText: 'newcomer' }).waitFor()

    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText('You are signed in nowhere else.').waitFor()
    expect([await statusOf(backup), await statusOf(user.token)]).toEqual([401, 401])
    const [cookie] = await context.cookies()
    expect(await statusOf(cookie?.value)).toBe(200)

    await page.getByRole('button', { name: 'Sign out everywhere, here too' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('one-time link').waitFor()
    expect(await statusOf(cookie?.value)).toBe(401)
    expect(await context.cookies()).toEqual([])
  })
})

describe('a passkey', () => {
  test('is made in the settings, signs in without a link, and is removed', async () => {
    const user = await app.addUser()
    const { page: opened, context } = await browser.openConsole(app, user, {}, 'settings')
    await opened.getByText('Browsers offer passkeys only at an https address').waitFor()

    // Browsers accept no passkey for an address of numbers.
    const url = app.url.replace('127.0.0.1', 'localhost')
    const page = await context.newPage()
    await addVirtualAuthenticator(page)
    await page.goto((await signInLink(app, user.userId, 'settings')).replace(app.url, url))
    await page.getByLabel('Name of the new passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('On one device · added').waitFor()

    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.getByRole('button', { name: 'Remove the passkey Laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('On one device').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').filter({ hasText: 'This passkey is unknown' }).waitFor()
  })
})

describe('the page for usage', () => {
  nightlyTest('shows what was sent by source and key, why requests were refused, and mutes a source', async () => {
    const user = await app.addUser()
    const key = await app.addKey(user, { name: 'CI', permissions: { notifications: 'send' } })
    await app.put('/devices/wall', { name: 'Wall', platform: 'web' }, user.token)
    for (const source of ['ci', 'ci', 'nas']) await app.post('/notifications', { title: 'T', body: 'B', source }, key)
    await app.post('/notifications', { title: '' }, key)
    await app.post('/auth/me/quiet-hours/now', { until: toRfc3339(plusSeconds(app.clock.now(), 3600)) }, user.token)
    await app.post('/notifications', { title: 'T', body: 'B', source: 'nas' }, key)
    await app.del('/auth/me/quiet-hours/now', user.token)
    const { page } = await browser.openConsole(app, user, {}, 'usage')
    await page.getByText('4 notifications in 30 days, 1 refused').waitFor()
    const row = (table: string, text: string) =>
      page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text })
    expect(await row('Sources', 'ci').textContent()).toContain('ci2')
    expect(await row('Programs', 'CI').textContent()).toContain('CI41 not pushed1 × a member of the request is wrong')
    expect(await row('Devices', 'Wall').textContent()).toBe('Wall003')
    // The bar of today has a part for each source.
    expect(await page.locator('.usage-chart g').last().locator('[class^=usage-color]').count()).toBe(2)

    // The server's clock is that of the test.
    await page.clock.setFixedTime(app.clock.now())
    await row('Sources', 'ci').getByRole('button', { name: 'Mute ci' }).click()
    expect(await seriousViolations(page)).toEqual([])
    await page.getByRole('button', { name: '1 hour' }).click()
    await page.getByRole('button', { name: 'Unmute ci' }).waitFor()
    const muted = await app.post('/notifications', { title: 'T', body: 'B', source: 'ci' }, key)
    expect(muted.body).toMatchObject({ delivery: 'none', reason: 'muted' })
    await page.getByRole('button', { name: 'Unmute ci' }).click()
    await page.getByText('Muted now').waitFor({ state: 'detached' })
  })
})
