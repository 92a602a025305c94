// The inbox in a browser: what is sent appears by itself, and what is pressed gets back to the sender.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'

const app = useTestApp()
const browser = useBrowser()

const QUESTION = {
  title: 'Deploy v1.2?',
  body: 'All 214 checks are green.',
  source: 'ci',
  source_display_name: 'CI',
  actions: [
    { id: 'yes', title: 'Deploy' },
    { id: 'no', title: 'Not now', text_input: true },
  ],
}

describe('the inbox', () => {
  test('shows a notification without a reload, and its button answers the sender who waits', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    const { id } = (await app.post('/notifications', QUESTION, user.defaultKey)).body
    const answer = app.get(`/notifications/answers/${id}?wait=25`, user.defaultKey)
    await page.getByRole('link', { name: 'Deploy v1.2?' }).click()
    await page.getByRole('button', { name: 'Deploy', exact: true }).click()
    expect((await answer).body).toMatchObject({ status: 'answered', action_id: 'yes' })
    await page.getByText('Answered: Deploy').waitFor()
  })
})
