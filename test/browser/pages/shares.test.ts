// How activities are shared on the pages of the console.
import { expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { useConsole } from '../../support/browser/console-page.ts'

const app = useTestApp()
const openPage = useConsole(app)

test('a code is for one person and a day unless others are chosen, and is deleted; a person is removed after a confirmation', async () => {
  const [ada, grace] = [await app.addUser(), await app.addUser('free')]
  await app.patch('/auth/me', { nickname: 'Grace' }, grace.token)
  const content = { template: 'generic', state: 'Rinsing', progress: 0.5 }
  await app.patch('/activities/dishwasher?upsert=true', { state: 'ongoing', content }, ada.token)
  const codes = async () => (await app.get('/shares/codes', ada.token)).body.items
  const seconds = ({ created_at, expires_at }: { created_at: string; expires_at: string }) =>
    (Date.parse(expires_at) - Date.parse(created_at)) / 1000
  const page = await openPage(ada, 'activities/dishwasher')
  await page.press('Share')
  await page.see('Nobody has joined yet.')
  await page.press('Create a code')
  await page.see('One person can join as a viewer until')
  const [plain] = await codes()
  expect([plain.max_uses, plain.role, seconds(plain)]).toEqual([1, 'viewer', 86_400])
  await app.post('/shares/join', { code: plain.code }, grace.token)
  // It is used up, so the form is there again.
  await page.fill('How many people can join', '3')
  await page.choose('The code is valid for', '1 hour')
  await page.choose('They join as', 'Editor: can also change it')
  await page.press('Create a code')
  await page.see('3 people can join as editors until')
  const [code] = await codes()
  expect([code.max_uses, code.role, seconds(code)]).toEqual([3, 'editor', 3600])
  await page.press('Create another code')
  await page.see('used 0 of 3')
  expect((await page.button(/^Delete code/)).look).toBe('danger')
  await page.press(/^Delete code/)
  await page.see('No code is open.')
  expect(await codes()).toEqual([])
  await page.visit('shares')
  await page.press('Remove Grace')
  await page.see('Stop sharing with Grace?')
  expect((await app.get('/activities', grace.token)).body.items).toHaveLength(1)
  await page.press('Remove', '.dialog')
  await page.see('You share nothing yet.')
  expect((await app.get('/activities', grace.token)).body.items).toEqual([])
})
