// The answer page in a browser without script, as the link of a Gotify or ntfy app opens it.
import { expect, test } from 'vitest'
import { makeTicket } from '../../../src/domain/answers/answer-ticket.ts'
import type { NotificationId } from '../../../src/domain/notifications/notification.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { seriousViolationsInBothThemes } from '../../support/browser/accessibility.ts'
import { useBrowser } from '../../support/browser/browser.ts'
import { PHONE, SIZES, takePictureOfAll } from '../../support/browser/pictures.ts'
import { terminal } from '../../support/devices/devices.ts'

const app = useTestApp()
const browser = useBrowser()

const QUESTION = {
  title: 'Deploy version 2.4 to production?',
  body: 'All 412 tests passed.\nThe migration takes about two minutes.',
  source_display_name: 'Continuous integration',
  actions: [
    { id: 'yes', title: 'Deploy' },
    { id: 'later', title: 'Tonight' },
    { id: 'no', title: 'Cancel the release', destructive: true },
    { id: 'say', title: 'Reply', text_input: true, text_input_placeholder: 'What should change?' },
    { id: 'log', title: 'Open the log', url: 'https://example.org/log', foreground: true },
  ],
}

async function ask(user: TestUser, body: object = QUESTION): Promise<{ id: number; url: string }> {
  const { id } = (await app.post('/notifications', body, user.token)).body
  return { id, url: `${app.url}/answers/${makeTicket(app.app.ctx.signingKey, id as NotificationId)}` }
}

test('with JavaScript switched off: a reply is typed and sent, and the page then shows it', async () => {
  const user = await app.addUser()
  await app.put('/devices/pixel', { ...terminal, name: 'Pixel 9' }, user.token)
  const { id, url } = await ask(user)
  const page = await (await browser.newProfile({ ...PHONE, script: false })).newPage()
  const refused: string[] = []
  page.on('console', (message) => refused.push(message.text()))
  await page.goto(`${url}?device=pixel`)
  await page.getByLabel('Reply').fill('First the staging system.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('First the staging system.').waitFor()
  await page.getByRole('status').getByText('Answered').waitFor()
  expect(page.url()).toBe(`${url}?device=pixel`)
  expect(await page.getByRole('button').count()).toBe(0)
  expect((await app.get(`/notifications/answers/${id}`, user.token)).body).toMatchObject({
    action_id: 'say',
    text: 'First the staging system.',
  })
  const { items } = (await app.get(`/notifications/${id}/timeline`, user.token)).body
  expect(items.at(-1)).toMatchObject({ event: 'answered', device: 'Pixel 9' })
  // The content security policy did not block the style or the form.
  expect(refused).toEqual([])
})

test.each(SIZES)('open, answered and invalid: accessible, and nothing is wider than $width px', async (size) => {
  const user = await app.addUser()
  const open = await ask(user)
  const answered = await ask(user)
  await app.post(`/notifications/${answered.id}/answer`, { action_id: 'yes' }, user.token)
  const pages = { open: open.url, answered: answered.url, invalid: `${app.url}/answers/nonsense` }
  const page = await (await browser.newProfile(size)).newPage()
  for (const [name, url] of Object.entries(pages)) {
    await page.goto(url)
    const take = (scheme: string) => takePictureOfAll(page, `answer-${name}-${size.width}-${scheme}`)
    expect([name, ...(await seriousViolationsInBothThemes(page, take))]).toEqual([name])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
})
