// The inbox in a browser: notifications appear without a reload, and answers reach the sender.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { pressOnceDrawn, useBrowser } from '../support/browser/browser.ts'
import { SCROLL_TO_THE_END } from '../support/browser/scrolling.ts'
import { eventually } from '../support/eventually.ts'
import { fillInbox } from '../support/filled-inbox.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

const QUESTION = {
  title: 'Deploy v1.2?',
  body: 'All 214 checks are green.',
  source: 'ci',
  source_display_name: 'CI',
  actions: [
    { id: 'yes', title: 'Deploy' },
    { id: 'no', title: 'Not now', text_input: true },
  ],
}

describe('the inbox', () => {
  test('shows a notification without a reload, and its button answers the waiting sender', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    const { id } = (await app.post('/notifications', QUESTION, user.defaultKey)).body
    const answer = app.get(`/notifications/answers/${id}?wait=25`, user.defaultKey)
    await page.getByRole('link', { name: 'Deploy v1.2?' }).click()
    await page.getByRole('button', { name: 'Deploy', exact: true }).click()
    expect((await answer).body).toMatchObject({ status: 'answered', action_id: 'yes' })
    await page.locator('.detail').getByText('Answered: Deploy').waitFor()
    expect(await page.getByRole('button', { name: 'Not now' }).count()).toBe(0)
  })

  nightlyTest('accepts a reply as text', async () => {
    const user = await app.addUser()
    const { id } = (await app.post('/notifications', QUESTION, user.defaultKey)).body
    const { page } = await browser.openConsole(app, user, {}, `n/${id}`)
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.getByRole('textbox', { name: 'Not now' }).fill('after lunch')
    await page.keyboard.press('Enter')
    await page.getByText('after lunch').waitFor()
    const { body } = await app.get(`/notifications/answers/${id}`, user.defaultKey)
    expect(body).toMatchObject({ action_id: 'no', text: 'after lunch' })
  })

  test('an answer that was given first elsewhere is shown, not an error', async () => {
    const user = await app.addUser()
    const { id } = (await app.post('/notifications', QUESTION, user.defaultKey)).body
    const { page } = await browser.openConsole(app, user, {}, `n/${id}`)
    await page.getByRole('button', { name: 'Not now' }).waitFor()
    await app.post(`/notifications/${id}/answer`, { action_id: 'yes' }, user.token)
    await page.locator('.detail').getByText('Answered: Deploy').waitFor()
  })

  test('opening a notification marks it as read', async () => {
    const user = await app.addUser()
    await app.post('/notifications', QUESTION, user.defaultKey)
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'All 1 unread' }).waitFor()
    await page.getByRole('link', { name: 'Deploy v1.2?' }).click()
    await page.getByRole('link', { name: 'All', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Waiting 1 waiting for an answer', exact: true }).waitFor()
    expect((await app.get('/notifications/unread-count', user.token)).body.count).toBe(0)
  })

  nightlyTest('draws only the rows near the window, however many are loaded', async () => {
    const user = await app.addUser()
    for (let n = 0; n < 400; n++) await app.post('/notifications', { title: `Row ${n}`, body: 'B' }, user.token)
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'Row 399' }).waitFor()
    await eventually(async () => {
      await page.evaluate(`document.querySelector('.rows').scrollTo(0, 1e6)`)
      expect(await page.locator('.row').last().textContent()).toContain('Row 0')
    })
    expect(await page.locator('.row').count()).toBeLessThan(200)
    await page.evaluate(`document.querySelector('.rows').scrollTo(0, 0)`)
    await page.getByRole('link', { name: 'Row 399' }).waitFor()
  })

  test('deletes after a moment in which it can be undone, or when the page is left', async () => {
    const user = await app.addUser()
    const isGone = async (id: number) => (await app.get(`/notifications/${id}`, user.token)).status === 404
    const { id } = (await app.post('/notifications', QUESTION, user.defaultKey)).body
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'Deploy v1.2?' }).click()
    await page.getByRole('heading', { name: 'Deploy v1.2?' }).waitFor()
    await pressOnceDrawn(page, '#')
    await page.getByText('No notifications yet').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Deploy v1.2?' }).click()
    expect(await isGone(id)).toBe(false)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No notifications yet').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await eventually(async () => expect(await isGone(id)).toBe(true))
    const other = (await app.post('/notifications', QUESTION, user.defaultKey)).body.id
    await page.locator('.rows').getByRole('link', { name: 'Deploy v1.2?' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 notification was deleted.').waitFor()
    await page.reload()
    await eventually(async () => expect(await isGone(other)).toBe(true))
  })

  test('searches and filters, also new notifications', async () => {
    const user = await app.addUser()
    const send = (title: string, level: string) => app.post('/notifications', { title, body: 'B', level }, user.token)
    await send('Disk full', 'critical')
    await send('Backup done', 'passive')
    const { page } = await browser.openConsole(app, user)
    await page.getByLabel('Level').selectOption('Critical')
    await page.getByText('Backup done').waitFor({ state: 'detached' })
    await send('Nothing special', 'active')
    await send('Fan broken', 'critical')
    await page.getByRole('link', { name: 'Fan broken' }).waitFor()
    expect(await page.getByRole('link', { name: 'Nothing special' }).count()).toBe(0)
    await page.getByRole('searchbox').fill('disk')
    await page.getByRole('link', { name: 'Fan broken' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('link', { name: 'Disk full' }).count()).toBe(1)
  })

  test('can be used with the keyboard only', async () => {
    const user = await app.addUser()
    await app.post('/notifications', { title: 'First', body: 'B' }, user.token)
    await app.post('/notifications', QUESTION, user.token)
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'First' }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Deploy v1.2?' }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('button', { name: 'Deploy', exact: true }).waitFor()
    await page.keyboard.press('r')
    await page.keyboard.press('Enter')
    await page.locator('.detail').getByText('Answered: Deploy').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('jk')
    expect(await page.getByRole('searchbox').inputValue()).toBe('jk')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  })

  test('decrypts messages with the key stored in the browser', async () => {
    const user = await app.addUser()
    const encrypted =
      'pw1.767c0806.oKGio6Slpqeoqaqr-DhDOK4k53I0XIqFXerStl8L5wgFH2EUp_HSYIhOtPQU6R9X6oBtcwaIVw6kyen5OK3Vm_WWiP9w4ooFbGhar_XGOj1J'
    await app.post('/notifications', { encrypted }, user.defaultKey)
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'Encrypted notification' }).click()
    await page.getByRole('link', { name: 'Enter the key' }).click()
    await page.getByLabel('Key').fill('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f')
    await page.getByRole('button', { name: 'Save the key' }).click()
    await page.getByText('767c0806').waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await page.getByRole('link', { name: 'Disk full' }).click()
    await page.getByText('/var is at 97% on db01').last().waitFor()
  })
})

nightlyTest('5,000 entries are scrolled through with the elements of a few pages, and nothing jumps', async () => {
  const user = await app.addUser()
  const firstAt = app.clock.now() - 5_000_000
  await fillInbox(app.app.ctx.db, user.userId, { count: 5000, firstAt, read: true })
  const { page } = await browser.openConsole(app, user, { width: 1440 })
  await page.getByText('Entry 5000', { exact: true }).waitFor()
  const { shift, elements, height } = (await page.evaluate(SCROLL_TO_THE_END)) as Record<string, number>
  expect(height).toBeGreaterThan(5000 * 30)
  expect(elements).toBeLessThan(3000)
  expect(shift).toBeLessThan(0.02)
})
