// Messages of ntfy that update each other, and what deleting and clearing them does to notifications.
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../../support/app.ts'
import { createOrganization } from '../../../support/organizations/organization.ts'
import { addOrgKey } from '../../../support/organizations/sends.ts'
import { askNtfy, headersFor, inboxOf } from './client.ts'

const app = useTestApp()

const publish = (user: TestUser, path: string, body: string, headers: Record<string, string> = {}) =>
  askNtfy(app, 'PUT', path, { headers: headersFor(user, headers), body })
const change = (user: TestUser, method: string, path: string) =>
  askNtfy(app, method, path, { headers: headersFor(user) })
const bodies = async (user: TestUser) => (await inboxOf(app, user)).map(({ body }: { body: string }) => body)
const unread = async (user: TestUser) => (await app.get('/notifications/unread-count', user.token)).body.count

describe('PUT /<topic>/<sequence>', () => {
  test('200 with the sequence, given in the path, a header or the JSON', async () => {
    const user = await app.addUser()
    const inPath = await publish(user, '/t/build-7', 'x', { 'X-Sequence-ID': 'not-this' })
    const inHeader = await publish(user, '/t', 'x', { 'X-Sequence-ID': 'build-7' })
    const inJson = await publish(user, '/', '{"topic":"t","sequence_id":"build-7"}')
    for (const { body } of [inPath, inHeader, inJson]) expect(body.sequence_id).toBe('build-7')
    const ids = [inPath, inHeader, inJson].map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(3)
  })

  test('200 for an update by the id of the first message, which then counts as read', async () => {
    const user = await app.addUser()
    const { body: first } = await publish(user, '/t', 'starts')
    const { body: update } = await publish(user, `/t/${first.id}`, 'ends')
    expect(update.sequence_id).toBe(first.id)
    expect(await bodies(user)).toEqual(['ends', 'starts'])
    expect(await unread(user)).toBe(1)
  })
})

describe('DELETE /<topic>/<sequence>', () => {
  test('200 with the event; deletes the sequence and nothing else', async () => {
    const user = await app.addUser()
    for (const [path, body] of [
      ['/t/s', 'one'],
      ['/t/s', 'two'],
      ['/t/r', 'other'],
      ['/u/s', 'topic'],
    ] as const) {
      await publish(user, path, body)
    }
    const { status, body } = await change(user, 'DELETE', '/t/s')
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[A-Za-z0-9]{12}$/),
        sequence_id: 's',
        time: Math.floor(app.clock.now() / 1000),
        event: 'message_delete',
        topic: 't',
      },
    ])
    expect(await bodies(user)).toEqual(['topic', 'other'])
  })

  test('200 by the id of a message, only in its topic', async () => {
    const user = await app.addUser()
    const { body } = await publish(user, '/t', 'x')
    await change(user, 'DELETE', `/other/${body.id}`)
    expect(await bodies(user)).toEqual(['x'])
    await change(user, 'DELETE', `/t/${body.id}`)
    expect(await bodies(user)).toEqual([])
  })

  test('200 deletes what the key has sent itself; a person deletes all', async () => {
    const user = await app.addUser()
    const other = { ...user, defaultKey: await app.addKey(user, { permissions: { notifications: 'send' } }) }
    const { body } = await publish(user, '/t', 'by id')
    await publish(user, '/t/s', 'mine')
    await publish(other, '/t/s', 'of the other key')
    await change(other, 'DELETE', `/t/${body.id}`)
    await change(other, 'DELETE', '/t/s')
    expect(await bodies(user)).toEqual(['mine', 'by id'])
    await change({ ...user, defaultKey: user.token }, 'DELETE', '/t/s')
    expect(await bodies(user)).toEqual(['by id'])
  })

  test('200 leaves the messages of another account alone', async () => {
    const [user, other] = [await app.addUser(), await app.addUser()]
    const { body } = await publish(user, '/t', 'x')
    expect((await change(other, 'DELETE', `/t/${body.id}`)).status).toBe(200)
    expect(await bodies(user)).toEqual(['x'])
  })

  test('200 for a sequence with more messages than one step deletes', async () => {
    const user = await app.addUser()
    for (let i = 0; i < 21; i++) await publish(user, '/t/s', String(i))
    await change(user, 'DELETE', '/t/s')
    expect(await bodies(user)).toEqual([])
  })

  test('200 with the key of an organization: sends to its members, and recalls', async () => {
    const org = await createOrganization(app, 2)
    const sender = { ...org.owner, defaultKey: (await addOrgKey(app, org)).key }
    const entries = () => Promise.all(org.members.map(bodies))
    await publish(sender, '/t/s', 'to all')
    expect(await entries()).toEqual([['to all'], ['to all']])
    await change(sender, 'DELETE', '/t/s')
    await app.runDueJobs()
    expect(await entries()).toEqual([[], []])
  })

  test('403 without a token', async () => {
    expect((await askNtfy(app, 'DELETE', '/t/s')).body.code).toBe(40301)
  })
})

describe.each(['clear', 'read'])('PUT /<topic>/<sequence>/%s', (word) => {
  test('200 with the event; marks the sequence as read', async () => {
    const user = await app.addUser()
    await publish(user, '/t/s', 'one')
    await publish(user, '/t/s', 'two')
    await publish(user, '/t', 'other')
    const { status, body } = await change(user, 'PUT', `/t/s/${word}`)
    expect([status, body.event, body.sequence_id]).toEqual([200, 'message_clear', 's'])
    expect([await unread(user), (await bodies(user)).length]).toEqual([1, 3])
  })
})
