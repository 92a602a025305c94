// Questions of an organization: the first answer of any reached member wins, and everyone learns who gave it.
import { describe, expect, test } from 'vitest'
import { makeTicket } from '../../../src/domain/answers/answer-ticket.ts'
import type { NotificationId } from '../../../src/domain/notifications/notification.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestUser } from '../../support/app.ts'
import { type ApplePhone, addPhone } from '../../support/devices/phone.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { callTool, connectMcp } from '../../support/mcp/client.ts'
import { createOrganization, join } from '../../support/organizations/organization.ts'
import { addOrgKey, entryOf, type OrgKey } from '../../support/organizations/sends.ts'

const app = usePushApp()

const QUESTION = {
  title: 'Deploy?',
  body: 'All checks are green.',
  actions: [
    { id: 'yes', title: 'Yes' },
    { id: 'no', title: 'No', text_input: true },
  ],
}

async function createAsked() {
  const org = await createOrganization(app, 2)
  const [first, second] = org.members as [TestUser, TestUser]
  const phones = [
    await addPhone(app, { app, user: first, name: 'First' }),
    await addPhone(app, { app, user: second, name: 'Second' }),
  ] as [ApplePhone, ApplePhone]
  const key = await addOrgKey(app, org)
  return { org, first, second, phones, key, headId: await ask(key) }
}

async function ask({ key }: OrgKey, members: object = {}): Promise<number> {
  const { status, text, body } = await app.post('/notifications', { ...QUESTION, ...members }, key)
  if (status !== 201) throw new Error(text)
  expect(body.answerable).toBe(true)
  return body.id
}

const answerTo = (id: number, { token }: TestUser, body: object) => app.post(`/notifications/${id}/answer`, body, token)
const answer = async (headId: number, user: TestUser, body: object) =>
  answerTo(await entryOf(app, user, headId), user, body)
const read = (id: number, token: string, query = '') => app.get(`/notifications/answers/${id}${query}`, token)

async function runJobs() {
  while ((await app.runDueJobs()) > 0);
}

describe('the first answer wins', () => {
  test('200 with who gave it; 409 with the winner for everyone after', async () => {
    const { first, second, key, headId } = await createAsked()
    const waiting = read(headId, key.key, '?wait=25')
    const given = await answer(headId, second, { action_id: 'no', text: 'not on a Friday' })
    expect(given.status).toBe(200)
    const winner = { status: 'answered', action_id: 'no', text: 'not on a Friday', answered_by: second.userId }
    expect(given.body).toMatchObject({ ...winner, notification_id: await entryOf(app, second, headId) })
    expect((await waiting).body).toMatchObject({ ...winner, notification_id: headId })

    const late = await answer(headId, first, { action_id: 'yes' })
    expectProblem(late, 409, 'notification_answer.already_answered')
    expect(late.body.answer).toMatchObject({ ...winner, notification_id: await entryOf(app, first, headId) })
    expect((await read(headId, key.key)).body).toMatchObject(winner)
  })

  test('an agent with a key of the organization learns who gave it', async () => {
    const { second, key, headId } = await createAsked()
    await answer(headId, second, { action_id: 'yes' })
    const agent = await connectMcp(app.app.url, key.key)
    const { structuredContent } = await callTool(agent, 'get_answer', { notification_id: headId })
    expect(structuredContent).toMatchObject({ choice: 'Yes', answered_by: second.userId })
  })

  test('by the ticket of a push, which says who answered', async () => {
    const { first, phones, key, headId } = await createAsked()
    expect((await phones[0].answer('Deploy?', 'yes')).body).toMatchObject({ answered_by: first.userId })
    expect((await read(headId, key.key)).body).toMatchObject({ action_id: 'yes', answered_by: first.userId })
    const late = await phones[1].answer('Deploy?', 'no')
    expectProblem(late, 409, 'notification_answer.already_answered')
    expect(late.body.answer.answered_by).toBe(first.userId)
  })

  test('by the page of a member’s ticket, which names the organization as the sender', async () => {
    const { org, first, key } = await createAsked()
    await app.patch(org.path, { name: 'Power & Light' }, org.owner.token)
    const entry = await entryOf(app, first, await ask(key, { source: 'ci', source_display_name: 'Pipeline' }))
    const ticket = makeTicket(app.app.ctx.signingKey, entry as NotificationId)
    const page = await app.call('GET', `/answers/${ticket}`, { headers: { accept: 'text/html' } })
    expect(page.text).toContain('Power &amp; Light')
    expect(page.text).not.toContain('Pipeline')
  })

  test('the banners of the others are withdrawn', async () => {
    const { first, phones, headId } = await createAsked()
    expect((await phones[1].screen()).banners).toEqual(['Deploy?'])
    await answer(headId, first, { action_id: 'yes' })
    await runJobs()
    expect((await phones[1].screen()).banners).toEqual([])
  })

  test('notification.answered is in every feed: of members with their own entry, of the organization with the head', async () => {
    const { org, first, second, headId } = await createAsked()
    const feeds = await Promise.all([
      openEvents(app.url, first.token),
      openEvents(app.url, second.token),
      openEvents(app.url + org.path, org.admin.token),
    ])
    const ids = [await entryOf(app, first, headId), await entryOf(app, second, headId), headId]
    await answer(headId, first, { action_id: 'yes' })
    await runJobs()
    for (const [index, feed] of feeds.entries()) {
      await eventually(() => expect(feed.types()).toContain('notification.answered'))
      const answered = feed.events.filter(({ event }) => event === 'notification.answered')
      expect(answered.map(({ data }) => data.data)).toMatchObject([{ id: ids[index], action_id: 'yes' }])
      feed.close()
    }
  })
})

