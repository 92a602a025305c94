// How an activity leaves the devices of a recipient when its share ends, and comes back with a new share.
import { beforeEach, describe, expect, test } from 'vitest'
import { removeUser } from '../../../src/operations/accounts/remove.ts'
import type { TestUser } from '../../support/app.ts'
import { type ActivityPhone, addActivityPhone } from '../../support/devices/activity-phone.ts'
import { addBrowser } from '../../support/devices/phone.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { addActivity, share } from '../../support/shares.ts'

const app = usePushApp()
let owner: TestUser
let recipient: TestUser
let phone: ActivityPhone
beforeEach(async () => {
  ;[owner, recipient] = [await app.addUser(), await app.addUser()]
  phone = await addActivityPhone(app, { app, user: recipient })
})

type Received = { id: string }

const showing = (state: string) => ({ state: 'ongoing', content: { state } })
const patch = (state: string, slug = 'build') => app.patch(`/activities/${slug}`, showing(state), owner.token)
const receive = (what = 'build') => share(app, { owner, recipient, what })
const end = ({ id }: Received, { token } = recipient) => app.del(`/shares/${id}`, token)

async function change(state: string, slug?: string): Promise<void> {
  expect((await patch(state, slug)).status).toBe(200)
  await app.runDueJobs()
}

// Joins an ongoing activity and registers the token of its Live Activity.
async function receiveAndShow() {
  await addActivity(app, owner, 'build', showing('1'))
  const received = await receive()
  await app.runDueJobs()
  const token = await phone.show('build')
  await app.runDueJobs()
  return { received, token }
}

describe('a share that ends', () => {
  const STOPS: Record<string, (received: Received) => Promise<unknown>> = {
    'the recipient leaves': (received) => end(received),
    'the owner revokes it': (received) => end(received, owner),
    'the owner deletes the activity': () => app.del('/activities/build', owner.token),
    'the account of the owner is deleted': () => removeUser(app.app.ctx, owner.name),
  }

  test.each(Object.keys(STOPS))('dismisses the activity at once when %s', async (how) => {
    const { received, token } = await receiveAndShow()
    await STOPS[how]!(received)
    await app.runDueJobs()
    expect(phone.words(token)).toEqual(['end 1'])
    expect(phone.pushes(token).at(-1)?.aps['dismissal-date']).toBeLessThanOrEqual(app.clock.now() / 1000)
  })

  // The push of its end may wait or be tried again when the share ends, and must not be lost with the share.
  test.each(Object.keys(STOPS))('dismisses an activity that has just ended when %s', async (how) => {
    const browser = await addBrowser(app, { app, user: recipient })
    const { received } = await receiveAndShow()
    await app.patch('/activities/build', { state: 'ended' }, owner.token)
    await STOPS[how]!(received)
    await app.runDueJobs()
    expect(phone.words()).toEqual(['start 1', 'end 1'])
    expect((await browser.pushes()).map(({ event }) => event)).toEqual(['start', 'end'])
  })

  test('dismisses an activity that has just been preempted', async () => {
    const { received } = await receiveAndShow()
    for (const slug of ['a', 'b', 'c', 'd', 'e']) await addActivity(app, owner, slug, { state: 'ongoing', priority: 1 })
    await end(received, owner)
    await app.runDueJobs()
    expect(phone.words()).toEqual(['start 1', 'end 1'])
  })

  test('dismisses it on a phone whose token arrives later', async () => {
    await addActivity(app, owner, 'build', showing('1'))
    const received = await receive()
    await app.runDueJobs()
    await end(received)
    await app.runDueJobs()
    expect(phone.words()).toEqual(['start 1'])
    const token = await phone.show(received.activity_id!)
    await app.runDueJobs()
    expect(phone.words(token).map((word) => word.split(' ')[0])).toEqual(['end'])
  })

  test('before its start was pushed is never pushed', async () => {
    await addActivity(app, owner, 'build', showing('1'))
    await end(await receive())
    await app.runDueJobs()
    expect(phone.words()).toEqual([])
  })

  test('dismisses nothing that another share still reaches', async () => {
    const { received } = await receiveAndShow()
    await receive('b*')
    await end(received)
    await app.runDueJobs()
    await change('2')
    expect(phone.words()).toEqual(['start 1', 'update 2'])
  })

  test('dismisses last, even if the owner changes the activity at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const [user, slug] = [await app.addUser(), `round-${round}`]
      const device = await addActivityPhone(app, { app, user })
      await addActivity(app, owner, slug, showing('1'))
      const received = await share(app, { owner, recipient: user, what: slug })
      await app.runDueJobs()
      await device.show(slug)
      const running = [patch('2', slug), app.runDueJobs(), end(received, user), patch('3', slug), app.runDueJobs()]
      await Promise.all(running)
      await app.runDueJobs()
      expect(device.words().at(-1)).toMatch(/^end/)
      const count = device.words().length
      await change('4', slug)
      expect(device.words()).toHaveLength(count)
      await app.del(`/activities/${slug}`, owner.token)
    }
  })

  test('replaces an update that waits to be tried again', async () => {
    const { received, token } = await receiveAndShow()
    app.apns.script(token, { status: 429, reason: 'TooManyRequests', retryAfter: '2' })
    await change('2')
    await end(received)
    for (const seconds of [2, 60]) {
      app.advanceSeconds(seconds)
      await app.runDueJobs()
    }
    expect(phone.words(token)).toEqual(['end 2'])
  })
})

describe('a recipient who joins again', () => {
  test('at once: the phone shows the activity in the end', async () => {
    const { received } = await receiveAndShow()
    await end(received)
    await receive()
    await app.runDueJobs()
    if (phone.words().at(-1)?.startsWith('start')) await phone.show('build')
    await change('2')
    expect(shownAfter(phone.words())).toBe('2')
  })

  test('at once, with a change before the pushes: the phone shows the change in the end', async () => {
    const { received } = await receiveAndShow()
    await end(received)
    await receive()
    await patch('2')
    await app.runDueJobs()
    expect(shownAfter(phone.words())).toBe('2')
  })

  test('after the end: it is started again', async () => {
    const { received } = await receiveAndShow()
    await end(received)
    await app.runDueJobs()
    await receive()
    await app.runDueJobs()
    expect(phone.words()).toEqual(['start 1', 'end 1', 'start 1'])
  })
})

// The state on a screen after these pushes, undefined if it shows nothing.
function shownAfter(pushes: string[]): string | undefined {
  let shown: string | undefined
  for (const [event, state] of pushes.map((push) => push.split(' '))) {
    if (event === 'end') shown = undefined
    else if (event === 'start' || shown !== undefined) shown = state
  }
  return shown
}
