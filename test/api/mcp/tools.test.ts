// POST /mcp with the official client: every tool, what a token sees of them, and errors that say what to change.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import { callTool, connectMcp, MCP_ERAS, toolNames } from '../../support/mcp.ts'

const app = useTestApp()
const connect = (token: string, era: (typeof MCP_ERAS)[number] = 'legacy') => connectMcp(app.app.url, token, era)

const FOR_SENDERS = [
  'ask_human',
  'get_answer',
  'send_notification',
  'send_alert',
  'get_receipt',
  'cancel_alert',
  'list_inbox',
  'get_notification',
]
const FOR_ACTIVITIES = ['start_activity', 'update_activity', 'end_activity', 'request_approval']
const FOR_SCHEDULES = ['schedule_notification', 'list_schedules', 'cancel_schedule']
const ALL = [...FOR_SENDERS, ...FOR_ACTIVITIES, 'set_widget', 'get_widget', ...FOR_SCHEDULES].sort()

describe('tools/list', () => {
  test.each(MCP_ERAS)('shows all tools to a full-access token, with schemas and annotations (%s)', async (era) => {
    const client = await connect((await app.addUser()).token, era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(ALL)
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.outputSchema).toMatchObject({ type: 'object' })
      expect(tool.annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), openWorldHint: expect.any(Boolean) })
      expect(tool.description).toMatch(/\.$/)
    }
  })

  test.each([
    ['notifications:send', { notifications: 'send' }, FOR_SENDERS],
    ['notifications:schedule', { notifications: 'schedule' }, [...FOR_SENDERS, ...FOR_SCHEDULES]],
    ['activities:update', { activities: 'update' }, FOR_ACTIVITIES],
    ['activities:read', { activities: 'read' }, []],
    ['widgets:read', { widgets: 'read' }, ['get_widget']],
    ['widgets:write', { widgets: 'write' }, ['set_widget', 'get_widget']],
  ])('shows a key with %s exactly its tools', async (_level, levels, expected) => {
    const permissions = { activities: 'none', notifications: 'none', widgets: 'none', emails: 'none', ...levels }
    const key = await app.addKey(await app.addUser(), { permissions })
    expect((await toolNames(await connect(key))).sort()).toEqual([...expected].sort())
  })
})

describe('tools/call', () => {
  // The client holds every result against the output schema of its tool.
  test.each(MCP_ERAS)('calls every tool (%s)', async (era) => {
    const user = await app.addUser()
    const client = await connect(user.token, era)
    const called = new Set<string>()
    const call = async (name: string, args: Record<string, unknown>) => {
      if (called.size === 0) await client.listTools()
      called.add(name)
      const { structuredContent, isError, text } = await callTool(client, name, args)
      expect({ isError, text }).toMatchObject({ isError: false })
      expect(JSON.parse(text)).toEqual(structuredContent)
      return structuredContent as Record<string, never>
    }

    const asked = call('ask_human', { question: 'Deploy?', options: ['Yes', 'No'], free_text: true })
    const [question] = await eventually(async () => {
      const { items } = (await app.get('/notifications', user.token)).body
      expect(items).toHaveLength(1)
      return items
    })
    await app.post(`/notifications/${question.id}/answer`, { action_id: 'text', text: 'Later.' }, user.token)
    const answered = { status: 'answered', choice: 'Reply', text: 'Later.', answered_by: user.userId }
    expect(await asked).toMatchObject({ ...answered, answered_at: expect.any(String) })
    expect(await call('get_answer', { notification_id: question.id })).toMatchObject(answered)

    const { id } = await call('send_notification', { title: 'Build', body: 'is green' })
    expect(await call('get_notification', { id })).toMatchObject({ title: 'Build' })
    expect(await call('list_inbox', { limit: 2 })).toMatchObject({ items: [{ id }, { id: question.id }] })

    const alert = await call('send_alert', { title: 'Disk', body: 'is full' })
    expect(alert).toMatchObject({ receipt: { status: 'active' } })
    expect(await call('get_receipt', { notification_id: alert.id })).toMatchObject({ status: 'active' })
    expect(await call('cancel_alert', { notification_id: alert.id })).toMatchObject({ status: 'canceled' })

    const content = { template: 'generic', state: 'Compiling', progress: 0.1 }
    expect(await call('start_activity', { slug: 'build', name: 'Build', content })).toMatchObject({
      name: 'Build',
      state: 'ongoing',
    })
    const progress = { slug: 'build', content: { progress: 0.5 } }
    expect(await call('update_activity', progress)).toMatchObject({ content: { state: 'Compiling', progress: 0.5 } })
    expect(await call('update_activity', { slug: 'build' })).toMatchObject({ content: { progress: 0.5 } })
    expect(await call('end_activity', { slug: 'build', content: { state: 'Done' } })).toMatchObject({ state: 'ended' })

    for (const option of ['approve', 'deny']) {
      const decided = call('request_approval', { slug: 'release', question: 'Ship v2?' })
      await eventually(async () => {
        expect((await app.post('/activities/release/answer', { option }, user.token)).status).toBe(200)
      })
      expect(await decided).toMatchObject({ status: 'answered', option })
    }

    const widget = { slug: 'tests', name: 'Tests', content: { template: 'value', value: 12, label: 'passed' } }
    expect(await call('set_widget', widget)).toMatchObject({ slug: 'tests' })
    expect(await call('get_widget', { slug: 'tests' })).toMatchObject({ content: { value: 12 } })

    const later = { title: 'Bins', body: 'Paper', send_at: '2026-11-20T08:00:00Z' }
    const schedule = await call('schedule_notification', later)
    expect(await call('list_schedules', {})).toMatchObject({ items: [{ id: schedule.id, title: 'Bins' }] })
    expect(await call('cancel_schedule', { id: schedule.id })).toMatchObject({ canceled: true })
    expect(await call('list_schedules', {})).toMatchObject({ items: [] })

    expect([...called].sort()).toEqual(ALL)
  })

  test('carries out a repeated call with the same idempotency_key once', async () => {
    const user = await app.addUser()
    const client = await connect(user.defaultKey)
    const message = { title: 'Once', body: 'only', idempotency_key: 'k1' }
    const [first, again] = [
      await callTool(client, 'send_notification', message),
      await callTool(client, 'send_notification', message),
    ]
    expect(again.structuredContent).toEqual(first.structuredContent)
    const other = await callTool(client, 'send_notification', { ...message, body: 'else' })
    expect(other).toMatchObject({ isError: true, text: expect.stringContaining('idempotency.key_reused') })
  })

  test('counts toward the quota of the account', async () => {
    const user = await app.addUser('free')
    const client = await connect(user.token)
    await callTool(client, 'send_notification', { title: 'a', body: 'b' })
    expect((await app.get('/auth/me', user.token)).body).toMatchObject({ notifications_used: 1 })
  })
})

