// ask_human and request_approval: calls of the Model Context Protocol that wait for a person.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { eventually } from '../../support/eventually.ts'
import { createWatchedClock } from '../../support/fakes/watched-clock.ts'
import { callTool, connectMcp, MCP_ERAS, type ToolResult } from '../../support/mcp/client.ts'

const clock = createWatchedClock()
const nodes: TestApp[] = []
let first: TestApp
// Another server on the same database if the database allows two, else the same.
let second: TestApp
let user: TestUser
beforeAll(async () => {
  first = await startTestApp({}, undefined, { clock })
  nodes.push(first)
  if (isPostgres()) nodes.unshift(await startTestApp({}, first.database, { clock }))
  second = nodes[0] as TestApp
})
afterAll(async () => {
  for (const node of nodes) await node.stop()
})
beforeEach(async () => {
  user = await first.addUser()
})

type Row = { count: number }
async function openWaits({ userId } = user): Promise<number> {
  const row = await first.app.ctx.db.read.first<Row>(
    sql`select count(*) as count from open_waits where user_id = ${userId}`,
  )
  return row?.count ?? 0
}

const QUESTION = { question: 'Deploy?', options: ['Yes', 'No'] }

// Begins a call and returns once the server waits in it.
async function begin(call: () => Promise<ToolResult>): Promise<{ result: Promise<ToolResult>; id: number }> {
  const before = await openWaits()
  const result = call()
  // A test that expects a failure looks at it later.
  result.catch(() => {})
  const ended = result.then((answer) => Promise.reject(new Error(`it does not wait: ${JSON.stringify(answer)}`)))
  await Promise.race([ended, eventually(async () => expect(await openWaits()).toBe(before + 1))])
  const { items } = (await first.get('/notifications?limit=1', user.token)).body
  return { result, id: items[0]?.id }
}

const reply = (id: number, node = first) =>
  node.post(`/notifications/${id}/answer`, { action_id: 'option-1' }, user.token)

// One second at a time, as a waiting call is woken.
async function advance(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    const alarms = clock.alarmsMs.length
    clock.advanceSeconds(1)
    await eventually(() => expect(clock.alarmsMs.length).toBeGreaterThan(alarms))
  }
}

