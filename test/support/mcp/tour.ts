// Calls every tool of /mcp as an agent would, while a person answers its questions over the API.
import { expect } from 'vitest'
import type { TestClient } from '../client.ts'
import { eventually } from '../eventually.ts'
import type { ToolResult } from './client.ts'

export type Person = { token: string; userId: string }

// `callTool`: by the client under test. Returns the names of the tools that were called.
export async function callEveryTool(
  callTool: (name: string, args: Record<string, unknown>) => Promise<ToolResult>,
  api: TestClient,
  person: Person,
): Promise<string[]> {
  const called: string[] = []
  const call = async (name: string, args: Record<string, unknown>) => {
    called.push(name)
    const { structuredContent, isError, text } = await callTool(name, args)
    expect({ isError, text }).toMatchObject({ isError: false })
    expect(JSON.parse(text)).toEqual(structuredContent)
    return structuredContent as Record<string, never>
  }
  await askAndSend(call, api, person)
  await showProgress(call, api, person)
  await planAndShow(call)
  return [...new Set(called)]
}

type Call = (name: string, args: Record<string, unknown>) => Promise<Record<string, never>>

async function askAndSend(call: Call, api: TestClient, { token, userId }: Person): Promise<void> {
  const asked = call('ask_human', { question: 'Deploy?', options: ['Yes', 'No'], free_text: true })
  const [question] = await eventually(async () => {
    const { items } = (await api.get('/notifications?waiting=true', token)).body
    expect(items).toHaveLength(1)
    return items
  })
  await api.post(`/notifications/${question.id}/answer`, { action_id: 'text', text: 'Later.' }, token)
  const answered = { status: 'answered', choice: 'Reply', text: 'Later.', answered_by: userId }
  expect(await asked).toMatchObject({ ...answered, answered_at: expect.any(String) })
  expect(await call('get_answer', { notification_id: question.id })).toMatchObject(answered)

  const { id } = await call('send_notification', { title: 'Build', body: 'is green' })
  expect(await call('get_notification', { id })).toMatchObject({ title: 'Build' })
  expect(await call('list_inbox', { limit: 2 })).toMatchObject({ items: [{ id }, { id: question.id }] })

  const alert = await call('send_alert', { title: 'Disk', body: 'is full' })
  expect(alert).toMatchObject({ receipt: { status: 'active' } })
  expect(await call('get_receipt', { notification_id: alert.id })).toMatchObject({ status: 'active' })
  expect(await call('cancel_alert', { notification_id: alert.id })).toMatchObject({ status: 'canceled' })
}

async function showProgress(call: Call, api: TestClient, { token }: Person): Promise<void> {
  const content = { template: 'generic', state: 'Compiling', progress: 0.1 }
  const started = await call('start_activity', { slug: 'build', name: 'Build', content })
  expect(started).toMatchObject({ name: 'Build', state: 'ongoing' })
  const half = { slug: 'build', content: { progress: 0.5 } }
  expect(await call('update_activity', half)).toMatchObject({ content: { state: 'Compiling', progress: 0.5 } })
  expect(await call('update_activity', { slug: 'build' })).toMatchObject({ content: { progress: 0.5 } })
  expect(await call('end_activity', { slug: 'build', content: { state: 'Done' } })).toMatchObject({ state: 'ended' })

  // The second question begins a new round: the first decision does not answer it.
  for (const option of ['approve', 'deny']) {
    const decided = call('request_approval', { slug: 'release', question: 'Ship v2?' })
    await eventually(async () => {
      expect((await api.post('/activities/release/answer', { option }, token)).status).toBe(200)
    })
    expect(await decided).toMatchObject({ status: 'answered', option })
  }
}

async function planAndShow(call: Call): Promise<void> {
  const widget = { slug: 'tests', name: 'Tests', content: { template: 'value', value: 12, label: 'passed' } }
  expect(await call('set_widget', widget)).toMatchObject({ slug: 'tests' })
  expect(await call('get_widget', { slug: 'tests' })).toMatchObject({ content: { value: 12 } })

  const recurrence = { cron: '0 19 * * TUE', timezone: 'Europe/Berlin' }
  const schedule = await call('schedule_notification', { title: 'Bins', body: 'Paper', recurrence })
  expect(await call('list_schedules', {})).toMatchObject({ items: [{ id: schedule.id, title: 'Bins' }] })
  expect(await call('cancel_schedule', { id: schedule.id })).toMatchObject({ canceled: true })
  expect(await call('list_schedules', {})).toMatchObject({ items: [] })
}
