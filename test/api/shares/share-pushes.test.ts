// What devices of recipients are pushed: a start at the join, one push per change, and an end when the share ends.
// However a share ends is in share-ends.test.ts, approvals are in share-tickets.test.ts.
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestUser } from '../../support/app.ts'
import { type ActivityPhone, addActivityPhone } from '../../support/devices/activity-phone.ts'
import { addBrowser, type Browser } from '../../support/devices/phone.ts'
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

const showing = (state: string) => ({ state: 'ongoing', content: { state } })
const patch = (state: string, slug = 'build', { token } = owner) =>
  app.patch(`/activities/${slug}`, showing(state), token)
const receive = (what = 'build') => share(app, { owner, recipient, what })
const end = ({ id }: { id: string }, { token } = recipient) => app.del(`/shares/${id}`, token)

// The owner's change and the pushes that it causes.
async function change(state: string, slug?: string): Promise<void> {
  expect((await patch(state, slug)).status).toBe(200)
  await app.runDueJobs()
}

// Joins an ongoing activity and registers the token of its Live Activity.
async function receiveAndShow() {
  await addActivity(app, owner, 'build', showing('1'))
  const received = await receive()
  await app.runDueJobs()
  return { received, token: await phone.show('build') }
}

describe('a recipient’s phone', () => {
  test('12 is started at the join, gets one push per change, and an end at leaving, with nothing after it', async () => {
    const { received, token } = await receiveAndShow()
    expect(phone.words()).toEqual(['start 1'])
    const [started] = phone.pushes(phone.startToken)
    expect(started?.aps.attributes).toEqual({ id: received.activity_id, slug: 'build', name: 'build' })
    await change('2')
    expect(phone.words()).toEqual(['start 1', 'update 2'])
    expect((await end(received)).status).toBe(204)
    await app.runDueJobs()
    expect(phone.words(token)).toEqual(['update 2', 'end 2'])
    expect(phone.pushes(token).at(-1)?.aps['dismissal-date']).toEqual(expect.any(Number))
    await change('3')
    await app.patch('/activities/build', { state: 'ended' }, owner.token)
    await app.runDueJobs()
    await change('4')
    expect(phone.words()).toEqual(['start 1', 'update 2', 'end 2'])
  })

  test('is not started by a join if the activity is not ongoing, and is when it starts', async () => {
    await addActivity(app, owner, 'build')
    await receive()
    await app.runDueJobs()
    expect(phone.words()).toEqual([])
    await change('1')
    expect(phone.words()).toEqual(['start 1'])
  })

  test('gets the end of the activity itself', async () => {
    const { token } = await receiveAndShow()
    await app.patch('/activities/build', { state: 'ended', content: { state: 'Done' } }, owner.token)
    await app.runDueJobs()
    expect(phone.words(token)).toEqual(['end Done'])
  })

  test('is pushed the changes of an editor, as is the owner’s', async () => {
    const ownPhone = await addActivityPhone(app, { app, user: owner })
    const editor = await app.addUser()
    await receiveAndShow()
    await share(app, { owner, recipient: editor, what: 'build', role: 'editor' })
    await app.runDueJobs()
    await ownPhone.show('build')
    await patch('2', 'build', editor)
    await app.runDueJobs()
    expect([phone.words().at(-1), ownPhone.words().at(-1)]).toEqual(['update 2', 'update 2'])
  })

  test('is pushed on when the owner becomes free', async () => {
    await receiveAndShow()
    await app.setPlan(owner, 'free')
    await change('2')
    expect(phone.words().at(-1)).toBe('update 2')
  })
})

describe('several devices', () => {
  test('of one recipient each get one push per change, and one end', async () => {
    const second = await addActivityPhone(app, { app, user: recipient })
    const { received } = await receiveAndShow()
    await second.show('build')
    await change('2')
    await end(received)
    await app.runDueJobs()
    for (const device of [phone, second]) expect(device.words()).toEqual(['start 1', 'update 2', 'end 2'])
  })

  test('of the owner and a recipient may have the same id', async () => {
    const id = 'the-same-phone'
    const ownPhone = await addActivityPhone(app, { app, user: owner, id })
    const theirs = await addActivityPhone(app, { app, user: recipient, id })
    await addActivity(app, owner, 'build', showing('1'))
    const received = await receive()
    await app.runDueJobs()
    for (const device of [ownPhone, theirs]) await device.show('build')
    await change('2')
    for (const device of [ownPhone, theirs]) expect(device.words()).toEqual(['start 1', 'update 2'])
    await end(received)
    await app.runDueJobs()
    await change('3')
    expect(ownPhone.words()).toEqual(['start 1', 'update 2', 'update 3'])
    expect(theirs.words()).toEqual(['start 1', 'update 2', 'end 2'])
  })
})

describe('patterns', () => {
  test('a join starts all that are ongoing; later ones start when they do; the revocation ends all', async () => {
    for (const slug of ['b1', 'b2']) await addActivity(app, owner, slug, showing(slug))
    await addActivity(app, owner, 'b3')
    await addActivity(app, owner, 'other', showing('other'))
    const pattern = await receive('b*')
    await app.runDueJobs()
    expect(phone.words().sort()).toEqual(['start b1', 'start b2'])
    await change('b3', 'b3')
    expect(phone.words().at(-1)).toBe('start b3')
    for (const slug of ['b1', 'b2', 'b3']) await phone.show(slug)
    await end(pattern, owner)
    await app.runDueJobs()
    expect(phone.words().slice(3).sort()).toEqual(['end b1', 'end b2', 'end b3'])
  })
})

describe('the same slug, own and shared', () => {
  test('tokens registered by id reach the right activity', async () => {
    await addActivity(app, recipient, 'build', showing('own 1'))
    await addActivity(app, owner, 'build', showing('shared'))
    const received = await receive()
    await app.runDueJobs()
    const ids = phone.pushes().map(({ aps }) => (aps.attributes as { id: string }).id)
    expect(new Set(ids).size).toBe(2)
    const [shared, own] = [await phone.show(received.activity_id!), await phone.show('build')]
    await change('2')
    await patch('mine', 'build', recipient)
    await app.runDueJobs()
    expect([phone.words(shared), phone.words(own)]).toEqual([['update 2'], ['update mine']])
    await end(received)
    await app.runDueJobs()
    expect([phone.words(shared), phone.words(own)]).toEqual([['update 2', 'end 2'], ['update mine']])
  })

  test('browsers show both, under different tags', async () => {
    const browser = await addBrowser(app, { app, user: recipient })
    await addActivity(app, recipient, 'build', showing('own'))
    await addActivity(app, owner, 'build', showing('shared'))
    await receive()
    await app.runDueJobs()
    const tags = (await browser.pushes()).map(({ tag }) => tag)
    expect(new Set(tags).size).toBe(2)
  })
})

describe('a recipient’s browser', () => {
  const shownBy = async (browser: Browser) =>
    (await browser.pushes()).map(({ event, tag, dismiss }) => [event, tag, dismiss])

  test.each(['owner', 'recipient'])('gets start, update and a dismissal when the %s ends the share', async (who) => {
    const browser = await addBrowser(app, { app, user: recipient })
    await addActivity(app, owner, 'build', showing('1'))
    const received = await receive()
    await app.runDueJobs()
    await change('2')
    await end(received, who === 'owner' ? owner : recipient)
    await app.runDueJobs()
    await change('3')
    const tag = `activity:${received.activity_id}`
    expect(await shownBy(browser)).toEqual([
      ['start', tag, undefined],
      ['update', tag, undefined],
      ['end', tag, true],
    ])
  })
})
