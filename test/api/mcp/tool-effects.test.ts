// What the tools of the Model Context Protocol promise besides their results: the slug lists and levels of a key, calls that are
// carried out once, pages, hints for clients, and what a refusal leaves behind.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import { callTool, connectMcp } from '../../support/mcp/client.ts'
import { setUsed } from '../../support/usage.ts'

const app = useTestApp()
const connect = (token: string) => connectMcp(app.app.url, token)

describe('a key', () => {
  test('with slug lists uses no tool on another slug', async () => {
    const user = await app.addUser()
    const content = { template: 'value', value: 1 }
    await app.post('/widgets', { slug: 'home', name: 'Home', content }, user.token)
    await app.post('/activities', { slug: 'home', name: 'Home' }, user.token)
    const permissions = { activities: 'manage', widgets: 'write' }
    const client = await connect(
      await app.addKey(user, { permissions, activity_slugs: ['ci-*'], widget_slugs: ['ci-*'] }),
    )
    const call = (tool: string, args: object = {}) => callTool(client, tool, { slug: 'home', ...args })
    const refused = [
      await call('set_widget', { name: 'Home', content: { ...content, value: 2 } }),
      await call('get_widget'),
      await call('start_activity', { content: { template: 'generic', state: 'x' } }),
      await call('update_activity', { content: { state: 'x' } }),
      await call('end_activity'),
      await call('request_approval', { question: 'Ship?', timeout_seconds: 10 }),
    ]
    for (const { text } of refused) expect(text).toMatch(/^integration_key.slug_invalid: /)
    expect((await app.get('/widgets/home', user.token)).body.content.value).toBe(1)
    expect((await app.get('/activities/home', user.token)).body).toMatchObject({ state: 'ended', content: {} })
    const own = await callTool(client, 'set_widget', { slug: 'ci-tests', name: 'Tests', content })
    expect(own.isError).toBe(false)
  })

  test('that may only update starts an activity that is there, and creates none', async () => {
    const user = await app.addUser()
    await app.post('/activities', { slug: 'known', name: 'Known' }, user.token)
    const client = await connect(await app.addKey(user, { permissions: { activities: 'update' } }))
    const start = (slug: string) =>
      callTool(client, 'start_activity', { slug, content: { template: 'generic', state: 'Begun' } })
    expect((await start('new')).text).toMatch(/^activity.not_found: /)
    expect((await start('known')).structuredContent).toMatchObject({ state: 'ongoing', content: { state: 'Begun' } })
    expect((await app.get('/activities', user.token)).body.items).toHaveLength(1)
  })
})

describe('an idempotency_key', () => {
  test('makes ask_human ask once: a repeated call gets the answer to the first question', async () => {
    const { token } = await app.addUser()
    const client = await connect(token)
    const ask = () => callTool(client, 'ask_human', { question: 'Deploy?', options: ['Yes'], idempotency_key: 'q' })
    const asked = ask()
    const inbox = async () => (await app.get('/notifications', token)).body.items
    const { id } = await eventually(async () => {
      const items = await inbox()
      expect(items).toHaveLength(1)
      return items[0]
    })
    await app.post(`/notifications/${id}/answer`, { action_id: 'option-1' }, token)
    const answered = { notification_id: id, status: 'answered', choice: 'Yes' }
    expect((await asked).structuredContent).toMatchObject(answered)
    let isOver = false
    const again = ask().finally(() => (isOver = true))
    await eventually(async () => expect(isOver || (await inbox()).length > 1).toBe(true))
    expect(await inbox()).toHaveLength(1)
    expect((await again).structuredContent).toMatchObject(answered)
  })

  test('counts for its tool alone, and for alerts and schedules too', async () => {
    const { token } = await app.addUser()
    const client = await connect(token)
    const message = { title: 'Bins', body: 'Paper', idempotency_key: 'once' }
    const call = async (tool: string, more: object = {}) =>
      (await callTool(client, tool, { ...message, ...more })).structuredContent?.id
    const [sent, alerted] = [await call('send_notification'), await call('send_alert')]
    expect(alerted).toEqual(expect.any(Number))
    expect(alerted).not.toBe(sent)
    expect(await call('send_alert')).toBe(alerted)
    const send_at = new Date(app.clock.now() + 3_600_000).toISOString()
    const scheduled = await call('schedule_notification', { send_at })
    expect(scheduled).toEqual(expect.any(Number))
    expect(await call('schedule_notification', { send_at })).toBe(scheduled)
    expect((await app.get('/notifications/scheduled', token)).body.items).toHaveLength(1)
    expect((await app.get('/notifications', token)).body.items).toHaveLength(2)
  })
})

