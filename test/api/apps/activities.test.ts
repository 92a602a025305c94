// Live activities in the apps of other services: one message that is updated in place, not too often, and gone at the end.
import { describe, expect, test } from 'vitest'
import { addApp, openNtfy, pollNtfy } from '../../support/devices/app-streams.ts'
import { addBarkPhone, useBarkApp } from '../../support/devices/bark-phone.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { addGroup, createOrganization } from '../../support/organizations/organization.ts'
import { share } from '../../support/shares.ts'

const app = useBarkApp()

async function addActivity(members: object = {}) {
  const user = await app.addUser()
  const device = await addApp(app, user)
  await app.post('/activities', { slug: 'wash', name: 'Washing', ...members }, user.token)
  const patch = (body: object) => app.patch('/activities/wash', body, user.token)
  return { user, device, patch }
}

const passes = async (seconds: number) => {
  for (let i = 0; i < seconds; i++) {
    app.advanceSeconds(1)
    await app.runDueJobs()
  }
}

describe('at the ntfy app', () => {
  test('a run is one message: it rings at the start, is updated quietly every 15 s, and is removed after its end', async () => {
    const { device, patch } = await addActivity({ dismissal_ttl: 60 })
    const stream = await openNtfy(app, device, 'inbox/json')
    const lines = () => stream.lines.filter(({ sequence_id }) => sequence_id?.startsWith('act-'))
    await patch({ state: 'ongoing', content: { template: 'generic', progress: 0.01, state: 'Filling' } })
    await app.runDueJobs()
    await eventually(() => expect(lines()).toHaveLength(1))
    for (let i = 1; i <= 20; i++) {
      await patch({ content: { template: 'generic', progress: i / 25, state: `Step ${i}` } })
      await passes(i % 2 === 0 ? 2 : 1)
    }
    await patch({ state: 'ended', content: { template: 'generic', state: 'Done' } })
    await app.runDueJobs()
    await eventually(() => expect(lines().at(-1).message).toContain('Done'))
    const shown = lines()
    expect(shown[0]).toMatchObject({
      event: 'message',
      title: 'Washing',
      message: '1 % ▓░░░░░░░░░ · Filling',
      priority: 3,
    })
    expect(new Set(shown.map(({ sequence_id }) => sequence_id)).size).toBe(1)
    expect(shown.slice(1).every(({ priority }) => priority === 2)).toBe(true)
    expect(shown.length).toBeLessThanOrEqual(5)
    const polled = await pollNtfy(app, device, 'activities/json?poll=1')
    expect(polled).toMatchObject([{ event: 'message', topic: 'activities', message: expect.stringContaining('Done') }])
    await passes(61)
    await eventually(() =>
      expect(lines().at(-1)).toMatchObject({ event: 'message_delete', sequence_id: shown[0].sequence_id }),
    )
    stream.close()
  })

  test('a change with a sound is a new message that rings, and the one before is removed', async () => {
    const { device, patch } = await addActivity()
    const stream = await openNtfy(app, device, 'activities/json')
    await patch({ state: 'ongoing', content: { template: 'alert', severity: 'warning', state: 'Warm' } })
    await app.runDueJobs()
    await eventually(() => expect(stream.lines).toHaveLength(1))
    await patch({ content: { template: 'alert', severity: 'critical', state: 'Hot' } })
    await app.runDueJobs()
    await patch({ sound: 'bell', content: { template: 'alert', severity: 'critical', state: 'Hotter' } })
    await app.runDueJobs()
    await eventually(() => expect(stream.messages()).toHaveLength(3))
    const [first, second, third] = stream.messages()
    expect([first.priority, second.priority, third.priority]).toEqual([3, 5, 5])
    expect(second.message).toBe('Critical: Hot')
    const removed = stream.lines.filter(({ event }) => event === 'message_delete')
    expect(removed.map(({ sequence_id }) => sequence_id)).toEqual([first.sequence_id, second.sequence_id])
    stream.close()
  })

  test('the option off keeps the inbox free of them; a deleted activity is gone at once', async () => {
    const { user, device, patch } = await addActivity()
    await app.patch(`/devices/${device.id}`, { options: { activities: false } }, user.token)
    await patch({ state: 'ongoing', content: { template: 'generic', state: 'On' } })
    await app.runDueJobs()
    expect(await pollNtfy(app, device, 'inbox/json?poll=1')).toEqual([])
    expect(await pollNtfy(app, device, 'activities/json?poll=1')).toHaveLength(1)
    await app.del('/activities/wash', user.token)
    await app.runDueJobs()
    expect(await pollNtfy(app, device, 'activities/json?poll=1')).toMatchObject([{ event: 'message_delete' }])
  })

  test('an approval has buttons that answer it, and clears when it is answered', async () => {
    const { user, device, patch } = await addActivity()
    const options = [
      { id: 'yes', title: 'Deploy' },
      { id: 'no', title: 'Wait' },
    ]
    await patch({ state: 'ongoing', content: { template: 'approval', state: 'v2?', options } })
    await app.runDueJobs()
    const [message] = await pollNtfy(app, device, 'activities/json?poll=1')
    expect(message.message).toBe('v2?\nDeploy · Wait')
    const [yes] = message.actions
    const { pathname } = new URL(yes.url)
    const answered = await app.call('POST', pathname, { raw: yes.body, headers: yes.headers })
    expect(answered.status).toBe(200)
    const { body } = await app.get('/activities/wash', user.token)
    expect(body.content.answer.option).toBe('yes')
    await app.runDueJobs()
    const cleared = await pollNtfy(app, device, 'activities/json?poll=1')
    expect(cleared).toMatchObject([{ event: 'message_delete', sequence_id: message.sequence_id }])
  })

  test('an approval that nobody answers in time clears at once', async () => {
    const { device, patch } = await addActivity()
    const end_date = Math.floor(app.clock.now() / 1000) + 120
    const options = [
      { id: 'yes', title: 'Deploy' },
      { id: 'no', title: 'Wait' },
    ]
    const asked = await patch({ state: 'ongoing', content: { template: 'approval', state: 'v2?', options, end_date } })
    expect(asked.status, asked.text).toBe(200)
    await app.runDueJobs()
    await passes(121)
    expect(await pollNtfy(app, device, 'activities/json?poll=1')).toMatchObject([{ event: 'message_delete' }])
  })

  test('what rings, and what a tap opens: a sound is priority 4 with a new name, quiet hours are quiet', async () => {
    const { user, device, patch } = await addActivity()
    const stream = await openNtfy(app, device, 'activities/json')
    const generic = { template: 'generic', state: 'On', url: 'https://x.example/wash' }
    await patch({ state: 'ongoing', content: generic })
    await app.runDueJobs()
    await patch({ sound: 'bell', content: { ...generic, state: 'Door open' } })
    await app.runDueJobs()
    const until = new Date(app.clock.now() + 3_600_000).toISOString()
    expect((await app.post('/auth/me/quiet-hours/now', { until }, user.token)).status).toBe(200)
    await patch({ sound: 'bell', content: { ...generic, state: 'Still open', url: null } })
    await app.runDueJobs()
    await eventually(() => expect(stream.messages()).toHaveLength(3))
    const [start, ring, quiet] = stream.messages()
    expect([start.priority, ring.priority, quiet.priority]).toEqual([3, 4, 2])
    const { id } = (await app.get('/activities/wash', user.token)).body
    expect([start.click, quiet.click]).toEqual(['https://x.example/wash', `${app.url}/app/activities/${id}`])
    expect(ring.sequence_id).toBe(`${start.sequence_id}-1`)
    expect(ring.sequence_id.length).toBeLessThanOrEqual(64)
    stream.close()
  })

  test('is in no event of the account but its own; a source of the name of the topic is in the inbox only', async () => {
    const { user, device, patch } = await addActivity()
    await patch({ state: 'ongoing', content: { template: 'timeline', value: { load: 1 } } })
    await app.runDueJobs()
    await patch({ content: { template: 'timeline', value: { load: 3 } } })
    await passes(15)
    const message = { title: 'T', body: 'from a source', source: 'activities' }
    expect((await app.post('/notifications', message, user.token)).status).toBe(201)
    const messagesOf = async (topic: string) =>
      (await pollNtfy(app, device, `${topic}/json?poll=1`)).map((line) => line.message)
    expect(await messagesOf('activities')).toEqual(['load: 3 ↗'])
    expect(await messagesOf('inbox')).toEqual(['load: 3 ↗', 'from a source'])
    const events = await openEvents(app.url, user.token, 0)
    await eventually(() => expect(events.types()).toContain('notification.created'))
    expect(events.types()).not.toContain('activity.shown')
    events.close()
  })

  test('who loses a shared activity, or one of an organization, loses its message', async () => {
    const { user, patch } = await addActivity()
    const friend = await app.addUser()
    const device = await addApp(app, friend)
    const { id } = await share(app, { owner: user, recipient: friend, what: 'wash' })
    await patch({ state: 'ongoing', content: { template: 'generic', state: 'Filling' } })
    await app.runDueJobs()
    expect(await pollNtfy(app, device, 'activities/json?poll=1')).toMatchObject([{ title: 'Washing' }])
    await app.del(`/shares/${id}`, user.token)
    await app.runDueJobs()
    expect(await pollNtfy(app, device, 'activities/json?poll=1')).toMatchObject([{ event: 'message_delete' }])

    const org = await createOrganization(app, 1)
    const [member] = org.members as [typeof friend]
    const phone = await addApp(app, member)
    const content = { template: 'generic', state: 'Filling' }
    await app.post(
      `${org.path}/activities`,
      { slug: 'wash', name: 'Laundry', target: { members: [member.userId] } },
      org.owner.token,
    )
    await app.patch(`${org.path}/activities/wash`, { state: 'ongoing', content }, org.owner.token)
    await app.runDueJobs()
    expect(await pollNtfy(app, phone, 'activities/json?poll=1')).toMatchObject([{ title: 'Laundry' }])
    await app.patch(`${org.path}/activities/wash`, { target: { members: [org.owner.userId] } }, org.owner.token)
    await app.runDueJobs()
    expect(await pollNtfy(app, phone, 'activities/json?poll=1')).toMatchObject([{ event: 'message_delete' }])

    const group = await addGroup(app, org, 'laundry', [member])
    await app.patch(`${org.path}/activities/wash`, { target: { groups: ['laundry'] } }, org.owner.token)
    await app.runDueJobs()
    const shown = (await pollNtfy(app, phone, 'activities/json?poll=1')).at(-1)
    expect(shown).toMatchObject({ event: 'message', title: 'Laundry' })
    await app.del(`${org.path}/groups/${group}/members/${member.userId}`, org.owner.token)
    await app.runDueJobs()
    const removed = (await pollNtfy(app, phone, 'activities/json?poll=1')).at(-1)
    expect(removed).toMatchObject({ event: 'message_delete', sequence_id: shown.sequence_id })
  })

  test('a viewer of a shared approval gets no buttons, an editor gets some of their own', async () => {
    const { user, patch } = await addActivity()
    const people = { viewer: await app.addUser(), editor: await app.addUser() }
    const devices = { viewer: await addApp(app, people.viewer), editor: await addApp(app, people.editor) }
    await share(app, { owner: user, recipient: people.viewer, what: 'wash' })
    await share(app, { owner: user, recipient: people.editor, what: 'wash', role: 'editor' })
    const options = [
      { id: 'yes', title: 'Deploy' },
      { id: 'no', title: 'Wait' },
    ]
    await patch({ state: 'ongoing', content: { template: 'approval', state: 'v2?', options } })
    await app.runDueJobs()
    const [seen] = await pollNtfy(app, devices.viewer, 'activities/json?poll=1')
    expect([seen.message, seen.actions]).toEqual(['v2?\nDeploy · Wait', undefined])
    expect(seen.click).toContain(`${app.url}/app/activities/`)
    const [asked] = await pollNtfy(app, devices.editor, 'activities/json?poll=1')
    const { pathname } = new URL(asked.actions[0].url)
    const { url: _, ...action } = asked.actions[0]
    // A ticket with the account of the editor is longer than one of the owner.
    expect(pathname.length).toBeGreaterThan('/answers/'.length + 60)
    expect((await app.call('POST', pathname, { raw: action.body, headers: action.headers })).status).toBe(200)
    const { answer } = (await app.get('/activities/wash', user.token)).body.content
    expect(answer).toMatchObject({ option: 'yes', by: 'user' })
  })
})

