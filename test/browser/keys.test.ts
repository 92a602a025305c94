// Keys in the console: created, shown once, used, rolled and revoked.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

// Returns the secret in the dialog, and closes it.
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'The secret of' })
  const secret = (await dialog.locator('code').first().textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}

describe('a key', () => {
  test('is created with the chosen permissions, works, and its secret is shown once', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'Connections' }).first().click()
    await page.getByRole('link', { name: 'Keys' }).first().click()
    await page.getByText('A key that sends can read the inbox too').waitFor()
    await page.getByRole('button', { name: 'New key' }).click()
    const levels = await page.getByLabel('Notifications').getByRole('option').allTextContents()
    expect(levels.filter((level) => level !== 'No notifications' && !level.includes('read'))).toEqual([])
    await page.getByLabel('Name').fill('Thermometer')
    await page.getByLabel('Pushes per minute, at most').fill('601')
    await page.getByText('A whole number from 1 to 600.').waitFor()
    const reads = page.getByText('The program can read the inbox too.')
    await reads.waitFor()
    await page.getByLabel('Notifications').selectOption('No notifications')
    await reads.waitFor({ state: 'detached' })
    await page.getByLabel('Widgets', { exact: true }).selectOption('Read and change widgets')
    await page.getByLabel('Only these widgets').fill('office, room-*')
    await page.getByText('Only: office, everything that begins with room-').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click()
    const secret = await takeSecret(page)

    const widget = (slug: string) => ({ slug, name: 'W', content: { template: 'value' } })
    expect((await app.post('/widgets', widget('room-1'), secret)).status).toBe(201)
    expect((await app.post('/widgets', widget('kitchen'), secret)).status).toBe(403)
    expect((await app.post('/notifications', { title: 'T', body: 'B' }, secret)).status).toBe(403)
    await page.getByText('Read and change widgets: office, everything that begins with room-').waitFor()
    expect(await page.content()).not.toContain(secret)
  })

  nightlyTest(
    'gets a storm shield, and is rolled and revoked after a confirmation; the old secret stops working immediately',
    async () => {
      const user = await app.addUser()
      const first = await app.addKey(user, { name: 'CI' })
      const { page } = await browser.openConsole(app, user, {}, 'keys')
      const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'CI' }) })
      await card.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Pushes per minute, at most').fill('20')
      await page.getByRole('button', { name: 'Save' }).click()
      await card.getByText('At most 20 pushes a minute').waitFor()
      await card.getByRole('button', { name: 'Roll' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Roll' }).click()
      const second = await takeSecret(page)
      expect((await app.get('/auth/me', first)).status).toBe(401)
      expect((await app.get('/auth/me', second)).status).toBe(200)
      await card.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await card.waitFor({ state: 'detached' })
      expect((await app.get('/auth/me', second)).status).toBe(401)
    },
  )

  nightlyTest('is used in Gotify: a token is made on the spot, works, and can be ended', async () => {
    const user = await app.addUser()
    await app.addKey(user, { name: 'Kuma', permissions: { notifications: 'send' } })
    const { page } = await browser.openConsole(app, user, {}, 'keys')
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Kuma' }) })
    await card.getByRole('button', { name: 'Use it in…' }).click()
    const gotify = page.getByRole('region', { name: 'Gotify' })
    await gotify.getByText(`${app.url}/gotify`, { exact: true }).waitFor()
    await gotify.getByRole('button', { name: 'Make a token for Gotify' }).click()
    const token = await gotify
      .locator('code')
      .filter({ hasText: /^A\S{14}$/ })
      .textContent()
    const send = () => fetch(`${app.url}/gotify/message?token=${token}`, { method: 'POST', body: toForm('It works.') })
    expect((await send()).status).toBe(200)
    await gotify.getByText(`curl '${app.url}/gotify/message?token=${token}' -F title=Hello`).waitFor()

    // Reopened, the dialog lists the token without showing it.
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await card.getByRole('button', { name: 'Use it in…' }).click()
    await gotify.getByText('Token, made').waitFor()
    expect(await page.content()).not.toContain(token)
    await gotify.getByRole('button', { name: 'End this token for Gotify' }).click()
    await page.getByRole('dialog', { name: 'End this token for Gotify?' }).getByRole('button', { name: 'End' }).click()
    await gotify.getByRole('button', { name: 'Make a token for Gotify' }).waitFor()
    await gotify.getByText('Token, made').waitFor({ state: 'detached' })
    expect((await send()).status).toBe(401)
  })

  test.each([
    ['ntfy', /^tk_[a-z0-9]{29}$/, "curl -u :TOKEN -d 'It works.' URL/ntfy/test"],
    [
      'Pushover',
      /^[A-Za-z0-9]{30}$/,
      "curl URL/pushover/1/messages.json -F token=TOKEN -F user=me -F message='It works.'",
    ],
  ])('is used in %s with the line that the console shows', async (name, form, line) => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user, {}, 'keys')
    await page.getByRole('button', { name: 'Use it in…' }).first().click()
    const section = page.getByRole('region', { name })
    await section.getByRole('button', { name: `Make a token for ${name}` }).click()
    const token = (await section.locator('code').filter({ hasText: form }).textContent()) ?? ''
    await section.getByText(line.replaceAll('URL', app.url).replace('TOKEN', token), { exact: true }).waitFor()
  })
})

function toForm(message: string): FormData {
  const form = new FormData()
  form.set('message', message)
  return form
}
