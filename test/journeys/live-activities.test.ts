// Live activities over hours, on a phone, a browser and an event stream.
import { beforeEach, expect, test } from 'vitest'
import { LIMITS } from '../../src/contract/limits.ts'
import type { TestUser } from '../support/app.ts'
import { type ActivityPhone, addActivityPhone } from '../support/devices/activity-phone.ts'
import { openEvents } from '../support/event-reader.ts'
import { eventually } from '../support/eventually.ts'
import { usePushApp } from '../support/fakes/push-services.ts'
import { isNightly } from '../support/nightly.ts'

const app = usePushApp()
let user: TestUser
let phone: ActivityPhone
beforeEach(async () => {
  user = await app.addUser()
  phone = await addActivityPhone(app, { app, user })
})

async function patch(slug: string, body: object, token = user.token) {
  const answer = await app.patch(`/activities/${slug}?upsert=true`, body, token)
  if (answer.status >= 300) throw new Error(answer.text)
  await app.runDueJobs()
  return answer.body
}

async function pass(seconds: number): Promise<void> {
  app.advanceSeconds(seconds)
  await app.runDueJobs()
}

const lastPush = () => phone.pushes().at(-1)?.aps
const read = async (slug: string) => (await app.get(`/activities/${slug}`, user.token)).body

test('a CI run as steps, from its start to its end and deletion, with a key limited to it', async () => {
  const key = await app.addKey(user, { permissions: { activities: 'manage' }, activity_slugs: ['ci-*'] })
  const stream = await openEvents(app.url, user.token)
  await app.post(
    '/activities',
    { slug: 'ci-main', name: 'main', ended_ttl: 900, stale_ttl: 1800, dismissal_ttl: 60 },
    key,
  )
  const labels = ['Lint', 'Build', 'Test', 'Deploy']
  const content = { template: 'steps', total_steps: 4, step_labels: labels }
  for (const [index, state] of labels.entries()) {
    await patch('ci-main', { state: 'ongoing', content: { ...content, current_step: index + 1, state } }, key)
    if (index === 0) await phone.show('ci-main')
    await pass(120)
  }
  await patch('ci-main', { state: 'ended', content: { state: 'Passed', accent_color: 'green' }, sound: 'success' }, key)
  expect(phone.pushes().map(({ aps }) => `${aps.event} ${aps['content-state'].state}`)).toEqual([
    'start Lint',
    'update Build',
    'update Test',
    'update Deploy',
    'end Passed',
  ])
  expect(lastPush()).toMatchObject({ sound: 'success.caf', 'dismissal-date': Math.floor(app.clock.now() / 1000) + 60 })
  await pass(900)
  expect((await app.get('/activities/ci-main', key)).status).toBe(404)
  const types = [
    'activity.created',
    'activity.started',
    ...Array(3).fill('activity.updated'),
    'activity.ended',
    'activity.deleted',
  ]
  await eventually(() => expect(stream.types().filter((type) => type.startsWith('activity.'))).toEqual(types))
  const started = stream.events.find(({ event }) => event === 'activity.started')
  expect(started?.data.data).toMatchObject({ slug: 'ci-main', kind: 'owned' })
  stream.close()
})

test('a countdown that warns, is snoozed, and rings', async () => {
  await patch('tea', {
    state: 'ongoing',
    content: { template: 'countdown', duration: '4m', warning_threshold: 30, alarm: true },
  })
  await phone.show('tea')
  await pass(210)
  expect(lastPush()).toMatchObject({
    event: 'update',
    'content-state': { accent_color: 'orange', warning_pushed: true },
  })
  await app.post('/activities/tea/snooze', undefined, user.token)
  await app.runDueJobs()
  expect(lastPush()?.['content-state']).toHaveProperty('snoozed_until')
  await pass(30)
  expect((await read('tea')).state).toBe('ongoing')
  await pass(300)
  expect(lastPush()).toMatchObject({
    event: 'end',
    'content-state': { state: 'Completed', progress: 1 },
    sound: 'alert.caf',
  })
  expect((await app.get('/auth/me', user.token)).body.live_activity_updates_used).toBe(1)
})

test('six ongoing: the least important one is preempted, and starts again on request', async () => {
  for (const [index, slug] of ['door', 'oven', 'wash', 'print', 'game', 'alarm'].entries()) {
    await patch(slug, { state: 'ongoing', priority: slug === 'wash' ? 0 : 5, content: { state: slug } })
    app.advanceSeconds(index)
  }
  expect((await read('wash')).state).toBe('preempted')
  await patch('game', { state: 'ended' })
  await patch('wash', { state: 'ongoing', content: { state: 'Rinsing' } })
  const { items } = (await app.get('/activities?state=ongoing', user.token)).body
  expect(items.map(({ slug }: { slug: string }) => slug)).toEqual(['alarm', 'door', 'oven', 'print', 'wash'])
})

test('an approval that is answered on the phone, and one that expires', async () => {
  const options = [
    { id: 'ship', title: 'Ship it', style: 'primary' },
    { id: 'hold', title: 'Hold' },
  ]
  await patch('release', { state: 'ongoing', content: { template: 'approval', state: 'v2.0?', options } })
  await phone.show('release')
  const ticket = lastPush()?.['content-state'].answer_ticket
  const waiting = app.get('/activities/release?wait=25', user.token)
  await app.post(`/answers/${ticket}`, { option: 'ship' })
  expect((await waiting).body.content.answer).toMatchObject({ option: 'ship', by: 'user' })
  await app.runDueJobs()
  expect(lastPush()).toMatchObject({ event: 'end', 'content-state': { answer: { option: 'ship' } } })

  const end_date = Math.floor(app.clock.now() / 1000) + 600
  await patch('release', { state: 'ongoing', content: { answer: null, end_date, on_expire: 'hold' } })
  await pass(600)
  expect(await read('release')).toMatchObject({
    state: 'ended',
    content: { answer: { option: 'hold', by: 'expired' }, answer_round: 2 },
  })
})

test('a sensor that reports for hours: every push fits, and 300 points are kept', async () => {
  const reports = isNightly ? 1000 : 320
  const series = ['Living room', 'Bedroom', 'Küche', 'Cellar', 'Attic', 'Garage', 'Garden', 'Pool', 'Office', 'Hall']
  const values = (index: number) =>
    Object.fromEntries(series.map((name, at) => [name, Math.sin(index / 20 + at) * 1e3]))
  await patch('air', { state: 'ongoing', content: { template: 'timeline', value: values(0), decimals: 1 } })
  await phone.show('air')
  for (let index = 1; index < reports; index++) {
    app.clock.advanceSeconds(20)
    await app.patch('/activities/air', { content: { value: values(index) } }, user.token)
    if (index % 50 === 0) await app.runDueJobs()
  }
  await app.runDueJobs()
  const sizes = app.apns.requests.map(({ payload }) => Buffer.byteLength(payload))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMITS.push.maxPayloadBytes)
  const { history } = (await read('air')).content
  expect(Object.values<unknown[]>(history).map((points) => points.length)).toEqual(
    Array(10).fill(LIMITS.activity.maxPoints),
  )
  expect(history.Pool.at(-1).value).toBe(values(reports - 1).Pool)
  const pushed = lastPush()?.['content-state'].history as Record<string, { value: number }[]>
  expect(Object.keys(pushed)).toEqual(series)
  expect(pushed.Pool?.length).toBeGreaterThanOrEqual(2)
  expect(pushed.Pool?.at(-1)?.value).toBe(values(reports - 1).Pool)
})
