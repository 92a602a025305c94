// What a phone with the ntfy app shows in the end: updates, senders that use the same names, and messages that collapse.
import { describe, expect, onTestFinished, test } from 'vitest'
import { type TestUser, useTestApp } from '../../../support/app.ts'
import { type AppDevice, addApp, openNtfy, pollNtfy } from '../../../support/devices/app-streams.ts'
import { ntfyPhone } from '../../../support/devices/ntfy-phone.ts'
import { eventually } from '../../../support/eventually.ts'
import { ALERTMANAGER } from '../../../support/hooks/alerts.ts'
import { addHook } from '../../../support/hooks/hook.ts'
import { createOrganization } from '../../../support/organizations/organization.ts'

const app = useTestApp()

// A phone that is connected all the time, and what it shows once everything that was sent has reached it.
async function connect(user: TestUser, topics = 'inbox') {
  const device = await addApp(app, user)
  const stream = await openNtfy(app, device, `${topics}/json?since=none`)
  onTestFinished(() => stream.close())
  return {
    device,
    // A message of another source is the last line.
    async settled() {
      const { id } = (await app.post('/notifications', { title: 'END', body: 'END', source: LAST }, user.token)).body
      await eventually(() => expect(stream.lines.at(-1)).toMatchObject({ message: 'END' }))
      await app.del(`/notifications/${id}`, user.token)
      await eventually(() => expect(stream.lines.at(-1)).toMatchObject({ event: 'message_delete' }))
      return { ...ntfyPhone(stream.lines.filter(({ title }) => title !== 'END')), lines: stream.lines }
    },
  }
}
const LAST = 'last'

// A phone that was offline, and fetches everything at once.
const shownLater = async (device: AppDevice, topics = 'inbox') =>
  ntfyPhone(await pollNtfy(app, device, `${topics}/json?poll=1&since=all`)).shown

