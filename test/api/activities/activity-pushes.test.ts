// R36: what is pushed to devices about activities, when, and to which token.
import { beforeEach, describe, expect, test } from 'vitest'
import { instant, plusSeconds } from '../../../src/domain/instant.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestUser } from '../../support/app.ts'
import { type ActivityPhone, addActivityPhone } from '../../support/devices/activity-phone.ts'
import { addBrowser } from '../../support/devices/phone.ts'
import { BUNDLE_ID, usePushApp } from '../../support/fakes/push-services.ts'

const app = usePushApp()
let user: TestUser
let phone: ActivityPhone
beforeEach(async () => {
  user = await app.addUser()
  phone = await addActivityPhone(app, { app, user })
})

const patch = (body: object, slug = 'build') => app.patch(`/activities/${slug}?upsert=true`, body, user.token)
const start = (body: object = {}, slug = 'build') => patch({ state: 'ongoing', ...body }, slug)
const words = (token?: string) => phone.words(token)
const devices = async () => (await app.get('/devices', user.token)).body.items
const pushJobsOf = ({ userId }: TestUser) =>
  app.app.ctx.db.read.all<{ run_at: number }>(
    sql`select run_at from jobs where kind = 'push-activity' and payload like ${`%${userId}%`}`,
  )

describe('R36: on a phone', () => {
  test('a start is pushed to the push-to-start token with priority 10 and the live activity topic', async () => {
    await start({ content: { state: 'Lint' } })
    await app.runDueJobs()
    const [push] = phone.pushes(phone.startToken)
    expect(push?.aps).toMatchObject({
      event: 'start',
      timestamp: Math.floor(app.clock.now() / 1000),
      'content-state': { state: 'Lint', template: 'generic' },
      attributes: { slug: 'build', name: 'build' },
      alert: { title: 'build', body: 'Lint' },
    })
    expect(push?.headers).toMatchObject({
      'apns-push-type': 'liveactivity',
      'apns-topic': `${BUNDLE_ID}.push-type.liveactivity`,
      'apns-priority': '10',
    })
    await app.runDueJobs()
    expect(phone.pushes()).toHaveLength(1)
  })

  test('updates wait for the update token, and only the newest is pushed', async () => {
    await start({ content: { state: '1' } })
    await app.runDueJobs()
    for (const state of ['2', '3']) {
      await patch({ content: { state } })
      await app.runDueJobs()
    }
    expect(words()).toEqual(['start 1'])
    const token = await phone.show('build')
    await app.runDueJobs()
    expect(words(token)).toEqual(['update 3'])
  })

  test('a token registered when nothing has changed gets no push', async () => {
    await start()
    await app.runDueJobs()
    await phone.show('build')
    await app.runDueJobs()
    expect(words()).toEqual(['start'])
  })

  test('an update has priority 5, and 10 with a sound, which is played once', async () => {
    await start()
    await app.runDueJobs()
    const token = await phone.show('build')
    for (const change of [
      { content: { state: 'a' } },
      { content: { state: 'b' }, sound: 'chime' },
      { content: { state: 'c' } },
      { content: { state: 'd' }, sound: '' },
    ]) {
      await patch(change)
      await app.runDueJobs()
    }
    const heard = phone
      .pushes(token)
      .map(({ aps, headers }) => [aps['content-state'].state, aps.sound, headers['apns-priority']])
    expect(heard).toEqual([
      ['a', undefined, '5'],
      ['b', 'chime.caf', '10'],
      ['c', undefined, '5'],
      ['d', undefined, '5'],
    ])
  })

  test('a burst of changes is one push with the newest state and the sound of any of them', async () => {
    await start()
    await app.runDueJobs()
    const token = await phone.show('build')
    await app.runDueJobs()
    await patch({ content: { state: 'first' }, sound: 'bell' })
    for (let count = 0; count < 20; count++) await patch({ content: { state: `${count}` } })
    await app.runDueJobs()
    expect(words(token)).toEqual(['update 19'])
    expect(phone.pushes(token)[0]?.aps.sound).toBe('bell.caf')
  })

  test('an end is pushed to the update token, which is then deleted; the next start uses the push-to-start token', async () => {
    await start({ dismissal_ttl: 60 })
    await app.runDueJobs()
    const token = await phone.show('build')
    await patch({ state: 'ended', content: { state: 'Done' } })
    await app.runDueJobs()
    expect(words(token)).toEqual(['end Done'])
    const [end] = phone.pushes(token)
    expect(end?.aps['dismissal-date']).toBe(Math.floor(app.clock.now() / 1000) + 60)
    await start({ content: { state: 'Again' } })
    await app.runDueJobs()
    expect(words()).toEqual(['start', 'end Done', 'start Again'])
  })

  test('a rotated token replaces the previous one', async () => {
    await start()
    await app.runDueJobs()
    const [old, fresh] = [await phone.show('build'), await phone.show('build')]
    await patch({ content: { state: 'x' } })
    await app.runDueJobs()
    expect([words(old), words(fresh)]).toEqual([[], ['update x']])
  })

  test('a token registered after the end gets the end', async () => {
    await start()
    await app.runDueJobs()
    await patch({ state: 'ended', content: { state: 'Done' } })
    await app.runDueJobs()
    expect(words()).toEqual(['start'])
    await phone.show('build')
    await app.runDueJobs()
    expect(words()).toEqual(['start', 'end Done'])
  })

  test('an activity that ended before its start was pushed is never pushed', async () => {
    await start()
    await patch({ state: 'ended' })
    await app.runDueJobs()
    expect(phone.pushes()).toEqual([])
  })

  test('timestamps strictly increase, within a second and when the clock is set back', async () => {
    await start()
    await app.runDueJobs()
    await phone.show('build')
    const began = app.clock.now()
    for (const hoursBack of [0, 0, 1, 0.5, 0]) {
      app.clock.set(instant(began - hoursBack * 3_600_000))
      await patch({ content: { state: `${hoursBack}` } })
      await app.runDueJobs()
      // Jobs enqueued under the earlier time are due only at the later one.
      app.clock.set(began)
      await app.runDueJobs()
    }
    const timestamps = phone.pushes().map(({ aps }) => aps.timestamp)
    expect(timestamps).toHaveLength(6)
    expect(timestamps).toEqual([...new Set(timestamps)].sort((a, b) => a - b))
  })

  test('a sixth activity ends the least important one', async () => {
    for (const slug of ['a', 'b', 'c', 'd', 'e']) await start({ priority: slug === 'c' ? 0 : 1 }, slug)
    await app.runDueJobs()
    const token = await phone.show('c')
    await start({}, 'f')
    await app.runDueJobs()
    const [end] = phone.pushes(token)
    expect(end?.aps).toMatchObject({ event: 'end', 'dismissal-date': Math.floor(app.clock.now() / 1000) })
  })

  test('a deleted activity is dismissed immediately, also when its token is registered later', async () => {
    await start({ content: { state: 'x' } })
    await start({}, 'late')
    await app.runDueJobs()
    const token = await phone.show('build')
    await app.del('/activities/build', user.token)
    await app.del('/activities/late', user.token)
    await app.runDueJobs()
    const seconds = Math.floor(app.clock.now() / 1000)
    const [end] = phone.pushes(token)
    expect(end?.aps).toMatchObject({ event: 'end', 'dismissal-date': seconds, 'content-state': { state: 'x' } })
    const late = await phone.show('late')
    await app.runDueJobs()
    expect(phone.pushes(late)[0]?.aps).toMatchObject({ event: 'end', 'dismissal-date': expect.any(Number) })
  })

  test('every attempt to dismiss an activity has the same id and timestamp', async () => {
    await start()
    await app.runDueJobs()
    const token = await phone.show('build')
    await app.runDueJobs()
    app.apns.script(token, { status: 429, reason: 'TooManyRequests', retryAfter: '2' })
    await app.del('/activities/build', user.token)
    await app.runDueJobs()
    app.advanceSeconds(2)
    await app.runDueJobs()
    const ends = app.apns.requests.filter((request) => request.token === token)
    expect(ends.map(({ isAccepted }) => isAccepted)).toEqual([false, true])
    expect(new Set(ends.map(({ headers }) => headers['apns-id'])).size).toBe(1)
    expect(new Set(ends.map(({ payload }) => JSON.parse(payload).aps.timestamp)).size).toBe(1)
  })

  test('an activity that is deleted right after its end is dismissed', async () => {
    await start({ content: { state: 'x' } })
    await app.runDueJobs()
    const token = await phone.show('build')
    await patch({ state: 'ended' })
    await app.del('/activities/build', user.token)
    await app.runDueJobs()
    expect(words(token)).toEqual(['end x'])
  })

  test('the end of a countdown with an alarm has a sound', async () => {
    const content = { template: 'countdown', duration: 60 }
    for (const [slug, alarm] of [
      ['tea', true],
      ['bread', false],
    ] as const) {
      await start({ content: { ...content, alarm } }, slug)
      await app.runDueJobs()
      await phone.show(slug)
    }
    app.advanceSeconds(60)
    await app.runDueJobs()
    const ends = phone.pushes().filter(({ aps }) => aps.event === 'end')
    expect(ends.map(({ aps }) => aps.sound).sort()).toEqual(['alert.caf', undefined])
  })

  test('a token that is registered before its activity exists is used once it is there', async () => {
    const token = await phone.show('build')
    await app.post('/activities', { slug: 'build', name: 'Build' }, user.token)
    await start({ content: { state: 'x' } })
    await app.runDueJobs()
    expect(words(token)).toEqual(['update x'])
  })

  test('an approval that ended without an answer carries no ticket', async () => {
    const options = [
      { id: 'yes', title: 'Yes' },
      { id: 'no', title: 'No' },
    ]
    await start({ content: { template: 'approval', options } })
    await app.runDueJobs()
    await phone.show('build')
    await patch({ state: 'ended' })
    await app.runDueJobs()
    const tickets = phone.pushes().map(({ aps }) => [aps.event, 'answer_ticket' in aps['content-state']])
    expect(tickets).toEqual([
      ['start', true],
      ['end', false],
    ])
  })

  test('an approval carries the ticket for its answer', async () => {
    const options = [
      { id: 'yes', title: 'Yes' },
      { id: 'no', title: 'No' },
    ]
    await start({ content: { template: 'approval', options } })
    await app.runDueJobs()
    const ticket = phone.pushes()[0]?.aps['content-state'].answer_ticket
    const answered = await app.post(`/answers/${ticket}`, { option: 'no' })
    expect(answered.body.content.answer.option).toBe('no')
  })
})

