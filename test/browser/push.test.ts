// The browser as a device: registered with a click, pushed to through its service worker, answered from the banner.
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { TestUser } from '../support/app.ts'
import { signInLink, useBrowser } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { usePushApp } from '../support/fakes/push-services.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = usePushApp()
const browser = useBrowser({ showsNotifications: true, hasServiceWorker: true })

type Banner = { title: string; body: string; actions: { action: string; title: string }[] }
type Receiver = {
  user: TestUser
  context: BrowserContext
  page: Page
  // Delivers the newest push for this browser to its service worker.
  deliver(): Promise<void>
  banners(): Promise<Banner[]>
  // Dispatches the event of a click on a banner or on one of its buttons.
  click(title: string, action?: string): Promise<void>
}

// A real subscription needs the browser vendor's service; this one is of the local push service.
const SUBSCRIBE = (subscription: object) => `
  PushManager.prototype.subscribe = async () => ({ toJSON: () => (${JSON.stringify(subscription)}) })`

// A push for a service worker that is not activated yet is lost.
const ACTIVATED = `navigator.serviceWorker.ready.then(({ active }) =>
  active.state === 'activated' || new Promise((resolve) => active.addEventListener('statechange', resolve)))`

// Chromium occasionally loses a push that is delivered by its developer tools, which no real push service uses: until the
// service worker has got it, it is delivered again.
const REPEAT_MS = 5000
const EXPECT_PUSH = `
  self.arrived = new Promise((resolve) => self.addEventListener('push', () => resolve(), { once: true }))
  undefined`

// Chromium forgets a banner that is being shown while banners are listed, so a test lists them afterwards.
const REMEMBER_SHOWING = `{
  const show = ServiceWorkerRegistration.prototype.showNotification
  ServiceWorkerRegistration.prototype.showNotification = function (...args) {
    return (self.shown = show.apply(this, args))
  }
}`

nightlyTest('a browser without a push service says so in words', async () => {
  const context = await browser.newProfile()
  await context.grantPermissions(['notifications'], { origin: app.url })
  await context.addInitScript(`PushManager.prototype.subscribe = async () => {
    throw new DOMException('Registration failed - permission denied', 'AbortError')
  }`)
  const page = await context.newPage()
  await page.goto(await signInLink(app, (await app.addUser()).userId, 'devices'))
  await page.getByRole('button', { name: 'Add this browser' }).click()
  await page.getByRole('status').getByText('The browser got no address from its push service.').waitFor()
  expect(await page.getByText('Registration failed').count()).toBe(0)
})

async function addBrowser(): Promise<Receiver> {
  const user = await app.addUser()
  const { public_key } = (await app.get('/web-push/key', user.token)).body
  const subscription = await app.webPush.subscribe(public_key)
  const context = await browser.newProfile()
  await context.grantPermissions(['notifications'], { origin: app.url })
  await context.addInitScript(SUBSCRIBE(subscription))
  const page = await context.newPage()
  await page.goto(await signInLink(app, user.userId))
  await page.getByRole('link', { name: 'Devices' }).first().click()
  await page.getByRole('button', { name: 'Add this browser' }).click()
  await page.getByText('This browser', { exact: true }).waitFor()
  await page.evaluate(ACTIVATED)
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(REMEMBER_SHOWING)
  const devtools = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  const registrationId = await registered
  const path = new URL(subscription.endpoint).pathname
  return {
    user,
    context,
    page,
    async deliver() {
      const push = app.webPush.received.findLast((one) => one.path === path)
      if (!push) throw new Error('nothing was pushed to this browser')
      const data = await app.webPush.read(push)
      const send = () => devtools.send('ServiceWorker.deliverPushMessage', { origin: app.url, registrationId, data })
      await worker.evaluate(EXPECT_PUSH)
      await send()
      const repeated = setInterval(send, REPEAT_MS)
      await worker.evaluate('self.arrived').finally(() => clearInterval(repeated))
    },
    banners: () =>
      worker.evaluate(`Promise.resolve(self.shown).then(() => self.registration.getNotifications()).then((all) => all.map(({ title, body, actions }) =>
        ({ title, body, actions: actions.map(({ action, title }) => ({ action, title })) })))`),
    click: (title, action = '') =>
      worker.evaluate(`self.registration.getNotifications().then((all) => {
        const notification = all.find((one) => one.title === ${JSON.stringify(title)})
        self.dispatchEvent(new NotificationEvent('notificationclick', { notification, action: ${JSON.stringify(action)} }))
      })`),
  }
}

