// Messages that their senders do not want to be kept: `ttl` of Pushover and `Cache: no` of ntfy; and those for one device.
import { describe, expect, test } from 'vitest'
import type { TestUser } from '../../support/app.ts'
import { addApp, pollNtfy } from '../../support/devices/app-streams.ts'
import { addBrowser } from '../../support/devices/phone.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { createOrganization } from '../../support/organizations/organization.ts'
import { askNtfy, headersFor, inboxOf } from './ntfy/client.ts'
import { askPushover, form } from './pushover/client.ts'

const app = usePushApp()

const pushover = async (user: TestUser, fields: Record<string, string>) =>
  expect((await askPushover(app, 'POST', '/messages.json', form(user, { message: 'M', ...fields }))).status).toBe(200)
const publish = (user: TestUser, headers: Record<string, string>, path = '/otp') =>
  askNtfy(app, 'POST', path, { headers: headersFor(user, headers), body: '123456' })

async function pass(seconds: number) {
  app.advanceSeconds(seconds)
  for (let i = 0; i < 3; i++) await app.runDueJobs()
}

async function withDevices() {
  const user = await app.addUser()
  const browser = await addBrowser(app, { app, user, name: 'Laptop' })
  return { user, browser, ntfy: await addApp(app, user) }
}

const events = async (device: { id: string; password: string }) =>
  (await pollNtfy(app, device, 'inbox/json?poll=1')).map(({ event }) => event)

describe('ttl of Pushover', () => {
  test('deletes the message and withdraws its banners when it has passed, and not before', async () => {
    const { user, browser, ntfy } = await withDevices()
    await pushover(user, { ttl: '3600', title: 'Door' })
    await pass(3599)
    expect([(await browser.screen()).banners, (await inboxOf(app, user)).length]).toEqual([['Door'], 1])
    await pass(1)
    expect([(await browser.screen()).banners, await inboxOf(app, user)]).toEqual([[], []])
    expect((await app.get('/notifications/unread-count', user.token)).body).toEqual({ count: 0 })
    expect(await events(ntfy)).toEqual(['message_delete'])
  })

  test.each<Record<string, string>>([
    { ttl: '60', priority: '2', retry: '60', expire: '3600' },
    { ttl: 'soon' },
    { ttl: '0' },
    { ttl: '-1' },
  ])('has no effect with %j', async (fields) => {
    const user = await app.addUser()
    await pushover(user, fields)
    await pass(120)
    expect(await inboxOf(app, user)).toHaveLength(1)
  })

  test('of a message that was deleted before is no error', async () => {
    const user = await app.addUser()
    await pushover(user, { ttl: '60' })
    const [{ id }] = await inboxOf(app, user)
    await app.del(`/notifications/${id}`, user.token)
    await pass(60)
    expect(await inboxOf(app, user)).toEqual([])
  })

  test('recalls the message of an organization from its members', async () => {
    const org = await createOrganization(app)
    const [member] = org.members as [TestUser]
    const terms = { name: 'K', permissions: { notifications: 'send' } }
    const { key } = (await app.post(`${org.path}/keys`, terms, org.owner.token)).body
    await pushover({ ...member, defaultKey: key }, { ttl: '60' })
    expect(await inboxOf(app, member)).toHaveLength(1)
    await pass(60)
    expect(await inboxOf(app, member)).toEqual([])
  })
})

describe('Cache: no of ntfy', () => {
  test('the server forgets the message within a minute; phones and browsers keep what they show', async () => {
    const { user, browser, ntfy } = await withDevices()
    const { body } = await publish(user, { Cache: 'no', Title: 'Code' })
    expect(body).not.toHaveProperty('expires')
    expect(await events(ntfy)).toEqual(['message'])
    await pass(60)
    expect(await inboxOf(app, user)).toEqual([])
    expect(await events(ntfy)).toEqual([])
    expect((await browser.screen()).banners).toEqual(['Code'])
  })

  test.each<Record<string, string>>([{}, { Cache: 'yes' }])(
    'with %j it is kept, and the answer says until when polls return it',
    async (headers) => {
      const user = await app.addUser()
      const { body } = await publish(user, headers)
      expect(body.expires).toBe((body.time as number) + 86_400)
      await pass(120)
      expect(await inboxOf(app, user)).toHaveLength(1)
    },
  )

  test('the answer to a delayed message, too', async () => {
    const { body } = await publish(await app.addUser(), { Delay: '1h' })
    expect(body.expires).toBe((body.time as number) + 86_400)
  })
})

describe('device of Pushover', () => {
  async function withTwo() {
    const { user, browser, ntfy } = await withDevices()
    return { user, browser, ntfy, other: await addBrowser(app, { app, user, name: 'Desk' }) }
  }
  const titles = async (browser: { pushes(): Promise<{ title?: string }[]> }) =>
    (await browser.pushes()).map(({ title }) => title)

  test('names the only device that is pushed to; others find it in the inbox', async () => {
    const { user, browser, other, ntfy } = await withTwo()
    await pushover(user, { device: 'laptop', title: 'One' })
    expect([await titles(browser), await titles(other)]).toEqual([['One'], []])
    expect(await pollNtfy(app, ntfy, 'inbox/json?poll=1')).toMatchObject([{ title: 'One', priority: 1 }])
    expect(await inboxOf(app, user)).toHaveLength(1)
  })

  test('names several, and an app; repeats of an alert go to them only', async () => {
    const { user, browser, other, ntfy } = await withTwo()
    const emergency = { priority: '2', retry: '30', expire: '3600' }
    await pushover(user, { device: 'Desk, Pixel', title: 'Two', ...emergency })
    await pass(30)
    expect([await titles(browser), await titles(other)]).toEqual([[], ['Two', 'Two']])
    expect((await pollNtfy(app, ntfy, 'inbox/json?poll=1')).at(-1)).toMatchObject({ title: 'Two', priority: 5 })
  })

  test('that the account has not means all', async () => {
    const { user, browser, other } = await withTwo()
    await pushover(user, { device: 'watch', title: 'All' })
    expect([await titles(browser), await titles(other)]).toEqual([['All'], ['All']])
  })
})
