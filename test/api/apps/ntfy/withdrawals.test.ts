// Buttons that answer from the ntfy app, alerts that repeat, and messages that vanish when they need no attention any more.
import { describe, expect, onTestFinished, test } from 'vitest'
import { type TestUser, useTestApp } from '../../../support/app.ts'
import { addApp, type NtfyLine, openNtfy, pollNtfy } from '../../../support/devices/app-streams.ts'
import { eventually } from '../../../support/eventually.ts'
import { createOrganization } from '../../../support/organizations/organization.ts'

const app = useTestApp()

// Two phones of one account, both connected.
async function connected(topic = 'inbox') {
  const user = await app.addUser()
  const [one, other] = [await addApp(app, user, 'ntfy', 'One'), await addApp(app, user, 'ntfy', 'Other')]
  const streams = [await openNtfy(app, one, `${topic}/json`), await openNtfy(app, other, `${topic}/json`)] as const
  onTestFinished(() => {
    for (const stream of streams) stream.close()
  })
  return { user, one, streams }
}

const send = async (user: TestUser, message: object) =>
  (await app.post('/notifications', { title: 'T', body: 'B', ...message }, user.token)).body

const press = (button: NtfyLine) =>
  fetch(button.url, { method: button.method, headers: button.headers, body: button.body })

const brief = ({ event, sequence_id }: NtfyLine) => `${event} ${sequence_id}`

describe('buttons', () => {
  test('a button without a url posts the answer; other phones clear the message; ?wait returns', async () => {
    const { user, streams } = await connected()
    const [stream, other] = streams
    const actions = [
      { id: 'yes', title: 'Yes' },
      { id: 'say', title: 'Reply', text_input: true },
      { id: 'docs', title: 'Docs', url: 'https://a.example/docs', foreground: true },
    ]
    const { id } = await send(user, { actions })
    const waiting = app.get(`/notifications/answers/${id}?wait=10`, user.token)
    await eventually(() => expect(other.lines).toHaveLength(1))
    const [yes, reply, docs] = stream.lines[0].actions
    expect(yes).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{10}$/),
      action: 'http',
      label: 'Yes',
      clear: true,
      url: expect.stringMatching(new RegExp(`^${app.url}/answers/[-_A-Za-z0-9]+$`)),
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: expect.stringContaining('"action_id":"yes"'),
    })
    expect(reply).toMatchObject({ action: 'view', label: 'Reply', url: yes.url })
    expect(docs).toMatchObject({ action: 'view', url: 'https://a.example/docs' })
    expect((await press(yes)).status).toBe(200)
    expect((await waiting).body).toMatchObject({ status: 'answered', action_id: 'yes' })
    const { sequence_id } = other.lines[0]
    await eventually(() =>
      expect(other.lines.map(brief)).toEqual([`message ${sequence_id}`, `message_clear ${sequence_id}`]),
    )
    const { items } = (await app.get(`/notifications/${id}/timeline`, user.token)).body
    expect(items.at(-1)).toMatchObject({ event: 'answered', device: 'One' })
  })

  test('of more than three buttons the phone gets those that are recorded', async () => {
    const { user, streams } = await connected()
    const link = (id: string) => ({ id, title: id, url: `https://a.example/${id}`, foreground: true })
    await send(user, { actions: [link('a'), link('b'), link('c')], acknowledge: {} })
    await eventually(() => expect(streams[0].lines).toHaveLength(1))
    expect(streams[0].lines[0].actions.map(({ label }: NtfyLine) => label)).toEqual(['Acknowledge', 'a', 'b'])
  })
})

describe('an alert that repeats', () => {
  test('is a new message each time, and the one before is deleted; the acknowledgement clears the last', async () => {
    const { user, streams } = await connected()
    const [stream, other] = streams
    const { id } = await send(user, { level: 'critical', acknowledge: { repeat_seconds: 30 } })
    await eventually(() => expect(stream.lines).toHaveLength(1))
    const first = stream.lines[0].sequence_id
    for (let repeat = 1; repeat <= 2; repeat++) {
      app.advanceSeconds(30)
      await app.runDueJobs()
      await eventually(() => expect(stream.lines).toHaveLength(1 + repeat * 2))
    }
    const [, , second, , third] = stream.lines
    expect(stream.lines.map(brief)).toEqual([
      `message ${first}`,
      `message_delete ${first}`,
      `message ${second.sequence_id}`,
      `message_delete ${second.sequence_id}`,
      `message ${third.sequence_id}`,
    ])
    expect(new Set([first, second.sequence_id, third.sequence_id]).size).toBe(3)
    expect((await press(third.actions[0])).status).toBe(200)
    await eventually(() => expect(other.lines.map(brief)).toContain(`message_clear ${third.sequence_id}`))
    const receipt = await app.get(`/notifications/receipts/${id}`, user.token)
    expect(receipt.body).toMatchObject({ status: 'acknowledged', acknowledged_by_device: 'One' })
  })

  test('a step of its escalation policy is a repeat with the priority of the step', async () => {
    const { user, streams } = await connected()
    const [stream] = streams
    const steps = [{ after_seconds: 60, level: 'critical' }]
    await app.post('/escalations', { slug: 'night', name: 'Night', steps }, user.token)
    await send(user, { acknowledge: { repeat_seconds: 3600, escalation: 'night' } })
    await eventually(() => expect(stream.lines).toHaveLength(1))
    app.advanceSeconds(60)
    await app.runDueJobs()
    const told = () => stream.lines.filter(({ event }) => event !== 'keepalive')
    await eventually(() => expect(told()).toHaveLength(3))
    expect(told().map(({ event, priority }) => [event, priority])).toEqual([
      ['message', 3],
      ['message_delete', undefined],
      ['message', 5],
    ])
  })

  test('a phone that was offline gets no repeat of an alert that has ended', async () => {
    const { user, one } = await connected()
    const { id } = await send(user, { acknowledge: { repeat_seconds: 30 } })
    app.advanceSeconds(30)
    await app.runDueJobs()
    await app.post(`/notifications/receipts/${id}/cancel`, {}, user.token)
    const events = (await pollNtfy(app, one, 'inbox/json?poll=1')).map(({ event }) => event)
    expect(events).toEqual(['message', 'message_delete', 'message_clear'])
  })
})

