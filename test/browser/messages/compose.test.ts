// Messages that a person writes in the console: sent now, later or again and again; and what can be done with a schedule.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { pressOnceDrawn, useBrowser, visit } from '../../support/browser/browser.ts'

const app = useTestApp()
const browser = useBrowser()

describe('a new message', () => {
  test('is written with the keyboard, checked by the server, and arrives in the inbox with its buttons', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    // As the installed console opens what another app shares with it.
    await visit(page, 'new?title=Recipe&text=Soup&url=https%3A%2F%2Fexample.org%2Fsoup')
    expect(await page.getByLabel('Title').inputValue()).toBe('Recipe')
    expect(await page.getByLabel('Link', { exact: true }).inputValue()).toBe('https://example.org/soup')
    await visit(page, '')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await pressOnceDrawn(page, 'c')
    await page.getByText('Title and text are needed.').waitFor()
    await page.getByLabel('Title').fill('Water the **plants**')
    await page.getByLabel('Text', { exact: true }).fill('The *ficus* too')
    await page.getByLabel('Format the text with Markdown').check()
    await page.getByText('Valid: the server accepts this').waitFor()
    await page.getByLabel('Picture').fill('http://example.org/a.png')
    await page.getByText('must use https:').waitFor()
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await page.getByLabel('Picture').fill('')
    await page.getByRole('button', { name: 'Add a button' }).click()
    await page.getByLabel('Button 1', { exact: true }).fill('Done')
    await page.getByLabel('Asks for a line of text').check()
    expect(await page.locator('.phone-banner').textContent()).toContain('The ficus too')
    expect(await page.locator('.message-row').last().locator('em').textContent()).toBe('ficus')
    expect(await page.locator('.curl code').textContent()).toContain(`curl -X POST '${app.url}/notifications'`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('.detail').getByText('Console').waitFor()
    const [sent] = (await app.get('/notifications', user.token)).body.items
    expect(sent).toMatchObject({
      title: 'Water the **plants**',
      format: 'markdown',
      source: 'console',
      actions: [{ id: 'button-1', title: 'Done', text_input: true }],
    })
  })
})

describe('a schedule', () => {
  test('is made without cron, and is then read in words, edited, paused, sent now, copied and canceled', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user, {}, 'new')
    await page.getByLabel('Title').fill('Stand-up')
    await page.getByLabel('Text', { exact: true }).fill('Room 2')
    await page.getByRole('radio', { name: 'Repeat', exact: true }).check()
    await page.getByLabel('Repeats').selectOption('Every week on…')
    await page.getByLabel('Wednesday').check()
    await page.getByLabel('Time', { exact: true }).fill('09:20')
    await page.getByText('The next ten times').click()
    await page.locator('.send-times').getByText('09:20').nth(9).waitFor()
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    const card = page.locator('.schedule-card', { hasText: 'Stand-up' })
    await card.getByText('Mondays, Wednesdays at 09:20, Berlin; next').waitFor()
    const pending = async () => (await app.get('/notifications/scheduled', user.token)).body.items
    expect(await pending()).toMatchObject([
      { title: 'Stand-up', recurrence: { cron: '20 9 * * 1,3', timezone: 'Europe/Berlin' } },
    ])

    await card.getByRole('link', { name: 'Edit' }).click()
    // When it is sent is what a schedule is about, so it comes first.
    expect(await page.locator('.builder-form legend').first().textContent()).toBe('When')
    await page.getByLabel('Repeats').selectOption('Weekdays')
    await page.getByLabel('Text', { exact: true }).fill('Room 3')
    await page.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Weekdays at 09:20, Berlin; next').waitFor()
    expect(await pending()).toMatchObject([{ body: 'Room 3', recurrence: { cron: '20 9 * * 1-5' } }])

    await card.getByRole('button', { name: 'Pause' }).click()
    await card.getByText('Paused', { exact: true }).waitFor()
    await card.getByRole('button', { name: 'Resume' }).click()
    await card.getByRole('button', { name: 'Pause' }).waitFor()
    expect((await pending())[0].paused).toBeUndefined()

    await card.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await app.get('/notifications', user.token)).body.items).toMatchObject([{ title: 'Stand-up' }])

    await card.getByRole('link', { name: 'Duplicate' }).click()
    await page.getByLabel('Title').fill('Retrospective')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.getByRole('heading', { name: 'Retrospective' }).waitFor()
    expect(await pending()).toHaveLength(2)

    await card.getByRole('button', { name: 'Cancel it' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click()
    await card.waitFor({ state: 'detached' })
  })
})
