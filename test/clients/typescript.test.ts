// @heliograph/client against the running service.
import { expect, test } from 'vitest'
import { createClient } from '../../clients/typescript/client.ts'
import { useTestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

const app = useTestApp()

async function startClient() {
  const user = await app.addUser()
  return { user, client: createClient({ url: `${app.url}/`, token: user.token }) }
}

test('sends a notification once, however often the call with the same key is repeated', async () => {
  const { user, client } = await startClient()
  const first = await client.send({ title: 'Backup', body: 'done' }, { idempotencyKey: 'backup-1' })
  const again = await client.send({ title: 'Backup', body: 'done' }, { idempotencyKey: 'backup-1' })
  expect(again.id).toBe(first.id)
  await client.send({ title: 'Backup', body: 'done' })
  expect((await app.get('/notifications', user.token)).body.items).toHaveLength(2)
})

test('a refusal is an error with the code and the violations of the problem', async () => {
  const { client } = await startClient()
  await expect(client.send({ title: 'T', body: 'x'.repeat(5000) })).rejects.toMatchObject({
    name: 'HeliographError',
    code: 'request.validation_failed',
    problem: { errors: [{ location: 'body.body' }] },
  })
})

test('asks, waits and returns the answer; without one in time, the question can be asked for later', async () => {
  const { user, client } = await startClient()
  const question = { title: 'Deploy?', body: 'Now.', actions: [{ id: 'yes', title: 'Deploy' }] }
  const unanswered = await client.ask(question, { timeoutSeconds: 0 })
  expect(unanswered.status).toBe('pending')

  const waiting = client.answer(unanswered.notification_id)
  await app.post(`/notifications/${unanswered.notification_id}/answer`, { action_id: 'yes' }, user.token)
  expect(await waiting).toMatchObject({ status: 'answered', action_id: 'yes' })
})

test('an aborted ask ends the waiting and leaves the question', async () => {
  const { user, client } = await startClient()
  const abort = new AbortController()
  const question = { title: 'Deploy?', body: 'Now.', actions: [{ id: 'yes', title: 'Deploy' }] }
  const asked = client.ask(question, { signal: abort.signal })
  await eventually(async () => expect((await app.get('/notifications', user.token)).body.items).toHaveLength(1))
  abort.abort()
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  expect((await app.get('/notifications', user.token)).body.items[0].answer).toMatchObject({ status: 'pending' })
})

test('an alert repeats until it is acknowledged or canceled', async () => {
  const { client } = await startClient()
  const { id, receipt } = await client.alert({ title: 'Disk full', body: '/var' })
  expect(receipt?.status).toBe('active')
  expect((await client.cancelAlert(id)).status).toBe('canceled')
  expect((await client.receipt(id)).status).toBe('canceled')
})

test('a burst of updates of an activity is one request after the first, and its end follows at once', async () => {
  const { user, client } = await startClient()
  const requests: string[] = []
  const counting = createClient({
    url: app.url,
    token: user.token,
    fetch: (input, init) => {
      requests.push(String(init?.body))
      return fetch(input, init)
    },
    // The pause between two requests never ends by itself, so only the end sends what waits.
    sleep: () => new Promise(() => {}),
  })
  const build = counting.activity('build')
  await build.update({ template: 'generic', state: 'Testing', progress: 0 })
  const burst = [0.2, 0.4, 0.6].map((progress) => build.update({ progress }))
  const ended = await build.end({ state: 'Done' }, { sound: 'success' })
  expect(requests.map((body) => JSON.parse(body))).toEqual([
    { state: 'ongoing', content: { template: 'generic', state: 'Testing', progress: 0 } },
    { state: 'ended', sound: 'success', content: { progress: 0.6, state: 'Done' } },
  ])
  expect(ended).toMatchObject({ state: 'ended', content: { progress: 0.6 } })
  expect(await Promise.all(burst)).toEqual([ended, ended, ended])
  expect((await client.activity('build').update({ state: 'Again' })).state).toBe('ongoing')
})

test('a widget is created by its first update', async () => {
  const { client } = await startClient()
  const widget = client.widget('users', { intervalMs: 0 })
  await widget.update({ template: 'value', value: 1, unit: 'users' }, { name: 'Users' })
  await widget.update({ value: 2 })
  expect(await widget.get()).toMatchObject({ name: 'Users', content: { value: 2, unit: 'users' } })
})

test('events arrive as they happen, and after a break those of the meantime', async () => {
  const { user, client } = await startClient()
  const breaks: (() => void)[] = []
  const reading = createClient({
    url: app.url,
    token: user.token,
    async fetch(input, init) {
      const link = new AbortController()
      breaks.push(() => link.abort())
      return fetch(input, { ...init, signal: AbortSignal.any([link.signal, init?.signal as AbortSignal]) })
    },
    sleep: async () => {
      await client.send({ title: 'Meantime', body: 'B' })
    },
  })
  const titles: string[] = []
  await client.send({ title: 'Before', body: 'B' })
  for await (const event of reading.events({ after: '0' })) {
    if (event.type !== 'notification.created' || !('title' in event.data)) continue
    titles.push(event.data.title)
    if (titles.length === 1) breaks[0]?.()
    if (titles.length === 2) break
  }
  expect(titles).toEqual(['Before', 'Meantime'])
  expect(breaks).toHaveLength(2)
})

test('a refused event stream ends the iteration with the error', async () => {
  const { user } = await startClient()
  const stream = createClient({ url: app.url, token: user.defaultKey }).events()
  await expect(stream.next()).rejects.toMatchObject({ status: 403 })
})
