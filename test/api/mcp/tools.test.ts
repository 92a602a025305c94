// POST /mcp with the official client: every tool, what a token sees of them, and errors that say what to change.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { callTool, connectMcp, MCP_ERAS, toolNames } from '../../support/mcp/client.ts'
import { callEveryTool } from '../../support/mcp/tour.ts'

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

  test('costs an agent at most 40,000 characters of its context', async () => {
    const { tools } = await (await connect((await app.addUser()).token)).listTools()
    expect(JSON.stringify(tools).length).toBeLessThan(40_000)
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
  // The suite test:mcp has the other revisions, and standard input and output.
  test('calls every tool', async () => {
    const user = await app.addUser()
    const client = await connect(user.token, '2026-07-28')
    // Results are held against the schemas that this has read.
    await client.listTools()
    const called = await callEveryTool((name, args) => callTool(client, name, args), app, user)
    expect(called.sort()).toEqual(ALL)
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
    [
      'ask_human',
      { question: 'q', options: [...'abcdefghij'], free_text: true },
      ['options must have at most 9 entries'],
    ],
    ['start_activity', { slug: 'x', content: { template: 'steps' } }, ['activity.content_invalid', 'total_steps']],
    ['get_answer', { notification_id: 4711 }, ['notification_answer.not_found', '4711']],
    ['get_widget', { slug: 'none' }, ['widget.not_found']],
  ])('%s', async (tool, args, parts) => {
    const client = await connect((await app.addUser()).token)
    const { isError, text } = await callTool(client, tool, args)
    expect(isError).toBe(true)
    for (const part of parts) expect(text).toContain(part)
  })

  test('every tool refuses a key without its level, before it looks at the arguments', async () => {
    const permissions = { activities: 'read', notifications: 'none', widgets: 'none', emails: 'send' }
    const client = await connect(await app.addKey(await app.addUser(), { permissions }))
    for (const tool of ALL) {
      const { isError, text } = await callTool(client, tool)
      expect([tool, isError, text]).toEqual([tool, true, expect.stringMatching(/^integration_key.permission_denied: /)])
    }
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