test('at the Bark app: off by default; one id, quiet updates that are not archived, a deletion after the end', async () => {
  const { user, patch } = await addActivity({ dismissal_ttl: 60 })
  const phone = await addBarkPhone(app, user)
  const start = { state: 'ongoing', content: { template: 'generic', progress: 0.5, state: 'Half' } }
  await patch(start)
  await app.runDueJobs()
  expect(phone.pushes()).toEqual([])
  await patch({ state: 'ended' })
  await passes(61)
  await app.patch(`/devices/${phone.deviceId}`, { options: { activities: true } }, user.token)
  await patch(start)
  await app.runDueJobs()
  const [first] = phone.pushes()
  expect(first?.payload).toMatchObject({
    level: 'active',
    isarchive: '0',
    aps: { alert: { title: 'Washing', body: '50 % ▓▓▓▓▓░░░░░ · Half' } },
  })
  for (let i = 0; i < 10; i++) {
    await patch({ content: { template: 'generic', progress: 0.5 + i / 100, state: `s${i}` } })
    await passes(5)
  }
  await passes(60)
  const updates = phone.pushes()
  expect(updates).toHaveLength(1)
  expect(updates[0]?.payload).toMatchObject({ id: first?.payload.id, level: 'passive' })
  expect(updates[0]?.payload.aps.alert?.body).toContain('s9')
  await patch({ state: 'ended', content: { template: 'generic', state: 'Done' } })
  await passes(61)
  const [end, gone] = phone.pushes()
  expect(end?.payload).toMatchObject({ level: 'passive', aps: { alert: { body: expect.stringContaining('Done') } } })
  expect(gone?.payload).toMatchObject({ id: first?.payload.id, delete: '1' })
})

test('at the Bark app: a push that fails is tried again, with the state of then', async () => {
  const { user, patch } = await addActivity()
  const phone = await addBarkPhone(app, user)
  await app.patch(`/devices/${phone.deviceId}`, { options: { activities: true } }, user.token)
  app.apns.script(phone.token, { status: 503, reason: 'ServiceUnavailable' })
  await patch({ state: 'ongoing', content: { template: 'generic', state: 'Filling' } })
  await app.runDueJobs()
  expect(phone.pushes()).toHaveLength(1)
  await patch({ content: { template: 'generic', state: 'Spinning' } })
  await passes(10)
  const [shown, ...others] = phone.pushes()
  expect(shown?.payload).toMatchObject({ level: 'active', aps: { alert: { body: 'Spinning' } } })
  expect(others).toEqual([])
})
