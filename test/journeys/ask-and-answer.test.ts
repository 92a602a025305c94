// A program asks and a person answers: the question reaches every device, the first answer counts, and all learn of it.
import { expect, onTestFinished, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { isPostgres } from '../support/database/database.ts'
import { terminal } from '../support/devices/devices.ts'
import { addBrowser, addPhone } from '../support/devices/phone.ts'
import { openEvents } from '../support/event-reader.ts'
import { eventually } from '../support/eventually.ts'
import { expectProblem } from '../support/expect-problem.ts'
import { startPushServices } from '../support/fakes/push-services.ts'

const question = {
  title: 'Deploy v2?',
  body: '42 commits since Monday',
  level: 'time-sensitive',
  source: 'ci',
  actions: [
    { id: 'deploy', title: 'Deploy' },
    { id: 'later', title: 'Later', text_input: true, text_input_placeholder: 'When?' },
    { id: 'diff', title: 'Diff', url: 'https://example.org/diff', foreground: true },
  ],
}

// The program uses one server and the person another one, if the database allows two.
async function startNodes() {
  const services = await startPushServices()
  const forPerson = await services.startNode()
  const forProgram = isPostgres() ? await services.startNode({}, forPerson.database) : forPerson
  onTestFinished(async () => {
    await services.close()
    if (forProgram !== forPerson) await forProgram.stop()
    await forPerson.stop()
  })
  return { services, forPerson, forProgram }
}

test('a question is asked, answered on the phone, and withdrawn from every device', async () => {
  const { services, forPerson, forProgram } = await startNodes()
  const user = await forPerson.addUser()
  const key = await forPerson.addKey(user, { name: 'CI', permissions: { notifications: 'send' } })
  const owner = { app: forPerson, user }
  const [phone, browser] = [await addPhone(services, owner), await addBrowser(services, owner)]
  await forPerson.put('/devices/desk', terminal, user.token)
  const desk = await openEvents(forPerson.url, user.token)

  const asked = await forProgram.call('POST', '/notifications', {
    token: key,
    body: question,
    headers: { 'idempotency-key': 'build-17' },
  })
  expect([asked.status, asked.body.delivery, asked.body.answerable]).toEqual([201, 'all', true])
  for (const device of [phone, browser]) {
    expect(await device.screen()).toEqual({ banners: ['Deploy v2?'], badge: 1 })
  }

  const waiting = forProgram.get(`/notifications/answers/${asked.body.id}?wait=25`, key)
  const taken = await phone.answer('Deploy v2?', 'later', 'after lunch')
  expect(taken.status).toBe(200)
  const heard = await waiting
  expect(heard.body).toMatchObject({ status: 'answered', action_id: 'later', text: 'after lunch' })
  expect(heard.body).toEqual(taken.body)

  const late = await browser.answer('Deploy v2?', 'deploy')
  expectProblem(late, 409, 'notification_answer.already_answered')
  expect(late.body.answer).toEqual(taken.body)

  await forPerson.post('/notifications/read', { ids: [asked.body.id] }, user.token)
  await forPerson.runDueJobs()
  for (const device of [phone, browser]) expect(await device.screen()).toEqual({ banners: [], badge: 0 })
  await eventually(() =>
    expect(desk.types()).toEqual(['notification.created', 'notification.answered', 'notification.read']),
  )
  desk.close()
  expect(desk.events[0]?.data.data).toMatchObject({ title: 'Deploy v2?', actions: question.actions })

  const { items } = (await forProgram.get(`/notifications/${asked.body.id}/timeline`, key)).body
  const events = items.map(({ event }: { event: string }) => event)
  expect(events.slice(0, 2)).toEqual(['accepted', 'stored'])
  expect(events.filter((event: string) => event === 'push_accepted')).toHaveLength(2)
  expect(events.slice(-2)).toEqual(['answered', 'read'])
})

test('a program that crashed and repeats its question gets the answer to the first one', async () => {
  const { services, forPerson, forProgram } = await startNodes()
  const user = await forPerson.addUser()
  const phone = await addPhone(services, { app: forPerson, user })
  const ask = (server: TestApp) =>
    server.call('POST', '/notifications', {
      token: user.defaultKey,
      body: question,
      headers: { 'idempotency-key': 'build-18' },
    })

  const first = await ask(forProgram)
  await phone.answer('Deploy v2?', 'deploy')
  const again = await ask(forPerson)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.body.id).toBe(first.body.id)
  const { body } = await forProgram.get(`/notifications/answers/${again.body.id}?wait=25`, user.defaultKey)
  expect(body).toMatchObject({ status: 'answered', action_id: 'deploy' })
  expect(await phone.pushes()).toHaveLength(1)
})

test('a program whose key is deleted while it waits gets 401, and the question can still be answered', async () => {
  const { services, forPerson, forProgram } = await startNodes()
  const user = await forPerson.addUser()
  const phone = await addPhone(services, { app: forPerson, user })
  const created = await forPerson.post('/integrations/keys', { name: 'CI', notifications: true }, user.token)
  const { id: keyId, key } = created.body
  const { id } = (await forProgram.post('/notifications', question, key)).body

  const { alarmsMs } = services.clock
  const before = alarmsMs.length
  const waiting = forProgram.get(`/notifications/answers/${id}?wait=25`, key)
  await eventually(() => expect(alarmsMs.slice(before)).toContain(1000))
  await forPerson.del(`/integrations/keys/${keyId}`, user.token)
  expectProblem(await waiting, 401, 'token.invalid')
  expect((await phone.answer('Deploy v2?', 'deploy')).status).toBe(200)
  expect((await forPerson.get(`/notifications/answers/${id}`, user.token)).body.action_id).toBe('deploy')
})
