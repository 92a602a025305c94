// New notifications in an open console: seen and heard on every page.
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../support/app.ts'
import { useBrowser, visit } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { isNightly, nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

async function openKeys(user: TestUser): Promise<{ page: Page; context: BrowserContext }> {
  const tab = await browser.openConsole(app, user)
  await visit(tab.page, 'keys')
  await tab.page.getByRole('heading', { name: 'default' }).waitFor()
  return tab
}

const bannerOf = (page: Page, title: string) =>
  page.getByRole('region', { name: 'New notifications' }).getByRole('article').filter({ hasText: title })

const ANSWERABLE = [
  { id: 'yes', title: 'Restart' },
  { id: 'no', title: 'Leave it' },
]

describe('a notification that arrives while another page is open', () => {
  test('is shown there and answered there; a critical one is red, stays, and marks the tab', async () => {
    const user = await app.addUser()
    const { page } = await openKeys(user)
    const alert = { title: 'Disk is full', body: 'db-1', level: 'critical', actions: ANSWERABLE }
    const { id } = (await app.post('/notifications', alert, user.token)).body
    const banner = bannerOf(page, 'Disk is full')
    await banner.waitFor()
    await page.locator('link[rel="icon"][href$="icon-critical.svg"]').waitFor({ state: 'attached' })
    await banner.getByRole('button', { name: 'Restart' }).click()
    await banner.waitFor({ state: 'detached' })
    const { body } = await app.get(`/notifications/answers/${id}`, user.token)
    expect(body).toMatchObject({ status: 'answered', action_id: 'yes' })
    expect(page.url()).toContain('/app/keys')
  })

  nightlyTest('leaves by itself if it is active; a time-sensitive one stays until it is dismissed', async () => {
    const user = await app.addUser()
    const { page } = await openKeys(user)
    await page.clock.install()
    await app.post('/notifications', { title: 'Parcel', body: 'B', level: 'active' }, user.token)
    await app.post('/notifications', { title: 'Door bell', body: 'B', level: 'time-sensitive' }, user.token)
    await app.post('/notifications', { title: 'Silent', body: 'B', level: 'passive' }, user.token)
    await page.getByText('2 new notifications').waitFor()
    await page.clock.fastForward(8000)
    await bannerOf(page, 'Door bell').waitFor()
    await bannerOf(page, 'Parcel').waitFor({ state: 'detached' })
    expect(await bannerOf(page, 'Silent').count()).toBe(0)
    await bannerOf(page, 'Door bell').getByRole('button', { name: 'Dismiss' }).click()
    await bannerOf(page, 'Door bell').waitFor({ state: 'detached' })
  })

  nightlyTest('opens from its banner, which also leaves when it was read elsewhere', async () => {
    const user = await app.addUser()
    const { page } = await openKeys(user)
    await app.post('/notifications', { title: 'First', body: 'B', level: 'critical' }, user.token)
    const second = await app.post('/notifications', { title: 'Second', body: 'B', level: 'critical' }, user.token)
    await page.getByText('2 new notifications').waitFor()
    expect(await bannerOf(page, 'First').count()).toBe(0)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await bannerOf(page, 'First').getByRole('link', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await bannerOf(page, 'First').waitFor({ state: 'detached' })
    await bannerOf(page, 'Second').waitFor()
    // The list beside it has the row.
    expect(await bannerOf(page, 'Second').getByRole('group', { name: 'Actions' }).count()).toBe(0)
    await app.post('/notifications/read', { ids: [second.body.id] }, user.token)
    await bannerOf(page, 'Second').waitFor({ state: 'detached' })
  })
})

const countRings = `globalThis.rings = 0
  const Original = AudioContext
  AudioContext = class extends Original { constructor() { super(); rings++ } }`

const PLAYING = `navigator.locks.query().then(({ held }) => held.some(({ name }) => name.startsWith('alarm-')))`

describe('an alert that rings', () => {
  const ALERT = { body: 'in the server room', level: 'critical', acknowledge: { repeat_seconds: 30 } }

  async function repeat(): Promise<void> {
    app.advanceSeconds(31)
    await app.runDueJobs()
  }

  test('is seen and heard on every page, although the list does not have it', async () => {
    const user = await app.addUser()
    await app.post('/notifications', { title: 'Fire', ...ALERT }, user.token)
    for (let count = 0; count < 60; count++) {
      await app.post('/notifications', { title: `Later ${count}`, body: 'B', level: 'passive' }, user.token)
    }
    const { page } = await browser.openConsole(app, user, {}, '?level=passive')
    await page.getByRole('link', { name: 'Later 59' }).waitFor()
    await visit(page, 'devices')
    await bannerOf(page, 'Fire').waitFor()
    await page.locator('link[rel="icon"][href$="icon-critical.svg"]').waitFor({ state: 'attached' })
    await page.evaluate(countRings)
    await page.getByRole('button', { name: 'Play a sound for critical alerts' }).click()
    await repeat()
    await eventually(async () => expect(await page.evaluate('rings')).toBe(2))

    // Put away, it makes no more banner, but goes on ringing.
    await bannerOf(page, 'Fire').getByRole('button', { name: 'Dismiss' }).click()
    // A sound that still plays is not started again, and an alert repeats 50 times at most.
    await eventually(async () => expect(await page.evaluate(PLAYING)).toBe(false))
    await repeat()
    await eventually(async () => expect(await page.evaluate('rings')).toBe(3))
    expect(await bannerOf(page, 'Fire').count()).toBe(0)
  })

  test('has its button in the banner where the list of the inbox does not show it', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user, {}, '?level=passive')
    await page.getByText('Connected', { exact: true }).waitFor()
    await app.post('/notifications', { title: 'Fire', ...ALERT }, user.token)
    await app.post('/notifications', { title: 'Deploy it?', body: 'B', actions: ANSWERABLE }, user.token)
    await page.getByText('1 alert rings, 1 new notification').waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await bannerOf(page, 'Deploy it?').getByRole('button', { name: 'Restart' }).click()
    await bannerOf(page, 'Deploy it?').waitFor({ state: 'detached' })
    await bannerOf(page, 'Fire').getByRole('button', { name: 'Acknowledge' }).waitFor()
    await page.getByRole('link', { name: /^All/ }).first().click()
    await page
      .getByRole('region', { name: /^Waiting/ })
      .getByRole('button', { name: 'Acknowledge' })
      .waitFor()
    expect(await bannerOf(page, 'Fire').getByRole('button', { name: 'Acknowledge' }).count()).toBe(0)
  })

  // What is under the point in the middle of an element, after the page has shown the element as it does for the focus.
  const COVERED = `[...document.querySelectorAll('main :is(a, button, input, select, textarea)')].filter((control) => {
    control.scrollIntoView({ block: 'nearest' })
    const { x, y, width, height } = control.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.alerts, .tabs')
  }).map(({ outerHTML }) => outerHTML)`
  const SCREENS = [
    { width: 360, height: 740 },
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]

  test.each(isNightly ? SCREENS : SCREENS.slice(0, 1))(
    'is one line with the others that ring, over no button, at $width px',
    async (screen) => {
      const user = await app.addUser()
      const { page } = await browser.openConsole(app, user, screen, 'heartbeats/_new')
      for (const title of ['Fire', 'Flood', 'Frost']) await app.post('/notifications', { title, ...ALERT }, user.token)
      await page.getByText('3 alerts ring').waitFor()
      const height = await page.evaluate(`document.querySelector('.alerts').offsetHeight`)
      expect(height).toBeLessThan(100)
      // One number, beside the icon: two would hide it.
      expect(await page.locator('.tab-icon .count').allTextContents()).toEqual([expect.stringMatching(/^3 /)])
      for (const [path, heading] of [
        ['heartbeats/_new', 'New heartbeat'],
        ['settings', 'Settings'],
        ['devices', 'Devices'],
        ['new', 'New message'],
        ['', 'Inbox'],
      ] as const) {
        await visit(page, path)
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
        // A line of the inbox above the tabs, on a phone.
        if (path === '' && screen.width < 1024) await page.getByRole('link', { name: /^First steps/ }).waitFor()
        expect([path, ...(await page.evaluate<string[]>(COVERED))]).toEqual([path])
      }

      // A toast is above it.
      await page.getByRole('button', { name: 'Mark all read' }).click()
      await page.getByText('3 notifications are marked as read.').waitFor()
      const isOver = (cover: string) =>
        page.evaluate(`(() => {
      const { x, y, width, height } = document.querySelector('.alerts .button-primary').getBoundingClientRect()
      return document.elementsFromPoint(x + width / 2, y + height / 2).some((one) => one.closest('${cover}'))
    })()`)
      expect(await isOver('.toast')).toBe(false)

      // A dialog is beside it.
      await visit(page, 'keys')
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('dialog', { name: 'New key' }).waitFor()
      expect(
        await page.evaluate(`document.querySelector('dialog').getBoundingClientRect().bottom <=
      document.querySelector('.alerts').getBoundingClientRect().top`),
      ).toBe(true)
    },
  )

  test('and many others are folded again on a phone by a button that stays on the screen, and offer the sound once', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user, { width: 360, height: 740 }, 'keys')
    for (let count = 0; count < 10; count++) {
      await app.post('/notifications', { title: `Fire ${count}`, ...ALERT }, user.token)
    }
    await page.getByText('10 alerts ring').waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('button', { name: 'Play a sound for critical alerts' }).waitFor()
    const { y = 0, height = 0 } = (await page.getByRole('button', { name: 'Show less' }).boundingBox()) ?? {}
    const tabs = await page.locator('.tabs').boundingBox()
    expect(y + height).toBeLessThan(tabs?.y ?? 0)
  })
})