describe('an error says what to change', () => {
  test.each([
    ['send_notification', { body: 'b', titel: 'a' }, ['request.validation_failed', 'arguments.title is required']],
    ['send_notification', { title: 'a'.repeat(300), body: 'b' }, ['arguments.title must have at most 256 characters']],
    ['ask_human', { question: 'q', timeout_seconds: 5 }, ['arguments.timeout_seconds must be at least 10']],
    ['ask_human', { question: 'q', options: [...'abcdefghij'], free_text: true }, ['options must have at most 9 entries']],
    ['start_activity', { slug: 'x', content: { template: 'steps' } }, ['activity.content_invalid', 'total_steps']],
    ['get_answer', { notification_id: 4711 }, ['notification_answer.not_found', '4711']],
    ['get_widget', { slug: 'none' }, ['widget.not_found']],
  ])('%s', async (tool, args, parts) => {
    const client = await connect((await app.addUser()).token)
    const { isError, text } = await callTool(client, tool, args)
    expect(isError).toBe(true)
    for (const part of parts) expect(text).toContain(part)
  })

  test('a tool that the key may not use names the level it lacks, and a slug outside its list the list', async () => {
    const permissions = { activities: 'none', notifications: 'none', widgets: 'write', emails: 'none' }
    const key = await app.addKey(await app.addUser(), { permissions, widget_slugs: ['ci-*'] })
    const client = await connect(key)
    const denied = await callTool(client, 'send_notification', { title: 'a', body: 'b' })
    expect(denied.text).toContain('This needs notifications:send; the key has notifications:none.')
    const elsewhere = await callTool(client, 'get_widget', { slug: 'home' })
    expect(elsewhere.text).toContain('integration_key.slug_invalid')
    await expect(client.callTool({ name: 'drop_tables' })).rejects.toThrow('There is no tool drop_tables')
  })
})

describe('resources', () => {
  test('are the documentation pages and the catalogue of errors, as Markdown', async () => {
    const client = await connect((await app.addUser()).token)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(['docs://overview', 'docs://errors']))
    const { contents } = await client.readResource({ uri: 'docs://errors' })
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: expect.stringContaining('quota.exceeded') }])
    await expect(client.readResource({ uri: 'docs://../../package' })).rejects.toThrow()
  })
})
