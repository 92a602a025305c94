// Pages that once misled people or let them lose something.
import { describe, expect, test } from 'vitest'
import { addGotifyDevice, logIn, openStream } from '../api/doors/gotify/phone.ts'
import { useTestApp } from '../support/app.ts'
import { signInLink, useBrowser, visit } from '../support/browser/browser.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

describe('text that runs from right to left', () => {
  nightlyTest('is laid out so in the list and on the page of the notification', async () => {
    const user = await app.addUser()
    const message = { title: 'اكتمل النسخ الاحتياطي (nas-1).', body: 'مرحبا بالعالم.' }
    const { id } = (await app.post('/notifications', message, user.token)).body
    await app.post('/notifications', message, user.token)
    const { page } = await browser.openConsole(app, user, {}, `n/${id}`)
    await page.getByRole('heading', { name: message.title }).waitFor()
    // The dot of the other one, which is unread, does not touch the word beside it.
    const marginOfDot = await page.evaluate(`getComputedStyle(document.querySelector('.row-dot')).marginLeft`)
    expect(Number.parseFloat(String(marginOfDot))).toBeGreaterThan(3)
    for (const part of ['.row-title', '.row-body', '.detail-title', '.detail-body']) {
      expect(await page.evaluate(`getComputedStyle(document.querySelector('${part}')).direction`)).toBe('rtl')
    }
  })
})