describe.each(MCP_ERAS)('ask_human (%s)', (era) => {
  test('returns the answer as soon as a person gives it, on whichever node', async () => {
    const client = await connectMcp(first.app.url, user.token, era)
    const { result, id } = await begin(() => callTool(client, 'ask_human', QUESTION))
    await reply(id, second)
    expect((await result).structuredContent).toMatchObject({ status: 'answered', choice: 'Yes' })
    expect(await openWaits()).toBe(0)
  })

  test('lets the person type where it names no options, and beside them only with free_text', async () => {
    const client = await connectMcp(first.app.url, user.token, era)
    const titlesOf = async (id: number) =>
      (await first.get(`/notifications/${id}`, user.token)).body.actions.map(({ title }: { title: string }) => title)
    const chosen = await begin(() => callTool(client, 'ask_human', QUESTION))
    expect(await titlesOf(chosen.id)).toEqual(['Yes', 'No'])
    const both = await begin(() => callTool(client, 'ask_human', { ...QUESTION, free_text: true }))
    expect(await titlesOf(both.id)).toEqual(['Yes', 'No', 'Reply'])
    const typed = await begin(() => callTool(client, 'ask_human', { question: 'When?' }))
    expect(await titlesOf(typed.id)).toEqual(['Reply'])
    await first.post(`/notifications/${typed.id}/answer`, { action_id: 'text', text: 'Tomorrow' }, user.token)
    expect((await typed.result).structuredContent).toMatchObject({ status: 'answered', text: 'Tomorrow' })
    for (const { id, result } of [chosen, both]) {
      await reply(id)
      await result
    }
  })

  test('reports progress at least every 15 seconds, and keeps its slot for as long as it waits', async () => {
    const client = await connectMcp(first.app.url, user.token, era)
    const reports: number[] = []
    const onprogress = ({ progress }: { progress: number }) => reports.push(progress)
    const { result, id } = await begin(() => callTool(client, 'ask_human', QUESTION, { onprogress }))
    await advance(90)
    expect(await openWaits()).toBe(1)
    await eventually(() => expect(reports.at(-1)).toBeGreaterThanOrEqual(75))
    const gaps = reports.map((seconds, index) => seconds - (reports[index - 1] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(15)
    await reply(id)
    expect((await result).structuredContent).toMatchObject({ status: 'answered' })
  })

  test('says after the timeout that nobody has answered, and get_answer reads the answer later', async () => {
    const client = await connectMcp(first.app.url, user.token, era)
    const { result, id } = await begin(() => callTool(client, 'ask_human', { ...QUESTION, timeout_seconds: 10 }))
    clock.advanceSeconds(10)
    const { structuredContent, isError } = await result
    expect(isError).toBe(false)
    expect(structuredContent).toMatchObject({ notification_id: id, status: 'pending' })
    expect(structuredContent?.note).toContain(`get_answer with notification_id ${id}`)
    await reply(id)
    const later = await callTool(client, 'get_answer', { notification_id: id })
    expect(later.structuredContent).toMatchObject({ status: 'answered', choice: 'Yes' })
  })

  test('waits for five minutes if it names no time', async () => {
    const client = await connectMcp(first.app.url, user.token, era)
    const { result } = await begin(() => callTool(client, 'ask_human', QUESTION))
    clock.advanceSeconds(300)
    expect((await result).structuredContent?.note).toContain('Nobody has answered within 300 seconds')
  })

  test('stops waiting when the call is canceled; the question stays open', async () => {
    const client = await connectMcp(first.app.url, user.token, era)
    const cancel = new AbortController()
    const { result, id } = await begin(() => callTool(client, 'ask_human', QUESTION, { signal: cancel.signal }))
    cancel.abort()
    await expect(result).rejects.toThrow()
    await eventually(async () => expect(await openWaits()).toBe(0))
    expect((await reply(id)).status).toBe(200)
  })

  test('ends when its token is revoked, without a poll', async () => {
    const { id, key } = (await first.post('/integrations/keys', { name: 'agent' }, user.token)).body
    const client = await connectMcp(first.app.url, key, era)
    const { result } = await begin(() => callTool(client, 'ask_human', QUESTION))
    expect((await second.del(`/integrations/keys/${id}`, user.token)).status).toBe(204)
    expect(await result).toMatchObject({ isError: true, text: expect.stringContaining('token.invalid') })
  })
})

test.skipIf(sqliteSuffices())('request_approval waits for the decision', async () => {
  const client = await connectMcp(first.app.url, user.token)
  const args = { slug: 'release', question: 'Ship v2?', timeout_seconds: 10 }
  const unanswered = await begin(() => callTool(client, 'request_approval', args))
  clock.advanceSeconds(10)
  expect((await unanswered.result).structuredContent).toMatchObject({ slug: 'release', status: 'pending' })
  expect((await first.post('/activities/release/answer', { option: 'approve' }, user.token)).status).toBe(200)
  const later = await callTool(client, 'update_activity', { slug: 'release' })
  expect(later.structuredContent).toMatchObject({ state: 'ended', content: { answer: { option: 'approve' } } })

  const { result } = await begin(() => callTool(client, 'request_approval', args))
  await second.post('/activities/release/answer', { option: 'deny' }, user.token)
  expect((await result).structuredContent).toMatchObject({ status: 'answered', option: 'deny', choice: 'Deny' })
})

test.skipIf(sqliteSuffices())('request_approval says that the question was ended without an answer', async () => {
  const client = await connectMcp(first.app.url, user.token)
  const { result } = await begin(() => callTool(client, 'request_approval', { slug: 'deploy', question: 'Ship?' }))
  expect((await first.patch('/activities/deploy', { state: 'ended' }, user.token)).status).toBe(200)
  expect((await result).structuredContent).toEqual({ slug: 'deploy', status: 'ended' })
})

test.skipIf(sqliteSuffices())('get_answer and get_receipt wait as long as they are told to', async () => {
  const client = await connectMcp(first.app.url, user.token)
  const message = { title: 'Deploy?', body: 'b' }
  const actions = [{ id: 'yes', title: 'Yes' }]
  const { id: notification_id } = (await first.post('/notifications', { ...message, actions }, user.token)).body
  const wait = (tool: string, id: number) =>
    begin(() => callTool(client, tool, { notification_id: id, wait_seconds: 20 }))
  const answer = await wait('get_answer', notification_id)
  await first.post(`/notifications/${notification_id}/answer`, { action_id: 'yes' }, user.token)
  expect((await answer.result).structuredContent).toMatchObject({ status: 'answered', choice: 'Yes' })

  const { id: alert } = (await first.post('/notifications', { ...message, acknowledge: {} }, user.token)).body
  const ended = await wait('get_receipt', alert)
  await first.post(`/notifications/receipts/${alert}/cancel`, undefined, user.token)
  expect((await ended.result).structuredContent).toMatchObject({ status: 'canceled' })
})

describe('an account has 32 calls that wait at a time, of which 8 may be of one key', () => {
  const beginMany = async (token: string, count: number) => {
    const client = await connectMcp(first.app.url, token)
    const begun = []
    for (let i = 0; i < count; i++) begun.push(await begin(() => callTool(client, 'ask_human', QUESTION)))
    return begun
  }
  async function expectNoWait(token: string, limit: string) {
    const { structuredContent } = await callTool(await connectMcp(second.app.url, token), 'ask_human', QUESTION)
    expect(structuredContent).toMatchObject({ status: 'pending', notification_id: expect.any(Number) })
    expect(structuredContent?.note).toContain('get_answer')
    expect(structuredContent?.note).toContain(limit)
  }

  test('a call beyond them returns the id of its question at once', async () => {
    const keys = [user.defaultKey, await first.addKey(user, { name: 'Other' })]
    const waiting = []
    for (const key of keys) waiting.push(...(await beginMany(key, 8)))
    for (const key of keys) await expectNoWait(key, '8 calls of one key')
    waiting.push(...(await beginMany(user.token, 16)))
    await expectNoWait(user.token, '32 calls of one account')

    // Requests with ?wait have slots of their own.
    const { id: asked = 0 } = waiting[0] ?? {}
    const answer = first.get(`/notifications/answers/${asked}?wait=1`, user.token)
    await eventually(async () => expect(await openWaits()).toBe(33))
    for (const { id } of waiting) await reply(id)
    expect((await answer).body).toMatchObject({ status: 'answered' })
    for (const { result } of waiting) expect((await result).structuredContent).toMatchObject({ status: 'answered' })
  })
})

test.skipIf(sqliteSuffices())('a hundred open calls take a hundred slots, and end with their answers', async () => {
  const accounts = await Promise.all(Array.from({ length: 5 }, () => first.addUser()))
  const calls = []
  for (const account of accounts) {
    const client = await connectMcp(first.app.url, account.token)
    for (let i = 0; i < 20; i++) calls.push(callTool(client, 'ask_human', QUESTION))
  }
  const slots = async () => (await Promise.all(accounts.map(openWaits))).reduce((sum, count) => sum + count, 0)
  await eventually(async () => expect(await slots()).toBe(100))
  // The server goes on serving others.
  expect((await first.get('/auth/me', user.token)).status).toBe(200)
  for (const { token } of accounts) {
    const { items } = (await first.get('/notifications', token)).body
    for (const { id } of items) await first.post(`/notifications/${id}/answer`, { action_id: 'option-2' }, token)
  }
  for (const call of calls) expect((await call).structuredContent).toMatchObject({ choice: 'No' })
  expect(await slots()).toBe(0)
})

test.skipIf(sqliteSuffices())('a server that stops ends the open calls, and the question stays', async () => {
  const node = await startTestApp({}, undefined)
  const account = await node.addUser()
  const client = await connectMcp(node.app.url, account.token)
  const asked = callTool(client, 'ask_human', QUESTION)
  await eventually(async () => {
    const { items } = (await node.get('/notifications', account.token)).body
    expect(items).toHaveLength(1)
  })
  await Promise.all([node.stop(), expect(asked).resolves.toMatchObject({ structuredContent: { status: 'pending' } })])
})
