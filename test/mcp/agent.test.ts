// An agent without a model: shows its progress, asks, waits while a person answers in the console, goes on and ends.
import { expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { callTool, connectMcp } from '../support/mcp/client.ts'

const app = useTestApp()
const browser = useBrowser()

test('an agent asks, a person answers in the console, and the agent goes on', async () => {
  const user = await app.addUser()
  const { page } = await browser.openConsole(app, user)
  const key = await app.addKey(user, { name: 'agent', permissions: { notifications: 'send', activities: 'manage' } })
  const agent = await connectMcp(app.app.url, key)
  const progress = (state: string, done: number) =>
    callTool(agent, 'update_activity', { slug: 'migration', content: { state, progress: done } })

  const content = { template: 'generic', state: 'Copying', progress: 0 }
  await callTool(agent, 'start_activity', { slug: 'migration', name: 'Migration', content })
  await progress('Waiting for you', 0.5)
  const asked = callTool(agent, 'ask_human', {
    question: 'Drop the old table?',
    details: '4,711 rows were copied; the old table is still there.',
    options: ['Drop it', 'Keep it'],
    source: 'agent',
  })

  const list = page.getByRole('region', { name: 'Inbox' })
  await list.getByText('Drop the old table?').click()
  const question = page.getByRole('region', { name: 'Notification', exact: true })
  await question.getByRole('button', { name: 'Keep it', exact: true }).click()

  const { structuredContent } = await asked
  expect(structuredContent).toMatchObject({ status: 'answered', choice: 'Keep it', answered_by: user.userId })
  await progress('Done; the old table was kept', 1)
  await callTool(agent, 'end_activity', { slug: 'migration' })
  const { body } = await app.get('/activities/migration', user.token)
  expect(body).toMatchObject({ name: 'Migration', state: 'ended', content: { state: 'Done; the old table was kept' } })
})