// A context of Firefox is suspended at first; one that may not play stays so.
const audioThatEnds = (state: string) => `AudioContext = class extends AudioContext {
  shown = 'suspended'
  started = setTimeout(() => (this.shown = '${state}'))
  get state() { return this.shown }
}`

describe('a critical notification', () => {
  test('says that the browser plays no sound only while it plays none', async () => {
    const user = await app.addUser()
    const { page } = await openKeys(user)
    const note = page.getByText('The browser plays no sound on this page until you have clicked in it.')
    const send = (title: string) => app.post('/notifications', { title, body: 'B', level: 'critical' }, user.token)
    await page.evaluate(`globalThis.Original = AudioContext; ${audioThatEnds('running')}
      globalThis.ended = 0; const close = Original.prototype.close
      Original.prototype.close = function () { ended++; return close.call(this) }`)
    await send('First')
    await page.getByRole('button', { name: 'Play a sound for critical alerts' }).click()
    await eventually(async () => expect(await page.evaluate('ended')).toBe(1))
    expect(await note.count()).toBe(0)

    await page.evaluate(`AudioContext = Original; ${audioThatEnds('suspended')}`)
    await send('Second')
    await note.waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await note.waitFor({ state: 'detached' })
  })

  test('is heard once the person has switched the sound on', async () => {
    const user = await app.addUser()
    const { page } = await openKeys(user)
    await page.evaluate(countRings)
    const rings = () => page.evaluate('rings')
    await app.post('/notifications', { title: 'Unheard', body: 'B', level: 'critical' }, user.token)
    await bannerOf(page, 'Unheard').waitFor()
    expect(await rings()).toBe(0)
    await page.getByRole('button', { name: 'Play a sound for critical alerts' }).click()
    expect(await rings()).toBe(1)
    await app.post('/notifications', { title: 'Heard', body: 'B', level: 'critical' }, user.token)
    await eventually(async () => expect(await rings()).toBe(2))
  })

  nightlyTest(
    'is shown by the system while the console is in a background tab, if the person allows that',
    async () => {
      const user = await app.addUser()
      const { page, context } = await openKeys(user)
      await context.grantPermissions(['notifications'])
      await page.evaluate(`globalThis.shown = []
      Notification = class { static permission = 'granted'; constructor(title) { shown.push(title) } }
      Object.defineProperty(document, 'hidden', { configurable: true, value: false })`)
      await app.post('/notifications', { title: 'Seen', body: 'B', level: 'critical' }, user.token)
      await bannerOf(page, 'Seen').waitFor()
      await page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: true })
      document.dispatchEvent(new Event('visibilitychange'))`)
      await app.post('/notifications', { title: 'In the background', body: 'B', level: 'critical' }, user.token)
      await eventually(async () => expect(await page.evaluate('shown')).toEqual(['In the background']))
    },
  )
})