describe('who may read and give it', () => {
  test('a pending answer carries nothing but its id and status', async () => {
    const { org, first, key, headId } = await createAsked()
    const pending = { notification_id: headId, status: 'pending' }
    expect((await read(headId, key.key)).body).toEqual(pending)
    expect((await app.get(`${org.path}/notifications/answers/${headId}`, org.owner.token)).body).toEqual(pending)
    const entryId = await entryOf(app, first, headId)
    expect((await read(entryId, first.token)).body).toEqual({ notification_id: entryId, status: 'pending' })
  })

  test('404 for another key of the organization, for a stranger, and for someone else’s entry', async () => {
    const { org, first, second, headId } = await createAsked()
    const stranger = await app.addUser()
    const other = await addOrgKey(app, org)
    const entryId = await entryOf(app, first, headId)
    for (const [id, token] of [
      [headId, other.key],
      [headId, stranger.token],
      [headId, first.token],
      [entryId, second.token],
    ] as const) {
      expectProblem(await read(id, token), 404, 'notification_answer.not_found')
    }
    for (const [id, person] of [
      [headId, first],
      [entryId, second],
      [entryId, stranger],
    ] as const) {
      expectProblem(await answerTo(id, person, { action_id: 'yes' }), 404, 'notification_answer.not_found')
    }
  })

  test('404 after leaving, by token and by ticket; after coming back it can be answered again', async () => {
    const { org, first, phones, key, headId } = await createAsked()
    await app.del(`${org.path}/members/me`, first.token)
    expectProblem(await answer(headId, first, { action_id: 'yes' }), 404, 'notification_answer.not_found')
    expectProblem(await phones[0].answer('Deploy?', 'yes'), 404, 'notification_answer.not_found')
    expect((await read(headId, key.key)).body.status).toBe('pending')
    await join(app, org, [first])
    expect((await answer(headId, first, { action_id: 'yes' })).status).toBe(200)
  })

  test('the answer of someone who has left stands, with their id', async () => {
    const { org, first, key, headId } = await createAsked()
    await answer(headId, first, { action_id: 'yes' })
    await app.del(`${org.path}/members/${first.userId}`, org.owner.token)
    expect((await read(headId, key.key)).body).toMatchObject({ action_id: 'yes', answered_by: first.userId })
  })

  test('404 after the own entry was deleted; the others still answer', async () => {
    const { first, second, headId } = await createAsked()
    const entryId = await entryOf(app, first, headId)
    expect((await app.del(`/notifications/${entryId}`, first.token)).status).toBe(204)
    expectProblem(await answerTo(entryId, first, { action_id: 'yes' }), 404, 'notification_answer.not_found')
    expect((await answer(headId, second, { action_id: 'yes' })).status).toBe(200)
  })

  test('a muted member answers', async () => {
    const { org, first, key } = await createAsked()
    const muted_until = new Date(app.clock.now() + 3_600_000).toISOString()
    await app.patch(`${org.path}/members/me`, { muted_until }, first.token)
    const headId = await ask(key)
    expect((await answer(headId, first, { action_id: 'yes' })).status).toBe(200)
  })

  test('422 for an unknown action, and for text where none is asked for', async () => {
    const { first, headId } = await createAsked()
    expect((await answer(headId, first, { action_id: 'maybe' })).status).toBe(422)
    expect((await answer(headId, first, { action_id: 'yes', text: 'now' })).status).toBe(422)
  })

  test('the recalled question’s answer stays readable by the sender', async () => {
    const { org, first, key, headId } = await createAsked()
    await answer(headId, first, { action_id: 'yes' })
    expect((await app.del(`${org.path}/notifications/${headId}`, org.admin.token)).status).toBe(204)
    await runJobs()
    expect((await read(headId, key.key)).body).toMatchObject({ action_id: 'yes', answered_by: first.userId })
  })
})

test('429 for the fifth open wait of the organization, over all its keys', async () => {
  const { org, second, key, headId } = await createAsked()
  const other = await addOrgKey(app, org)
  const others = await ask(other)
  const waits = [headId, headId, headId].map((id) => read(id, key.key, '?wait=25'))
  waits.push(read(others, other.key, '?wait=25'))
  await eventually(async () => expect(await openWaits(org.id)).toBe(4))
  expectProblem(await read(headId, key.key, '?wait=25'), 429, 'answer_wait.limit_exceeded')
  await answer(headId, second, { action_id: 'yes' })
  await answer(others, second, { action_id: 'no' })
  for (const wait of waits) expect((await wait).status).toBe(200)
})

test('a member waits for the answer to an entry, and returns with the answer of another member', async () => {
  const { first, second, headId } = await createAsked()
  const entryId = await entryOf(app, first, headId)
  const waiting = read(entryId, first.token, '?wait=25')
  await eventually(async () => expect(await openWaits(first.userId)).toBe(1))
  await answer(headId, second, { action_id: 'yes' })
  expect((await waiting).body).toMatchObject({ notification_id: entryId, answered_by: second.userId })
})

async function openWaits(accountId: string): Promise<number> {
  const rows = await app.app.ctx.db.read.all(sql`select 1 as open from open_waits where user_id = ${accountId}`)
  return rows.length
}
