// Heartbeats in the console: created, connected, seen up and down as it happens, paused, changed and deleted.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { seriousViolationsInBothThemes } from '../../support/browser/accessibility.ts'
import { useBrowser, visit } from '../../support/browser/browser.ts'
import { SIZES, takePictureOfAll } from '../../support/browser/pictures.ts'
import { nightlyTest } from '../../support/nightly.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'
import { addGroup } from '../../support/organizations/organization.ts'

const app = useTestApp()
const browser = useBrowser()
const heartbeats = heartbeatsOf(app)

const addressOn = async (page: Page): Promise<string> =>
  new URL((await page.locator('.copyable code').first().textContent()) ?? '').pathname

test('a heartbeat is created with words that say what it does, connected, and seen up and down as it happens', async () => {
  const user = await app.addUser()
  await heartbeats.add(user, { slug: 'taken', name: 'Taken' })
  const { page } = await browser.openConsole(app, user, {}, 'heartbeats')
  await page.getByRole('link', { name: 'New heartbeat' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Nightly backup')
  await page.getByLabel('At least every', { exact: true }).fill('0')
  await page.getByText('Between 1 minute and 31 days.').waitFor()
  expect(await page.getByRole('button', { name: 'Create the heartbeat' }).isDisabled()).toBe(true)
  await page.getByRole('radio', { name: 'At set times' }).check()
  await page.getByLabel('Repeats', { exact: true }).selectOption('Every day')
  await page.getByLabel('Time', { exact: true }).fill('03:00')
  await page.getByLabel('Level of the alert').selectOption('Critical')
  await page.getByLabel('Repeat until someone acknowledges it').check()
  await page.getByText('A success is expected: Every day at 03:00, Berlin.').waitFor()
  await page.getByText('“Critical” is sent and repeats until someone acknowledges it.').waitFor()
  // A second POST with a slug would change the heartbeat that has it.
  await page.getByLabel('Slug').fill('taken')
  await page.getByRole('button', { name: 'Create the heartbeat' }).click()
  await page.getByText('There is a heartbeat with this slug already.').waitFor()
  await page.getByLabel('Slug').fill('')
  await page.getByRole('button', { name: 'Create the heartbeat' }).click()

  await page.getByText('Waiting for the first ping').waitFor()
  expect(new URL(page.url()).pathname).toBe('/app/heartbeats/nightly-backup')
  const path = await addressOn(page)
  await page.getByRole('radio', { name: 'Kubernetes' }).check()
  await page.getByText(`--from-literal=PING_URL=${app.url}${path}`).waitFor()
  await page.getByRole('radio', { name: 'cron' }).check()
  await page.getByText(`0 3 * * * /usr/local/bin/job && curl`).waitFor()

  await heartbeats.ping({ path }, '', { raw: '3 files saved' })
  const state = page.locator('.heartbeat-state')
  await state.getByText('The last run was a success.').waitFor()
  await heartbeats.ping({ path }, '/start')
  await state.getByText('Running').waitFor()
  await heartbeats.ping({ path }, '/7', { raw: 'disk full' })
  await state.getByText('Down').waitFor()
  const failure = page.getByRole('listitem').filter({ hasText: 'exit status 7' })
  await failure.getByText('What it sent').click()
  await failure.getByText('disk full').waitFor()
  await page.getByRole('img', { name: 'The last 3 pings: 1 success, 1 failure, 1 start' }).waitFor()

  await page.getByRole('button', { name: 'Pause' }).click()
  await state.getByText('Paused').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await state.getByText('Down').waitFor()

  await page.getByRole('button', { name: 'New address' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New address' }).click()
  await page.getByText('The heartbeat has a new address.').waitFor()
  await page.locator('.copyable code', { hasText: path }).first().waitFor({ state: 'detached' })
  expect((await heartbeats.ping({ path })).status).toBe(404)
  expect((await heartbeats.ping({ path: await addressOn(page) })).status).toBe(200)

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('radio', { name: 'At intervals' }).check()
  await page.getByLabel('At least every', { exact: true }).fill('2')
  await page.getByRole('button', { name: 'Save' }).click()
  // The form says the same words before it is saved.
  await page.getByRole('link', { name: 'Edit' }).waitFor()
  await page.getByText('At least every 2 hours').waitFor()
  const changed = await heartbeats.read(user, 'nightly-backup')
  expect(changed).toMatchObject({ every_seconds: 7200, level: 'critical', acknowledge: { repeat_seconds: 60 } })
  expect(changed.cron).toBeUndefined()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'Taken' }).waitFor()
  expect(await page.getByRole('link', { name: 'Nightly backup' }).count()).toBe(0)
  await visit(page, 'heartbeats/nightly-backup')
  await page.getByText('There is no such heartbeat.').waitFor()
})

nightlyTest('those of an organization have the same pages, and reach the members that were chosen', async () => {
  const owner = await app.addUser()
  const { id } = (await app.post('/orgs', { name: 'Example Hosting' }, owner.token)).body
  const org = { id, path: `/orgs/${id}`, owner, admin: owner, members: [] }
  await addGroup(app, org, 'on-call', [owner])
  const { page } = await browser.openConsole(app, owner, {}, `organizations/${id}`)
  await page.locator('.side').getByRole('link', { name: 'Planned' }).click()
  await page.getByRole('link', { name: 'New heartbeat' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Mail queue')
  await page.getByLabel('on-call').check()
  await page.getByRole('button', { name: 'Create the heartbeat' }).click()
  await page.getByText('Waiting for the first ping').waitFor()
  await page.getByText('on-call', { exact: true }).waitFor()
  await heartbeats.ping({ path: await addressOn(page) })
  await page.locator('.heartbeat-state').getByText('Up').waitFor()
  const { body } = await app.get(`${org.path}/heartbeats/mail-queue`, owner.token)
  expect(body).toMatchObject({ status: 'up', target: { groups: ['on-call'] } })
  expect(await page.getByLabel('Show its status as a widget').count()).toBe(0)
})

nightlyTest.each(SIZES)(
  'its pages are accessible in both themes and fit the window (%o)',
  async ({ width, height }) => {
    const user = await app.addUser()
    const backup = await heartbeats.add(user, { slug: 'backup', name: 'Nightly backup', acknowledge: {} })
    for (let round = 0; round < 11; round++) {
      await heartbeats.ping(backup, '/start')
      app.advanceSeconds(30 + 40 * (round % 4))
      await heartbeats.ping(backup, round % 5 === 4 ? '/fail' : '', { raw: `round ${round}` })
      app.advanceSeconds(300)
    }
    await heartbeats.ping(backup, '/log', { raw: 'A note' })
    const sensor = await heartbeats.add(user, { slug: 'sensor', name: 'Greenhouse sensor', every_seconds: 600 })
    await heartbeats.ping(sensor, '/fail')
    const replica = await heartbeats.add(user, { slug: 'replica', name: 'Replica', every_seconds: 600 })
    await heartbeats.ping(replica)
    await app.post('/heartbeats/replica/pause', {}, user.token)
    await heartbeats.add(user, { slug: 'report', name: 'Weekly report', every_seconds: 604_800 })
    const { page } = await browser.openConsole(app, user, { width, height }, 'heartbeats')
    const found: string[] = []
    for (const part of ['', '/backup', '/_new', '/backup/edit']) {
      const violations = await seriousViolationsInBothThemes(page, async (scheme) => {
        await visit(page, `heartbeats${part}`)
        await page.locator('.ping-bars, form').first().waitFor()
        await takePictureOfAll(page, `heartbeats${part.replaceAll('/', '-')}-${width}-${scheme}`)
      })
      const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
      found.push(...violations, ...(isTooWide ? [`${part} is too wide`] : []))
    }
    expect(found).toEqual([])
  },
)

nightlyTest('the longest run is set in the form; the ping key is shown with its address, and replaced', async () => {
  const user = await app.addUser()
  await heartbeats.add(user)
  const { page } = await browser.openConsole(app, user, {}, 'heartbeats/backup/edit')
  await page.getByLabel('Longest run', { exact: true }).fill('120')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Edit' }).waitFor()
  await page.getByText('2 hours').waitFor()
  expect((await heartbeats.read(user)).max_run_seconds).toBe(7200)

  await page.getByRole('link', { name: 'All heartbeats' }).click()
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Ping by slug' }) })
  const shown = async () => (await section.locator('code').textContent()) ?? ''
  const before = (await shown()).replace('SLUG', 'photos')
  expect((await app.get(before.slice(app.url.length))).status).toBe(201)
  await page.getByRole('link', { name: 'photos' }).waitFor()
  await section.getByRole('button', { name: 'New ping key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New ping key' }).click()
  await page.getByText('There is a new ping key.').waitFor()
  expect((await app.get(before.slice(app.url.length))).status).toBe(404)
})
