// Escalation policies in the console: created with steps, drawn, chosen for alerts, changed and deleted.
import { expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { seriousViolationsInBothThemes } from '../../support/browser/accessibility.ts'
import { useBrowser, visit } from '../../support/browser/browser.ts'
import { SIZES, takePictureOfAll } from '../../support/browser/pictures.ts'
import { nightlyTest } from '../../support/nightly.ts'
import { addGroup } from '../../support/organizations/organization.ts'

const app = useTestApp()
const browser = useBrowser()

test('a policy is created with steps, drawn, chosen for a message and a heartbeat, and deleted although it is used', async () => {
  const user = await app.addUser()
  const { page } = await browser.openConsole(app, user, {}, 'escalations')
  await page.getByText('No policy yet').waitFor()
  await page.getByRole('link', { name: 'New policy' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Nobody wakes up')
  const create = page.getByRole('button', { name: 'Create the policy' })
  const first = page.getByRole('group', { name: 'Step 1' })
  await first.getByLabel('Level').selectOption('As before')
  await first.getByText('Choose a level, a recipient or a callback.').waitFor()
  expect(await create.isDisabled()).toBe(true)
  await first.getByLabel('Level').selectOption('Time-sensitive')
  await page.getByRole('button', { name: 'Add a step' }).click()
  const second = page.getByRole('group', { name: 'Step 2' })
  await second.getByLabel('After', { exact: true }).fill('4')
  await second.getByText('Later than the step before.').waitFor()
  await second.getByLabel('After', { exact: true }).fill('15')
  await second.getByLabel('Repeats every').selectOption('30 seconds')
  await page.getByText('After 15 minutes: pushed again as “Critical”, then every 30 seconds').waitFor()
  await create.click()
  await page.getByRole('link', { name: 'Edit Nobody wakes up' }).waitFor()
  await page
    .getByRole('img', { name: /After 5 minutes: pushed again as “Time-sensitive”\. After 15 minutes/ })
    .waitFor()
  expect((await app.get('/escalations/nobody-wakes-up', user.token)).body.steps).toEqual([
    { after_seconds: 300, level: 'time-sensitive' },
    { after_seconds: 900, level: 'critical', repeat_seconds: 30 },
  ])

  await visit(page, 'new')
  await page.getByLabel('Title').fill('Fire')
  await page.getByLabel('Text', { exact: true }).fill('in the server room')
  await page.getByLabel('Repeat until someone acknowledges it').check()
  await page.getByLabel('Escalation').selectOption('Nobody wakes up')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('0 steps of escalation taken, the next one').waitFor()
  const [fire] = (await app.get('/notifications', user.token)).body.items
  expect((await app.get(`/notifications/receipts/${fire.id}`, user.token)).body.escalation).toBe('nobody-wakes-up')

  await visit(page, 'heartbeats/_new')
  await page.getByLabel('Name', { exact: true }).fill('Backup')
  await page.getByLabel('Repeat until someone acknowledges it').check()
  await page.getByLabel('Escalation').selectOption('Nobody wakes up')
  await page.getByRole('button', { name: 'Create the heartbeat' }).click()
  await page.getByText('Waiting for the first ping').waitFor()
  expect((await app.get('/heartbeats/backup', user.token)).body.acknowledge.escalation).toBe('nobody-wakes-up')

  await visit(page, 'escalations')
  await page.getByRole('link', { name: 'Edit Nobody wakes up' }).click()
  await page.getByRole('button', { name: 'Remove step 1' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The policy was changed.').waitFor()
  expect((await app.get('/escalations/nobody-wakes-up', user.token)).body.steps).toHaveLength(1)

  await page.getByRole('button', { name: 'Delete Nobody wakes up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByText('It is used by 1 heartbeat.').waitFor()
  await dialog.getByRole('button', { name: 'Delete anyway' }).click()
  await page.getByText('No policy yet').waitFor()
  expect((await app.get('/escalations', user.token)).body.items).toEqual([])
})

nightlyTest('a step of an organization adds members', async () => {
  const owner = await app.addUser()
  const { id } = (await app.post('/orgs', { name: 'Example Hosting' }, owner.token)).body
  await addGroup(app, { id, path: `/orgs/${id}`, owner, admin: owner, members: [] }, 'leads', [owner])
  const { page } = await browser.openConsole(app, owner, {}, `organizations/${id}/escalations/_new`)
  await page.getByLabel('Name', { exact: true }).fill('Wake the leads')
  await page.getByRole('group', { name: 'Step 1' }).getByLabel('leads').check()
  await page.getByText('After 5 minutes: pushed again as “Critical”; also to leads').waitFor()
  await page.getByRole('button', { name: 'Create the policy' }).click()
  await page.getByRole('link', { name: 'Wake the leads', exact: true }).waitFor()
  expect((await app.get(`/orgs/${id}/escalations/wake-the-leads`, owner.token)).body.steps).toEqual([
    { after_seconds: 300, level: 'critical', target: { groups: ['leads'] } },
  ])
})

nightlyTest.each(SIZES)(
  'its pages are accessible in both themes and fit the window (%o)',
  async ({ width, height }) => {
    const user = await app.addUser()
    const steps = [
      { after_seconds: 300, level: 'time-sensitive' },
      { after_seconds: 900, level: 'critical', callback_url: 'https://pager.example.org/hook' },
    ]
    await app.post('/escalations', { slug: 'night', name: 'Nobody wakes up', steps }, user.token)
    const { page } = await browser.openConsole(app, user, { width, height }, 'escalations')
    const found: string[] = []
    for (const part of ['', '/night']) {
      const violations = await seriousViolationsInBothThemes(page, async (scheme) => {
        await visit(page, `escalations${part}`)
        await page.locator('.climb').waitFor()
        await takePictureOfAll(page, `escalations${part.replaceAll('/', '-')}-${width}-${scheme}`)
      })
      const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
      found.push(...violations, ...(isTooWide ? [`${part} is too wide`] : []))
    }
    expect(found).toEqual([])
  },
)