test('R10: shown activities and update tokens are deleted two days after the end', async () => {
  await start()
  await app.runDueJobs()
  await patch({ state: 'ended' })
  const tokens = () =>
    app.app.ctx.db.read.all(sql`select token from push_tokens where user_id = ${user.userId} and kind = 'activity'`)
  const screens = () => app.app.ctx.db.read.all(sql`select slug from activity_screens where user_id = ${user.userId}`)
  app.apns.script(await phone.show('build'), { status: 400, reason: 'BadTopic' })
  await app.runDueJobs()
  expect([(await tokens()).length, (await screens()).length]).toEqual([1, 1])
  app.advanceSeconds(2 * 86_400 + 1)
  await scheduleHousekeeping(app.app.ctx)
  await app.runDueJobs()
  expect([await tokens(), await screens()]).toEqual([[], []])
})

describe('refusals', () => {
  test('a token that is gone is deleted, and the phone is not started again for this run', async () => {
    await start()
    await app.runDueJobs()
    const token = await phone.show('build')
    app.apns.script(token, { status: 410, reason: 'Unregistered', timestamp: app.clock.now() + 1 })
    await patch({ content: { state: 'x' } })
    await app.runDueJobs()
    expect((await devices())[0].last_push_error).toBe('Unregistered')
    await patch({ content: { state: 'y' } })
    await app.runDueJobs()
    expect(words()).toEqual(['start'])
  })

  test('a temporary refusal is retried with the newest state', async () => {
    await start()
    await app.runDueJobs()
    const token = await phone.show('build')
    app.apns.script(token, { status: 429, reason: 'TooManyRequests', retryAfter: '2' })
    await patch({ content: { state: 'x' } })
    await app.runDueJobs()
    expect(words(token)).toEqual([])
    app.advanceSeconds(2)
    await app.runDueJobs()
    expect(words(token)).toEqual(['update x'])
    expect((await devices())[0].last_push_error).toBeUndefined()
  })
})

