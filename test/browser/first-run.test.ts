// The first run: an empty account leads to a notification, an answer, a phone and a program, without a terminal.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { setOperator } from '../../src/operations/accounts/accounts.ts'
import { useTestApp } from '../support/app.ts'
import { seriousViolationsInBothThemes } from '../support/browser/accessibility.ts'
import { type Address, HOME, LOOPBACK, type OpenAt, PUBLIC } from '../support/browser/addresses.ts'
import { signInLink, useBrowser, visit } from '../support/browser/browser.ts'
import { PHONE, SIZES, takePictureOfAll } from '../support/browser/pictures.ts'
import { readQrCode } from '../support/browser/qr-reader.ts'
import { eventually } from '../support/eventually.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()
const run = promisify(execFile)

const step = (page: Page, title: string) =>
  page.locator('.first-run-step', { has: page.getByRole('heading', { name: title }) })
const isDone = (page: Page, title: string) =>
  page.locator('.first-run-done', { has: page.getByRole('heading', { name: title }) }).waitFor()

const WALK = 'a newcomer says their name, sends a notification, answers it, connects a program and a phone'
test(`${WALK}, at ${LOOPBACK.name}`, () => walkAt(LOOPBACK))
nightlyTest.each([HOME, PUBLIC])(`${WALK}, at $name`, walkAt)

async function walkAt(address: Address) {
  await walk(await address.open(app))
}

async function walk({ app, origin }: OpenAt) {
  const user = await app.addUser()
  const page = await (await browser.newProfile()).newPage()
  await page.goto((await signInLink(app, user.userId)).replace(app.url, origin))
  await page.getByText('0 of 4 done').waitFor()

  await page.getByLabel('Your name').fill('Ada')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Your name').waitFor({ state: 'detached' })
  expect((await app.get('/auth/me', user.token)).body.nickname).toBe('Ada')

  // Sent from the checklist, seen in the list, answered.
  await page.getByRole('button', { name: 'Send it now' }).click()
  await isDone(page, 'Send your first notification')
  await page.getByText('1 of 4 done').waitFor()
  const list = page.getByRole('region', { name: 'Inbox' })
  await list.getByText('Deploy to production?').waitFor()
  await page.locator('.first-run').getByRole('link', { name: 'Open it' }).click()
  await page
    .getByRole('region', { name: 'Notification', exact: true })
    .getByRole('button', { name: 'Deploy', exact: true })
    .click()
  const [{ id }] = (await app.get('/notifications', user.token)).body.items
  await eventually(async () => {
    const { body } = await app.get(`/notifications/answers/${id}`, user.token)
    expect(body).toMatchObject({ status: 'answered', action_id: 'deploy' })
  })

  // A program: a key that needs no more than to send, in a command that works as it is; the page shows its first request.
  await page.getByRole('link', { name: 'Inbox' }).first().click()
  await page.getByText('A key that sends can read the inbox too; the address of a webhook reads nothing.').waitFor()
  await page.getByRole('button', { name: /^curl/ }).click()
  await page.getByLabel('Name of the key').fill('My script')
  await page.getByRole('button', { name: 'Make the key' }).click()
  const program = page.getByRole('region', { name: 'curl', exact: true })
  await program.getByText('Waiting for the first request').waitFor()
  const isLimited = await program.getByText('works for programs on the machine of this server only').isVisible()
  expect(isLimited).toBe(origin === app.url)
  await page.getByText('1 of 4 done').waitFor()
  const snippet = (await program.locator('.curl code').textContent()) ?? ''
  expect(snippet).toContain(origin)
  await run('sh', ['-c', snippet.replace(origin, app.url)])
  await program.getByText('The first request has arrived.').waitFor()
  await program.getByRole('link', { name: 'Hello' }).waitFor()
  await isDone(page, 'Connect a program')
  const keys = (await app.get('/integrations/keys', user.token)).body as { name: string; permissions: object }[]
  expect(keys.find(({ name }) => name === 'My script')?.permissions).toEqual({
    notifications: 'send',
    widgets: 'none',
    activities: 'none',
    emails: 'none',
  })

  // A phone with the ntfy app, which the checklist waits for, also after a reload.
  await step(page, 'Add your phone').getByRole('link', { name: 'Add a phone' }).click()
  await page.getByRole('radio', { name: /^Android/ }).check()
  await page.getByRole('radio', { name: /^ntfy app/ }).check()
  await page.getByLabel('Name of the phone').fill('Pixel')
  await page.getByRole('button', { name: 'Show address and password' }).click()
  const password = await page
    .locator('dl.facts > div', { has: page.locator('dt', { hasText: 'Password' }) })
    .locator('code')
    .textContent()
  await page.goto(`${origin}/app/`)
  await page.getByText('Waiting for “Pixel” to connect.').waitFor()
  await page.getByText('2 of 4 done').waitFor()
  app.advanceSeconds(5)
  const headers = { authorization: `Basic ${Buffer.from(`heliograph:${password}`).toString('base64')}` }
  expect((await fetch(`${app.url}/ntfy/inbox/json?poll=1`, { headers })).status).toBe(200)
  await isDone(page, 'Add your phone')
  await page.getByText('“Pixel” receives your notifications.').waitFor()

  // It stays until it is done or hidden.
  await page.reload()
  await page.getByText('3 of 4 done').waitFor()
  await page.getByRole('button', { name: 'Hide this' }).click()
  await page.getByText('Select a notification').waitFor()
}

