// Access to the account: where the person is signed in.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { signInLink, useBrowser } from '../support/browser/browser.ts'

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

    await page.goto(`${app.url}/app/settings`)
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