describe('a secret that is shown once', () => {
  test('stays on the screen when Escape is pressed, until its button is', async () => {
    const { page } = await browser.openConsole(app, await app.addUser(), {}, 'keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('CI')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'The secret of “CI”' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await dialog.waitFor({ state: 'detached' })
  })
})

describe('what somebody has typed', () => {
  test('is there again after leaving the page and after signing in again, until it is discarded; Escape asks', async () => {
    const user = await app.addUser()
    const { page, context } = await browser.openConsole(app, user, {}, 'new')
    await page.getByLabel('Title').fill('Half a message')
    await page.getByRole('link', { name: 'Devices' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
    await page.goBack()
    await page.getByText('Your unsaved changes are back.').waitFor()
    expect(await page.getByLabel('Title').inputValue()).toBe('Half a message')

    await visit(page, 'keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Half a key')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('Half a key')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New key' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('')
    // Nothing is typed, so nothing is asked.
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await visit(page, 'webhooks/_new')
    await page.getByRole('button', { name: 'GitHub' }).click()
    await page.getByLabel('Name').fill('Half a webhook')
    await page.getByLabel('Secret').fill('not to be stored')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('not to be stored')
    await page.reload()
    await page.getByRole('button', { name: 'GitHub' }).click()
    await page.getByText('Your unsaved changes are back.').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Half a webhook')

    await visit(page, 'heartbeats/_new')
    await page.getByLabel('Name').fill('Half a heartbeat')
    await context.clearCookies()
    await page.goto('about:blank')
    await page.goto(await signInLink(app, user.userId, 'heartbeats/_new'))
    await page.getByText('Your unsaved changes are back.').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Half a heartbeat')
    await page.getByRole('button', { name: 'Discard them' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('')
  })
})

describe('Copy', () => {
  test('works on a plain-HTTP address of the home network, where browsers have no clipboard for scripts', async () => {
    const { page, context } = await browser.openConsole(app, await app.addUser())
    await context.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
    await page.goto(`${app.url}/app/keys`)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('CI')
    await page.keyboard.press('Enter')
    const secret = await page.getByText(/^hlk_/).first().textContent()
    await page
      .getByRole('button', { name: /^Copy: / })
      .first()
      .click()
    await page.getByText('Copied', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await visit(page, '')
    await page.getByRole('searchbox').click()
    await page.keyboard.press('Control+V')
    expect(await page.getByRole('searchbox').inputValue()).toBe(secret)
  })

  nightlyTest('selects the text where the browser refuses', async () => {
    const { page, context } = await browser.openConsole(app, await app.addUser())
    await context.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })
      document.execCommand = () => false`)
    await page.goto(`${app.url}/app/keys`)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('CI')
    await page.keyboard.press('Enter')
    await page
      .getByRole('button', { name: /^Copy: / })
      .first()
      .click()
    await page.getByText('Selected: press Ctrl+C').waitFor()
    expect(await page.evaluate('String(getSelection())')).toMatch(/^hlk_/)
  })
})

describe('the form of a schedule', () => {
  nightlyTest('shows no times of an earlier pattern beside an invalid one, and knows UTC', async () => {
    const { page } = await browser.openConsole(app, await app.addUser(), { timezone: 'UTC' }, 'schedules/new')
    expect(await page.getByLabel('Time zone').inputValue()).toBe('UTC')
    await page.getByLabel('Repeats').selectOption('Custom (cron)')
    const times = page.locator('.send-times').getByRole('listitem')
    await times.nth(9).waitFor()
    await page.getByLabel('Pattern').fill('every monday')
    await page.getByText('recurrence.cron').waitFor()
    expect(await times.count()).toBe(0)
    await page.getByLabel('Pattern').fill('0 8 * * *')
    await times.filter({ hasText: '08:00' }).nth(9).waitFor()
  })
})

describe('a server without a mail server', () => {
  nightlyTest('says so on the page for e-mail, and asks for no address', async () => {
    const { page } = await browser.openConsole(app, await app.addUser(), {}, 'emails')
    await page.getByText('This server sends no e-mail').waitFor()
    expect(await page.getByLabel('Address').count()).toBe(0)
  })
})

describe('the test of the devices', () => {
  test('says of each device what became of it, and of one that never connected that it has not', async () => {
    const user = await app.addUser()
    const apns = { device_token: 'ab', environment: 'production' }
    await app.put('/devices/phone', { name: 'Phone', platform: 'ios', apns }, user.token)
    await app.post('/devices/apps', { kind: 'ntfy', name: 'Pixel' }, user.token)
    const { page } = await browser.openConsole(app, user, {}, 'devices')
    await page.getByText('Waiting for Pixel to connect').waitFor()
    await page.getByText('never connected').waitFor()
    const test = page.getByRole('button', { name: 'Send a test' })
    const add = page.getByRole('link', { name: 'Add a phone' }).first()
    const [left, right] = [await test.boundingBox(), await add.boundingBox()]
    expect((right?.x ?? 0) - (left?.x ?? 0) - (left?.width ?? 0)).toBeGreaterThanOrEqual(8)
    await test.click()
    const result = page.getByRole('region', { name: 'Send a test' })
    await result.getByText('No device has accepted the test').waitFor()
    await result.getByText('Not delivered: the app has never connected.').waitFor()
    await result.getByText('This server has no APNs key,').waitFor()
    expect(await page.getByText('It works').count()).toBe(0)

    await app.del('/devices/phone', user.token)
    const gotify = await addGotifyDevice(app, user, 'Tablet')
    app.advanceSeconds(5)
    await openStream(app, await logIn(app, gotify))
    await test.click()
    await result.getByText('Delivered: it was connected.').waitFor()
    await result.getByText('Not delivered: the app has never connected.').waitFor()
    await result.getByText('Some devices have accepted the test, others have not:').waitFor()
  })
})

describe('a new widget', () => {
  nightlyTest('with the slug of another one warns that it replaces it, and offers a free slug', async () => {
    const user = await app.addUser()
    const content = { template: 'value', value: 7 }
    await app.post('/widgets', { slug: 'office', name: 'My office', content }, user.token)
    const { page } = await browser.openConsole(app, user, {}, 'widgets/_new')
    await page.getByRole('link', { name: 'Gauge' }).click()
    await page.getByLabel('Slug').fill('office')
    await page.getByText('This replaces “My office”').waitFor()
    await page.getByRole('button', { name: 'Replace' }).waitFor()
    await page.getByRole('button', { name: 'Use office-2' }).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL('**/widgets/office-2')
    expect((await app.get('/widgets/office', user.token)).body).toMatchObject({ name: 'My office', content })
  })
})

describe('an address that no page has', () => {
  nightlyTest('leads to the inbox', async () => {
    const { page } = await browser.openConsole(app, await app.addUser(), {}, 'nonsense')
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.getByRole('link', { name: 'To the inbox' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    for (const [path, title, link] of [
      ['widgets/gone', 'There is no such widget', 'All widgets'],
      ['activities/gone', 'There is no such activity', 'All activities'],
    ] as const) {
      await visit(page, path)
      await page.getByRole('heading', { name: title }).waitFor()
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      await page.getByRole('link', { name: link }).click()
      await page.waitForURL(`**/app/${path.split('/')[0]}`)
    }
    await page.goto(`${app.url}/nonsense`)
    await page.getByRole('link', { name: 'Open the console' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })
})