const QUESTION = {
  title: 'Deploy v1.2?',
  body: 'All green.',
  subtitle: 'CI',
  actions: [
    { id: 'yes', title: 'Deploy' },
    { id: 'no', title: 'Not now' },
  ],
}

describe('a push', () => {
  test('is shown by the service worker, and a button on the banner answers the waiting sender, also after an attempt without a network', async () => {
    const receiver = await addBrowser()
    const { user } = receiver
    const sent = await app.post('/notifications', QUESTION, user.defaultKey)
    expect(sent.body.delivery).toBe('all')
    await receiver.deliver()
    const banner = {
      title: 'Deploy v1.2?',
      body: 'CI\nAll green.',
      actions: [
        { action: 'yes', title: 'Deploy' },
        { action: 'no', title: 'Not now' },
      ],
    }
    await eventually(async () => expect(await receiver.banners()).toEqual([banner]))
    await receiver.context.setOffline(true)
    await receiver.click('Deploy v1.2?', 'yes')
    await eventually(async () => expect((await receiver.banners())[0]?.body).toContain('The action failed'))
    await receiver.context.setOffline(false)
    const answer = app.get(`/notifications/answers/${sent.body.id}?wait=25`, user.defaultKey)
    await receiver.click('Deploy v1.2?', 'no')
    expect((await answer).body).toMatchObject({ status: 'answered', action_id: 'no' })
    await eventually(async () => expect(await receiver.banners()).toEqual([]))
    const timeline = (await app.get(`/notifications/${sent.body.id}/timeline`, user.token)).body.items
    expect(timeline.at(-1)).toMatchObject({ event: 'answered', device: expect.stringContaining(' on ') })
  })

  test('a button with an address calls it from the banner and opens no page', async () => {
    const receiver = await addBrowser()
    const { token, defaultKey } = receiver.user
    const heartbeat = { slug: 'home', name: 'Home', every_seconds: 3600 }
    const { ping_url } = (await app.post('/heartbeats', heartbeat, token)).body
    const actions = [{ id: 'home', title: 'I am home', url: ping_url }]
    await app.post('/notifications', { title: 'Who is home?', body: 'B', actions }, defaultKey)
    await receiver.deliver()
    await eventually(async () => expect(await receiver.banners()).toHaveLength(1))
    await receiver.click('Who is home?', 'home')
    await eventually(async () => expect((await app.get('/heartbeats/home', token)).body.status).toBe('up'))
    await eventually(async () => expect(await receiver.banners()).toEqual([]))
    expect(receiver.context.pages()).toHaveLength(1)
  })

  test('of an activity is one banner that is updated, and an approval is answered from it', async () => {
    const receiver = await addBrowser()
    const { user } = receiver
    const change = async (body: object) => {
      await app.patch('/activities/release?upsert=true', body, user.defaultKey)
      await app.runDueJobs()
      await receiver.deliver()
    }
    const options = [
      { id: 'ship', title: 'Ship' },
      { id: 'hold', title: 'Hold' },
    ]
    const actions = options.map(({ id, title }) => ({ action: id, title }))
    await change({ state: 'ongoing', content: { template: 'approval', state: 'Ship v2?', options } })
    await eventually(async () =>
      expect(await receiver.banners()).toEqual([{ title: 'release', body: 'Ship v2?', actions }]),
    )
    await change({ content: { state: 'Ship v2 today?' } })
    await eventually(async () =>
      expect(await receiver.banners()).toEqual([{ title: 'release', body: 'Ship v2 today?', actions }]),
    )
    const answered = app.get('/activities/release?wait=25', user.defaultKey)
    await receiver.click('release', 'ship')
    expect((await answered).body.content.answer).toMatchObject({ option: 'ship', by: 'user' })
  })

  nightlyTest('of an activity opens its page, and is closed when it is dismissed', async () => {
    const receiver = await addBrowser()
    const { user, page } = receiver
    const change = async (body: object) => {
      const { id } = (await app.patch('/activities/release?upsert=true', body, user.defaultKey)).body
      await app.runDueJobs()
      await receiver.deliver()
      return id
    }
    const id = await change({ state: 'ongoing', content: { template: 'generic', state: 'Building' } })
    await eventually(async () =>
      expect(await receiver.banners()).toEqual([{ title: 'release', body: 'Building', actions: [] }]),
    )
    await receiver.click('release')
    await page.waitForURL(`**/app/activities/${id}`)
    await change({ content: { state: 'Testing' } })
    await eventually(async () => expect(await receiver.banners()).toHaveLength(1))
    await change({ state: 'ended', dismissal_ttl: 0 })
    await eventually(async () => expect(await receiver.banners()).toEqual([]))
  })

  nightlyTest('of an activity that another account shares is shown, and closed when this one leaves', async () => {
    const receiver = await addBrowser()
    const owner = await app.addUser()
    const started = { state: 'ongoing', content: { template: 'generic', state: 'Building' } }
    await app.patch('/activities/release?upsert=true', started, owner.token)
    const { code } = (await app.post('/activities/release/share', {}, owner.token)).body
    const { id } = (await app.post('/shares/join', { code }, receiver.user.token)).body
    await app.runDueJobs()
    await receiver.deliver()
    await eventually(async () => expect(await receiver.banners()).toMatchObject([{ body: 'Building' }]))
    await app.del(`/shares/${id}`, receiver.user.token)
    await app.runDueJobs()
    await receiver.deliver()
    await eventually(async () => expect(await receiver.banners()).toEqual([]))
  })

  nightlyTest('is withdrawn when the notification was read elsewhere', async () => {
    const receiver = await addBrowser()
    const { user } = receiver
    const sent = await app.post('/notifications', QUESTION, user.defaultKey)
    await receiver.deliver()
    await eventually(async () => expect(await receiver.banners()).toHaveLength(1))
    await app.post('/notifications/read', { ids: [sent.body.id] }, user.token)
    await app.runDueJobs()
    await receiver.deliver()
    await eventually(async () => expect(await receiver.banners()).toEqual([]))
  })

  nightlyTest('that is encrypted is decrypted with the key stored in this browser', async () => {
    const receiver = await addBrowser()
    const { page } = receiver
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.getByLabel('Key').fill('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f')
    await page.getByRole('button', { name: 'Save the key' }).click()
    await page.getByText('767c0806').waitFor()
    const encrypted =
      'pw1.767c0806.oKGio6Slpqeoqaqr-DhDOK4k53I0XIqFXerStl8L5wgFH2EUp_HSYIhOtPQU6R9X6oBtcwaIVw6kyen5OK3Vm_WWiP9w4ooFbGhar_XGOj1J'
    await app.post('/notifications', { encrypted }, receiver.user.defaultKey)
    await receiver.deliver()
    const banner = { title: 'Disk full', body: '/var is at 97% on db01', actions: [] }
    await eventually(async () => expect(await receiver.banners()).toEqual([banner]))
  })
})

nightlyTest('a browser without a push service is told in words what switches that off', async () => {
  const user = await app.addUser()
  const context = await browser.newProfile()
  await context.grantPermissions(['notifications'], { origin: app.url })
  await context.addInitScript(`PushManager.prototype.subscribe = async () => {
    throw new DOMException('Registration failed - permission denied', 'AbortError')
  }`)
  const page = await context.newPage()
  await page.goto(await signInLink(app, user.userId, 'devices'))
  await page.getByRole('button', { name: 'Add this browser' }).click()
  await page.getByText('The browser got no address from its push service.').waitFor()
  expect((await app.get('/devices', user.token)).body.items).toEqual([])
})