test('list_inbox and list_schedules have 20 at a time, and a cancelled schedule stays in the history', async () => {
  const { token } = await app.addUser()
  const client = await connect(token)
  const send_at = new Date(app.clock.now() + 3_600_000).toISOString()
  const message = { title: 'T', body: 'B' }
  await Promise.all(
    Array.from({ length: 21 }, async () => {
      await app.post('/notifications', { ...message, push: false }, token)
      await app.post('/notifications/scheduled', { ...message, send_at }, token)
    }),
  )
  for (const tool of ['list_inbox', 'list_schedules']) {
    const { structuredContent } = await callTool(client, tool)
    const { items, has_more, next_cursor } = structuredContent as {
      items: object[]
      has_more: boolean
      next_cursor: string
    }
    expect([tool, items.length, has_more]).toEqual([tool, 20, true])
    const rest = await callTool(client, tool, { cursor: next_cursor })
    expect(rest.structuredContent).toMatchObject({ items: [expect.any(Object)], has_more: false })
  }
  const { items } = (await callTool(client, 'list_schedules', { limit: 1 })).structuredContent as {
    items: [{ id: number }]
  }
  await callTool(client, 'cancel_schedule', { id: items[0].id })
  const canceled = await callTool(client, 'list_schedules', { status: 'canceled' })
  expect(canceled.structuredContent).toMatchObject({ items: [{ id: items[0].id, status: 'canceled' }] })
})

test('clients learn which tools change nothing, and which remove or replace something', async () => {
  const { tools } = await (await connect((await app.addUser()).token)).listTools()
  const named = (hint: 'readOnlyHint' | 'destructiveHint') =>
    tools.flatMap(({ name, annotations }) => (annotations?.[hint] ? [name] : [])).sort()
  expect(named('readOnlyHint')).toEqual(
    ['get_answer', 'get_notification', 'get_receipt', 'get_widget', 'list_inbox', 'list_schedules'].sort(),
  )
  expect(named('destructiveHint')).toEqual(['cancel_alert', 'cancel_schedule', 'end_activity', 'set_widget'].sort())
})

test('a question shows its details, or else its options, below it', async () => {
  const { token } = await app.addUser()
  const client = await connect(token)
  const stop = new AbortController()
  const options = ['Yes', 'No']
  const questions = [{ details: 'Version 2', options }, { options }, {}]
  const asked = questions.map((args) =>
    callTool(client, 'ask_human', { question: 'Deploy?', ...args }, { signal: stop.signal }),
  )
  const ended = Promise.allSettled(asked)
  const items: { title: string; body: string }[] = await eventually(async () => {
    const { items } = (await app.get('/notifications', token)).body
    expect(items).toHaveLength(3)
    return items
  })
  stop.abort()
  await ended
  expect(items.map(({ body }) => body).sort()).toEqual(['Type an answer.', 'Version 2', 'Yes · No'])
})

test('a refused send counts in the usage of the account, and says when to try again', async () => {
  const user = await app.addUser('free')
  const client = await connect(user.defaultKey)
  await setUsed(app, user, 'notifications', 500)
  const { isError, text } = await callTool(client, 'send_notification', { title: 'a', body: 'b' })
  expect(isError).toBe(true)
  expect(text).toMatch(/^quota\.exceeded: .*\n.*\nTry again in \d+ s\.$/)
  await callTool(client, 'get_widget', { slug: 'none' })
  const { days } = (await app.get('/auth/me/usage?days=1', user.token)).body
  expect(days).toMatchObject([{ sent: 0, refused: 1 }])
})