describe('elsewhere', () => {
  test('read, read all and deleted: clear and delete, in every subscription that has the source', async () => {
    const { user, streams } = await connected('ci')
    const [stream] = streams
    const ids = []
    for (let i = 0; i < 3; i++) ids.push((await send(user, { source: 'ci' })).id)
    await send(user, { source: 'other' })
    await eventually(() => expect(stream.lines).toHaveLength(3))
    const [a, b, c] = stream.lines.map(({ sequence_id }) => sequence_id)
    await app.post('/notifications/read', { ids: [ids[0]] }, user.token)
    app.advanceSeconds(1)
    await app.post('/notifications/read', { all: true }, user.token)
    const clears = [`message_clear ${a}`, `message_clear ${b}`, `message_clear ${c}`]
    // A message that is deleted before its clear was written is only deleted.
    await eventually(() => expect(stream.lines.slice(3).map(brief)).toEqual(clears))
    await app.del(`/notifications/${ids[1]}`, user.token)
    await eventually(() => expect(stream.lines.slice(3).map(brief)).toEqual([...clears, `message_delete ${b}`]))
    expect(stream.lines.slice(3).every(({ topic }) => topic === 'ci')).toBe(true)
    const places = stream.lines.map(({ id }) => id)
    expect([...places].sort()).toEqual(places)
  })

  test('a sender’s own sequence: updates replace it, DELETE deletes it', async () => {
    const { user, streams } = await connected('disk')
    const ask = (method: string, path: string, body?: string) =>
      fetch(`${app.url}/ntfy/${path}`, { method, body, headers: { authorization: `Bearer ${user.defaultKey}` } })
    await ask('POST', 'disk/usage', '80 %')
    await ask('POST', 'disk/usage', '90 %')
    await ask('DELETE', 'disk/usage')
    await eventually(() =>
      expect(streams[0].lines.at(-1)).toMatchObject({ event: 'message_delete', sequence_id: 'usage' }),
    )
    const messages = streams[0].messages()
    expect(messages.map(({ message, sequence_id }) => [message, sequence_id])).toEqual([
      ['80 %', 'usage'],
      ['90 %', 'usage'],
    ])
  })

  test('an organization recalls a message: the phones of its members learn the sender’s own sequence', async () => {
    const org = await createOrganization(app)
    const [member] = org.members as [TestUser]
    const terms = { name: 'K', permissions: { notifications: 'send' } }
    const key = (await app.post(`${org.path}/keys`, terms, org.owner.token)).body
    const stream = await openNtfy(app, await addApp(app, member), 'disk/json')
    onTestFinished(() => stream.close())
    const headers = { authorization: `Bearer ${key.key ?? key.token}` }
    const answer = await fetch(`${app.url}/ntfy/disk/usage`, { method: 'POST', body: '80 %', headers })
    expect(answer.status).toBe(200)
    const { items } = (await app.get(`${org.path}/notifications`, org.owner.token)).body
    expect((await app.del(`${org.path}/notifications/${items[0].id}`, org.owner.token)).status).toBe(204)
    await app.runDueJobs()
    await eventually(() => expect(stream.lines.map(brief)).toEqual(['message usage', 'message_delete usage']))
  })

  test('the events of one change are resumed from the middle, without a repeat', async () => {
    const { user, one, streams } = await connected()
    const ids = []
    for (let i = 0; i < 3; i++) ids.push((await send(user, {})).id)
    await app.post('/notifications/read', { ids }, user.token)
    await eventually(() => expect(streams[0].lines).toHaveLength(6))
    const lines = streams[0].lines
    for (const [index, { id }] of lines.entries()) {
      expect(await pollNtfy(app, one, `inbox/json?poll=1&since=${id}`)).toEqual(lines.slice(index + 1))
    }
  })
})
