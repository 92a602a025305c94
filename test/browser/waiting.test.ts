// The inbox knows what waits for an answer, and lets people sort out the rest.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type TestUser, useTestApp } from '../support/app.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

const DEPLOY = [
  { id: 'yes', title: 'Deploy' },
  { id: 'no', title: 'Not now' },
]

async function send(user: TestUser, message: object): Promise<number> {
  return (await app.post('/notifications', { body: 'B', level: 'passive', ...message }, user.token)).body.id
}

const waitingPart = (page: Page) => page.getByRole('region', { name: /^Waiting for you/ })
const unreadIds = async (user: TestUser): Promise<number[]> =>
  (await app.get('/notifications?unread=true', user.token)).body.items.map(({ id }: { id: number }) => id)

describe('a question', () => {
  test('is pinned with its buttons, answered in the row, and stays answered after a reload', async () => {
    const user = await app.addUser()
    const id = await send(user, { title: 'Deploy it?', actions: DEPLOY })
    for (let count = 0; count < 30; count++) await send(user, { title: `Later ${count}` })
    const { page } = await browser.openConsole(app, user)
    const row = waitingPart(page).getByRole('listitem').filter({ hasText: 'Deploy it?' })
    await row.getByRole('button', { name: 'Not now' }).click()
    await waitingPart(page).waitFor({ state: 'detached' })
    expect((await app.get(`/notifications/answers/${id}`, user.token)).body.action_id).toBe('no')
    await eventually(async () => expect(await unreadIds(user)).not.toContain(id))
    await page.locator('.row-mark-done').getByText('Answered: Not now · ').waitFor()
    await page.goto(`${app.url}/app/n/${id}`)
    await page.locator('.detail').getByText('Answered: Not now · ').waitFor()
    expect(await page.getByRole('button', { name: 'Deploy', exact: true }).count()).toBe(0)
  })

  test('of any age is found by the filter, and is counted in the title of the tab', async () => {
    const user = await app.addUser()
    await send(user, { title: 'Deploy it?', actions: DEPLOY })
    await send(user, { title: 'Only news' })
    const { page } = await browser.openConsole(app, user)
    await page.locator('.side').getByTitle('1 waiting for an answer').waitFor()
    await page.locator('.side').getByTitle('2 unread').waitFor()
    expect(await page.locator('.side .count:not([title])').count()).toBe(0)
    await page.getByRole('link', { name: /^Waiting/ }).click()
    await page.getByRole('link', { name: 'Only news' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Deploy it?' }).waitFor()
    expect(await page.title()).toBe('(2, 1 waiting) Inbox · Heliograph')
    await page.reload()
    await page.getByRole('link', { name: 'Deploy it?' }).waitFor()
    expect(await page.getByRole('link', { name: 'Only news' }).count()).toBe(0)
  })
})

describe('a destructive button', () => {
  nightlyTest('asks before it acts', async () => {
    const user = await app.addUser()
    const actions = [{ id: 'drop', title: 'Drop the table', destructive: true }]
    const { id } = (await app.post('/notifications', { title: 'Old table', body: 'B', actions }, user.token)).body
    const { page } = await browser.openConsole(app, user, {}, `n/${id}`)
    await page.getByRole('button', { name: 'Drop the table' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect((await app.get(`/notifications/answers/${id}`, user.token)).body.status).toBe('pending')
    await page.getByRole('button', { name: 'Drop the table' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Drop the table' }).click()
    await page.locator('.detail').getByText('Answered:').waitFor()
    expect((await app.get(`/notifications/answers/${id}`, user.token)).body.action_id).toBe('drop')
  })

  nightlyTest(
    'that calls a host asks too, and says in words that the host does not allow calls from this page',
    async () => {
      const user = await app.addUser()
      const calls: string[] = []
      // Answers without the headers by which a server allows calls from other origins.
      const other = createServer((request, response) => {
        calls.push(String(request.method))
        response.end()
      }).listen(0, '127.0.0.1')
      onTestFinished(() => void other.close())
      await once(other, 'listening')
      const { port } = other.address() as AddressInfo
      const action = { id: 'drop', title: 'Delete the branch', destructive: true }
      const actions = [{ ...action, url: `http://127.0.0.1:${port}/branch`, method: 'DELETE' }]
      const { id } = (await app.post('/notifications', { title: 'Merged', body: 'B', actions }, user.token)).body
      const { page } = await browser.openConsole(app, user, {}, `n/${id}`)
      await page.getByRole('button', { name: 'Delete the branch' }).first().click()
      await page.getByRole('dialog').waitFor()
      expect(calls).toEqual([])
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the branch' }).click()
      await page.getByText(`127.0.0.1:${port} cannot be reached, or does not allow calls from this page.`).waitFor()
      expect(calls).toEqual(['OPTIONS'])
    },
  )
})

describe('an alert', () => {
  test('that still rings is on its page, however many came after it, with the button of its sender', async () => {
    const user = await app.addUser()
    const actions = [{ id: 'mine', title: 'I have it' }]
    const id = await send(user, {
      title: 'Fire',
      body: 'in the server room',
      level: 'critical',
      actions,
      acknowledge: {},
    })
    for (let count = 0; count < 110; count++) await send(user, { title: `Later ${count}` })
    await send(user, { title: 'Newer, but less urgent', level: 'time-sensitive', acknowledge: {} })
    const { page } = await browser.openConsole(app, user)
    await page
      .getByRole('link', { name: /^Alerts/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Ringing now' }).waitFor()
    const first = page.locator('main').getByRole('listitem').first()
    await first.getByRole('link', { name: 'Fire' }).waitFor()
    await first.getByText('in the server room').waitFor()
    await page.getByText('None of your devices can ring').waitFor()
    await page.locator('main').getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('heading', { name: 'Ended in the last seven days' }).waitFor()
    expect((await app.get(`/notifications/receipts/${id}`, user.token)).body.status).toBe('acknowledged')
  })
})

describe('sorting out', () => {
  test('marks as unread again, and passing over with j marks nothing', async () => {
    const user = await app.addUser()
    const ids: number[] = []
    for (const title of ['One', 'Two', 'Three']) ids.unshift(await send(user, { title }))
    const { page } = await browser.openConsole(app, user)
    await page.locator('.rows').getByRole('link', { name: 'One' }).waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 10_000)
    for (let count = 0; count < 3; count++) {
      await page.keyboard.press('j')
      // A busy machine takes longer to draw it.
      await page.clock.runFor(100)
    }
    await page.clock.resume()
    await page.getByRole('heading', { name: 'One' }).waitFor()
    await page.clock.fastForward(1500)
    await eventually(async () => expect(await unreadIds(user)).toEqual(ids.slice(0, 2)))
    await page.getByRole('button', { name: 'Mark as unread' }).waitFor()
    await page.keyboard.press('u')
    await eventually(async () => expect(await unreadIds(user)).toEqual(ids))
  })

  nightlyTest('marks only what the filter shows as read, and undoes it', async () => {
    const user = await app.addUser()
    const news = await send(user, { title: 'News' })
    const alarm = await send(user, { title: 'Alarm', level: 'critical' })
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('combobox', { name: 'Level' }).selectOption('critical')
    await page.getByRole('link', { name: 'News' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Mark these read' }).click()
    await page.getByText('1 notification is marked as read.').waitFor()
    expect(await unreadIds(user)).toEqual([news])
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => expect(await unreadIds(user)).toEqual([alarm, news]))
  })

  nightlyTest('selects many and deletes them', async () => {
    const user = await app.addUser()
    for (const title of ['One', 'Two', 'Three', 'Four']) await send(user, { title })
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('checkbox', { name: 'Select Four' }).check()
    await page.getByRole('checkbox', { name: 'Select Two' }).click({ modifiers: ['Shift'] })
    await page.getByRole('toolbar', { name: '3 selected' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'Two' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Close' }).click()
    await eventually(async () => {
      const { items } = (await app.get('/notifications', user.token)).body
      expect(items.map(({ title }: { title: string }) => title)).toEqual(['One'])
    })
  })

  nightlyTest('shows in the row of a thread what it hides, and keeps the threads of two senders apart', async () => {
    const user = await app.addUser()
    const thread = { thread_id: 'prod', source: 'monitor' }
    await send(user, { title: 'web is DOWN', level: 'critical', ...thread })
    await send(user, { title: 'web is UP', ...thread })
    await send(user, { title: 'Released', thread_id: 'prod', source: 'ci' })
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('button', { name: '1 earlier · 1 unread · Critical' }).waitFor()
    await page.getByRole('link', { name: 'Released' }).waitFor()
    await page.getByRole('link', { name: 'web is UP' }).waitFor()
  })
})