test('a phone that scans the code is signed in, which the page says by itself; it waits until the phone receives', async () => {
  const user = await app.addUser()
  await setOperator(app.app.ctx, user.name, true)
  const { page } = await browser.openConsole(app, user, {}, 'devices/add')
  await page.getByRole('radio', { name: /^iPhone or iPad/ }).check()
  await page.getByText('A phone cannot reach').waitFor()
  // The operator is told how to start the server, and where it is then.
  await page.getByText('npm start -- --host 0.0.0.0').waitFor()
  await page.getByText('Then open this page at').waitFor()
  expect(await page.locator('.qr-code').count()).toBe(0)
  await page.getByText('tailscale serve --bg').waitFor()
  await page.getByText('HELIOGRAPH_TRUST_PROXY=127.0.0.1 npm start', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Show the code anyway' }).click()
  const link = await readQrCode(page.locator('.qr-code'))
  expect(link).toContain(`${app.url}/app/devices#signin=`)
  app.advanceSeconds(60)
  const phone = await (await browser.newProfile(PHONE)).newPage()
  await phone.goto(link)
  await phone.getByRole('heading', { name: 'Devices' }).waitFor()
  await page.getByRole('status').getByText('on Linux is signed in').waitFor()
  await page.getByText('Press “Add this browser” there').waitFor()
  expect(await page.locator('.qr-code').count()).toBe(0)
  await app.put('/devices/pocket', { name: 'Pocket', platform: 'android', web_push: SUBSCRIPTION }, user.token)
  await page.getByRole('status').getByText('“Pocket” is connected').waitFor()
})

test('the way to HTTPS ends with the command that fits how the server was started', async () => {
  const { page } = await browser.openConsole(app, await app.addUser())
  // Files outside of the test say that it is a container.
  await page.route('**/auth/ways', (route) => route.fulfill({ json: { email: false, started_as: 'container' } }))
  await visit(page, 'devices/add')
  await page.getByRole('radio', { name: /^iPhone or iPad/ }).check()
  await page.getByText('docker run --env HELIOGRAPH_PUBLIC_URL=').waitFor()
  expect(await page.getByText('heliograph serve').count()).toBe(0)
})

const SUBSCRIPTION = {
  endpoint: 'https://push.example/1',
  keys: { p256dh: `BA${'A'.repeat(85)}`, auth: 'A'.repeat(22) },
}

nightlyTest(
  'a webhook made from a tile has a key of its own, which may only send; its test request arrives',
  async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('button', { name: /^Grafana/ }).click()
    await page.getByRole('button', { name: 'Make the address' }).click()
    await page.locator('.hook-waiting').waitFor()
    const [hook] = (await app.get('/integrations/hooks', user.token)).body.items
    const keys = (await app.get('/integrations/keys', user.token)).body as { id: string; name: string }[]
    expect(keys.find(({ id }) => id === hook.key_id)).toMatchObject({
      name: 'Grafana',
      permissions: { notifications: 'send', activities: 'none' },
    })
    const command = await page
      .locator('code')
      .filter({ hasText: /^curl .*\/hooks\// })
      .textContent()
    await run('sh', ['-c', command ?? ''])
    await page.locator('.hook-outcome').waitFor()
    await isDone(page, 'Connect a program')
  },
)

test('done steps are shown done on load; hidden, it stays hidden for this account and is found in the settings', async () => {
  const user = await app.addUser()
  const key = await app.addKey(user, { name: 'CI' })
  await app.post('/notifications', { title: 'Backup', body: 'done' }, key)
  const { page } = await browser.openConsole(app, user)
  await page.getByText('2 of 4 done').waitFor()
  await page.getByRole('button', { name: 'Hide this' }).click()
  await page.getByText('Select a notification').waitFor()
  await page.reload()
  await page.getByText('Select a notification').waitFor()
  await page.getByRole('link', { name: 'Settings' }).first().click()
  await page.getByRole('link', { name: 'Show the first steps' }).click()
  await page.getByText('2 of 4 done').waitFor()

  // Another account in the same browser has not hidden it.
  await page.goto(await signInLink(app, (await app.addUser()).userId))
  await page.getByText('0 of 4 done').waitFor()
})

nightlyTest('the demo plays on the page of activities', async () => {
  const { page } = await browser.openConsole(app, await app.addUser())
  await page.getByRole('button', { name: 'Play the demo' }).click()
  await page.getByRole('heading', { name: 'Activities' }).waitFor()
})

nightlyTest('on a phone it is in place of an empty list; the list comes with the first tap on the inbox', async () => {
  const user = await app.addUser()
  const { page } = await browser.openConsole(app, user, { ...PHONE, width: 360 })
  await page.getByText('0 of 4 done').waitFor()
  const list = page.getByText('No notifications yet')
  expect(await list.isVisible()).toBe(false)
  const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
  expect(await fits()).toBe(true)
  await page.getByRole('button', { name: /^Node-RED/ }).click()
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByText('In the menu: “Import”').waitFor()
  expect(await fits()).toBe(true)
  await page.getByRole('button', { name: 'Send it now' }).click()
  await page.getByText('1 of 4 done').waitFor()
  // The snippet is still there: its secret cannot be shown again.
  await page.getByText('In the menu: “Import”').waitFor()
  await page.getByRole('link', { name: 'Inbox' }).click()
  await page.getByRole('region', { name: 'Inbox' }).getByText('Deploy to production?').waitFor()
  await page.getByRole('link', { name: 'First steps: 1 of 4 done' }).click()
  await page.getByText('In the menu: “Import”').waitFor()
})

nightlyTest.each(SIZES)('accessible in both themes, at $width px', async (size) => {
  const { page } = await browser.openConsole(app, await app.addUser(), size)
  await page.getByText('0 of 4 done').waitFor()
  await page.getByRole('button', { name: /^Home Assistant/ }).click()
  await page.getByLabel('Name of the key').waitFor()
  const take = (scheme: string) => takePictureOfAll(page, `first-run-${size.width}-${scheme}`)
  expect(await seriousViolationsInBothThemes(page, take)).toEqual([])
})