async function ntfy(key: string, method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${app.url}/ntfy/${path}`, {
    method,
    body,
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { id: string }
}

const send = async (user: TestUser, message: object): Promise<number> =>
  (await app.post('/notifications', { title: 'T', body: 'B', ...message }, user.token)).body.id

const read = (user: TestUser, ids: number[]) => app.post('/notifications/read', { ids }, user.token)

const inboxIds = async (user: TestUser): Promise<number[]> =>
  (await app.get('/notifications', user.token)).body.items.map(({ id }: { id: number }) => id)

describe('a message that is updated by its id', () => {
  test.each(['inbox', 'job', 'job,inbox'])(
    'is replaced by each update, and stays on the screen (%s)',
    async (topics) => {
      const user = await app.addUser()
      const phone = await connect(user, `${topics},${LAST}`)
      const { id } = await ntfy(user.defaultKey, 'POST', 'job', '10 %', { title: 'Job' })
      await ntfy(user.defaultKey, 'POST', `job/${id}`, '50 %', { title: 'Job' })
      const { shown, listed } = await phone.settled()
      expect([shown, listed]).toEqual([['Job: 50 %'], ['Job: 50 %']])
      expect(await shownLater(phone.device, topics)).toEqual(['Job: 50 %'])
      await ntfy(user.defaultKey, 'POST', `job/${id}`, '90 %', { title: 'Job' })
      expect((await phone.settled()).shown).toEqual(['Job: 90 %'])
    },
  )

  test('stays when an older entry is read or deleted, and goes when the newest is', async () => {
    const user = await app.addUser()
    const phone = await connect(user)
    const { id } = await ntfy(user.defaultKey, 'POST', 'job', '10 %', { title: 'Job' })
    for (const text of ['50 %', '90 %']) await ntfy(user.defaultKey, 'POST', `job/${id}`, text, { title: 'Job' })
    const [newest, middle, first] = (await inboxIds(user)) as [number, number, number]
    await read(user, [middle])
    await app.del(`/notifications/${first}`, user.token)
    await app.del(`/notifications/${middle}`, user.token)
    expect((await phone.settled()).shown).toEqual(['Job: 90 %'])
    await read(user, [newest])
    expect((await phone.settled()).shown).toEqual([])
  })

  test('is deleted and cleared by its id, before the first update and after it', async () => {
    const user = await app.addUser()
    const phone = await connect(user)
    for (const isUpdated of [false, true]) {
      for (const end of ['DELETE', 'PUT'] as const) {
        const { id } = await ntfy(user.defaultKey, 'POST', 'job', '10 %')
        if (isUpdated) await ntfy(user.defaultKey, 'POST', `job/${id}`, '50 %')
        await ntfy(user.defaultKey, end, end === 'PUT' ? `job/${id}/clear` : `job/${id}`)
        expect((await phone.settled()).shown).toEqual([])
      }
    }
  })

  test('of an organization is replaced on the phones of its members', async () => {
    const org = await createOrganization(app)
    const [member] = org.members as [TestUser]
    const phone = await connect(member)
    const terms = { name: 'K', permissions: { notifications: 'send' } }
    const { key } = (await app.post(`${org.path}/keys`, terms, org.owner.token)).body
    const { id } = await ntfy(key, 'POST', 'job', '10 %', { title: 'Job' })
    await ntfy(key, 'POST', `job/${id}`, '50 %', { title: 'Job' })
    expect((await phone.settled()).shown).toEqual(['Job: 50 %'])
    const { items } = (await app.get(`${org.path}/notifications`, org.owner.token)).body
    const recall = async (head: { id: number }) => {
      await app.del(`${org.path}/notifications/${head.id}`, org.owner.token)
      await app.runDueJobs()
    }
    await recall(items[1])
    expect((await phone.settled()).shown).toEqual(['Job: 50 %'])
    await recall(items[0])
    expect((await phone.settled()).shown).toEqual([])
  })
})

describe('two senders with the same sequence', () => {
  test('are kept apart on inbox: message, clear, delete and poll', async () => {
    const user = await app.addUser()
    const phone = await connect(user)
    const status = { 'x-sequence-id': 'status' }
    await ntfy(user.defaultKey, 'POST', 'nas', 'down', { ...status, title: 'NAS' })
    await ntfy(user.defaultKey, 'POST', 'router', 'down', { ...status, title: 'Router' })
    const { shown, lines } = await phone.settled()
    expect(shown).toEqual(['NAS: down', 'Router: down'])
    expect(lines.every(({ sequence_id }) => /^[-_A-Za-z0-9]{1,64}$/.test(sequence_id))).toBe(true)
    expect(await shownLater(phone.device)).toEqual(['NAS: down', 'Router: down'])
    await ntfy(user.defaultKey, 'PUT', 'nas/status/clear')
    expect((await phone.settled()).shown).toEqual(['Router: down'])
    await ntfy(user.defaultKey, 'POST', 'nas', 'up', { ...status, title: 'NAS' })
    await ntfy(user.defaultKey, 'DELETE', 'router/status')
    expect((await phone.settled()).shown).toEqual(['NAS: up'])
    expect(await shownLater(phone.device)).toEqual(['NAS: up'])
  })

  test('keep the name on a topic of their own', async () => {
    const user = await app.addUser()
    const { device } = await connect(user)
    await ntfy(user.defaultKey, 'POST', 'nas', 'down', { 'x-sequence-id': 'status' })
    expect(await pollNtfy(app, device, 'nas/json?poll=1')).toMatchObject([{ sequence_id: 'status' }])
    // Of both topics the phone gets it under that of the sender.
    expect(await pollNtfy(app, device, 'nas,inbox/json?poll=1')).toMatchObject([
      { topic: 'nas', sequence_id: 'status' },
    ])
  })
})

describe('messages that collapse', () => {
  test('one collapse_id is one popup, and each message rings as on other devices', async () => {
    const user = await app.addUser()
    const phone = await connect(user)
    const first = await send(user, { body: '1', collapse_id: 'build' })
    const second = await send(user, { body: '2', collapse_id: 'build' })
    await send(user, { body: 'other', collapse_id: 'deploy' })
    const { shown, rung } = await phone.settled()
    expect(shown).toEqual(['T: 2', 'T: other'])
    expect(rung).toEqual(['T: 1', 'T: 2', 'T: other'])
    expect(await shownLater(phone.device)).toEqual(['T: 2', 'T: other'])
    await read(user, [first])
    await app.del(`/notifications/${first}`, user.token)
    expect((await phone.settled()).shown).toEqual(['T: 2', 'T: other'])
    await read(user, [second])
    expect((await phone.settled()).shown).toEqual(['T: other'])
  })

  test('the one before is replaced although it was repeated', async () => {
    const user = await app.addUser()
    const phone = await connect(user)
    await send(user, { title: 'Alert', collapse_id: 'a', acknowledge: { repeat_seconds: 30 } })
    app.advanceSeconds(30)
    await app.runDueJobs()
    await send(user, { title: 'Again', collapse_id: 'a', acknowledge: { repeat_seconds: 30 } })
    expect((await phone.settled()).shown).toEqual(['Again: B'])
  })

  test('a heartbeat that is down, up and down again is one popup, and rings both times it is down', async () => {
    const user = await app.addUser()
    const phone = await connect(user)
    const heartbeat = (
      await app.post('/heartbeats', { slug: 'backup', name: 'Backup', every_seconds: 3600 }, user.token)
    ).body
    const ping = async (path: string) => expect((await fetch(heartbeat.ping_url + path)).status).toBe(200)
    await ping('/fail')
    await ping('')
    const up = await phone.settled()
    expect(up.shown).toEqual([expect.stringContaining('Backup is up again')])
    await ping('/fail')
    const down = await phone.settled()
    expect(down.shown).toEqual([expect.stringContaining('Backup is down')])
    expect(down.rung).toHaveLength(2)
  })

  test('a group of Alertmanager that grows, shrinks and ends is one popup', async () => {
    const hook = await addHook(app)
    const phone = await connect(hook.user)
    for (const body of [ALERTMANAGER.one, ALERTMANAGER.firing, ALERTMANAGER.partlyResolved]) await hook.send(body)
    const firing = await phone.settled()
    expect(firing.shown).toHaveLength(1)
    expect(firing.rung).toHaveLength(3)
    await hook.send(ALERTMANAGER.resolved)
    expect((await phone.settled()).shown).toEqual([expect.stringMatching(/^Resolved: /)])
    expect(await shownLater(phone.device)).toEqual([expect.stringMatching(/^Resolved: /)])
  })

  test('of an organization collapse on the phones of its members', async () => {
    const org = await createOrganization(app)
    const [member] = org.members as [TestUser]
    const phone = await connect(member)
    for (const body of ['1', '2']) {
      await app.post(`${org.path}/notifications`, { title: 'T', body, collapse_id: 'build' }, org.owner.token)
    }
    expect((await phone.settled()).shown).toEqual(['T: 2'])
  })
})

test('a message without a title shows its topic on inbox, and none on the topic itself', async () => {
  const user = await app.addUser()
  const { device } = await connect(user)
  await ntfy(user.defaultKey, 'POST', 'nas', 'disk almost full')
  expect(await shownLater(device)).toEqual(['nas: disk almost full'])
  expect(await shownLater(device, 'nas')).toEqual(['disk almost full'])
})
