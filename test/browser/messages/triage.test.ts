// Sorting out the inbox: snooze and mute, the whole thread, search, older rows, and where the focus goes.
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { pressOnceDrawn, useBrowser, visit, waitForStream } from '../../support/browser/browser.ts'
import { eventually } from '../../support/eventually.ts'
import { nightlyTest } from '../../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

const send = async (user: TestUser, members: object): Promise<number> =>
  (await app.post('/notifications', { title: 'T', body: 'B', ...members }, user.token)).body.id
const focused = 'document.activeElement?.textContent'

describe('quiet', () => {
  test('a notification is snoozed with the keyboard, listed as snoozed, shown again, and comes back by itself', async () => {
    const user = await app.addUser()
    const id = await send(user, { title: 'Renew the passport', source: 'todo' })
    const { page } = await browser.openConsole(app, user, {}, `n/${id}`)
    const row = page.locator('.rows').getByRole('link', { name: 'Renew the passport' })
    await page.getByRole('heading', { name: 'Renew the passport' }).waitFor()
    await pressOnceDrawn(page, 'h')
    await page.getByRole('button', { name: 'For an hour' }).click()
    await page.getByText('1 notification is snoozed until').waitFor()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Snoozed' }).click()
    await row.click()
    await page.getByRole('button', { name: 'Show it now' }).click()
    await page.locator('.detail').getByText('Snoozed until').waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^All/ }).first().click()
    await row.waitFor()
    const until = new Date(app.clock.now() + 60_000).toISOString()
    await app.put(`/notifications/${id}/snooze`, { until }, user.token)
    await row.waitFor({ state: 'detached' })
    app.advanceSeconds(60)
    await app.runDueJobs()
    await row.waitFor()
  })

  nightlyTest('a source is muted from its row; the filter says so, and the page for mutes ends it', async () => {
    const user = await app.addUser()
    await send(user, { title: 'Build 1', source: 'ci', source_display_name: 'CI' })
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'Build 1' }).hover()
    await page.getByRole('button', { name: 'Snooze or mute Build 1' }).click()
    await page.getByRole('button', { name: 'Mute CI for 1 day' }).click()
    await page.getByText('CI is muted until').waitFor()
    await page.getByRole('option', { name: 'CI (muted until' }).waitFor({ state: 'attached' })
    expect((await app.post('/notifications', { title: 'T', body: 'B', source: 'ci' }, user.token)).body.reason).toBe(
      'muted',
    )
    await visit(page, 'sound')
    await page.getByRole('button', { name: 'End the mute of ci' }).click()
    await page.getByText('The mute has ended.').waitFor()
    expect((await app.get('/mutes', user.token)).body.items).toEqual([])
  })
})

describe('the list', () => {
  test('with a filter in the address is loaded once, marks what was searched for, and keeps a source without a match', async () => {
    const user = await app.addUser()
    await send(user, { title: 'Disk almost full', body: 'The disk of nas', source: 'nas' })
    const { page } = await browser.openConsole(app, user)
    // Until then the list without a filter may still be requested.
    await page.getByRole('link', { name: 'Disk almost full' }).waitFor()
    const lists: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      // Not those of the checklist and of what waits.
      if (pathname === '/notifications' && !/waiting|limit/.test(search)) lists.push(search)
    })
    await waitForStream(page)
    await page.goto(`${app.url}/app/?q=disk`)
    await page.getByRole('link', { name: 'Disk almost full' }).waitFor()
    expect(lists).toEqual(['?q=disk'])
    expect(await page.locator('.row mark').allTextContents()).toEqual(['Disk', 'disk'])
    await page.goto(`${app.url}/app/?source=printer`)
    await page.getByText('No notification matches').waitFor()
    expect(await page.getByRole('combobox', { name: 'Source' }).inputValue()).toBe('printer')
  })

  nightlyTest('loads older rows while it is scrolled, and shows the row of a deep link', async () => {
    const user = await app.addUser()
    for (let number = 1; number <= 60; number++) await send(user, { title: `Number ${number}.` })
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'Number 60.' }).waitFor()
    await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, rows.scrollHeight))
    const row = page.getByRole('link', { name: 'Number 1.' })
    await row.waitFor()
    const id = (await row.getAttribute('href'))?.match(/\d+/)?.[0]
    const deep = Number(id) + 25
    await page.goto(`${app.url}/app/n/${deep}`)
    await eventually(async () => {
      const box = await page.locator('.row[aria-current]').boundingBox()
      expect(box && box.y > 0 && box.y < 800).toBe(true)
    })
  })

  nightlyTest('follows j however fast it is pressed, and takes the focus back', async () => {
    const user = await app.addUser()
    for (let number = 1; number <= 20; number++) await send(user, { title: `Number ${number}.` })
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'Number 1.' }).waitFor()
    await page.evaluate(`for (let n = 0; n < 15; n++) dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))`)
    await page.getByRole('heading', { name: 'Number 6.' }).waitFor()
    await pressOnceDrawn(page, 'Escape')
    await eventually(async () => expect(await page.evaluate(focused)).toContain('Number 6.'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Number 6.' }).waitFor()
    await pressOnceDrawn(page, '#')
    await eventually(async () => expect(await page.evaluate(focused)).toContain('Number 5.'))
  })

  nightlyTest('selects rows with a long press, and with the keyboard', async () => {
    const user = await app.addUser()
    for (const title of ['One', 'Two', 'Three']) await send(user, { title })
    const { page } = await browser.openConsole(app, user)
    const press = (title: string, type: string) =>
      page
        .getByRole('link', { name: title })
        .dispatchEvent(type, { pointerType: 'touch', bubbles: true, cancelable: true })
    await press('Two', 'pointerdown')
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor()
    await press('Two', 'pointerup')
    await page.keyboard.press('Escape')
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await page.keyboard.press('J')
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor()
  })
})

describe('the open notification', () => {
  nightlyTest('shows its whole thread in the order of time', async () => {
    const user = await app.addUser()
    const thread = { thread_id: 'prod', source: 'monitor' }
    await send(user, { title: 'web is DOWN', level: 'critical', ...thread })
    await send(user, { title: 'Released', thread_id: 'prod', source: 'ci' })
    const id = await send(user, { title: 'web is UP', ...thread })
    const { page } = await browser.openConsole(app, user, {}, `n/${id}`)
    await page.getByRole('heading', { name: 'Thread of 2 notifications' }).waitFor()
    expect(await page.locator('.thread a').allTextContents()).toEqual(['web is DOWN', 'web is UP'])
    await page.locator('.thread').getByRole('link', { name: 'web is DOWN' }).click()
    await page.getByRole('heading', { name: 'web is DOWN' }).waitFor()
  })
})