describe('other devices', () => {
  test('a browser gets the same states under one tag, and the end', async () => {
    const browser = await addBrowser(app, { app, user })
    await start({ content: { state: '1' } })
    await app.runDueJobs()
    await patch({ content: { state: '2' } })
    await app.runDueJobs()
    await patch({ state: 'ended' })
    await app.runDueJobs()
    const tag = `activity:${(await app.get('/activities/build', user.token)).body.id}`
    const shown = (await browser.pushes()).map(({ type, tag, event, state, content }) => [
      type,
      tag,
      event,
      state,
      (content as { state: string }).state,
    ])
    expect(shown).toEqual([
      ['activity', tag, 'start', 'ongoing', '1'],
      ['activity', tag, 'update', 'ongoing', '2'],
      ['activity', tag, 'end', 'ended', '2'],
    ])
  })

  test('a browser that has shown nothing of an activity is told nothing of its removal', async () => {
    const browser = await addBrowser(app, { app, user })
    await start()
    await app.del('/activities/build', user.token)
    await app.runDueJobs()
    expect(await browser.pushes()).toEqual([])
  })

  test('without devices no push is enqueued', async () => {
    const lonely = await app.addUser()
    await app.patch('/activities/build?upsert=true', { state: 'ongoing' }, lonely.token)
    expect(await pushJobsOf(lonely)).toEqual([])
  })

  test('a refused change is not pushed', async () => {
    await start()
    await app.runDueJobs()
    await patch({ content: { progress: 2 } })
    await app.runDueJobs()
    expect(words()).toEqual(['start'])
  })
})

test('C20 a push service with a Retry-After of 31 years is retried after a day', async () => {
  const browserOnly = await app.addUser()
  await addBrowser(app, { app, user: browserOnly })
  app.webPush.answerWith({ status: 429, headers: { 'retry-after': '999999999' } })
  await app.patch('/activities/build?upsert=true', { state: 'ongoing' }, browserOnly.token)
  await app.runDueJobs()
  expect(await pushJobsOf(browserOnly)).toEqual([{ run_at: plusSeconds(app.clock.now(), 86_400) }])
})
