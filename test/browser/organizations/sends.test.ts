// What an organization sends, in the console: alerts with buttons, schedules and activities; and how members find each other.
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { useBrowser } from '../../support/browser/browser.ts'
import { nightlyTest } from '../../support/nightly.ts'
import { addGroup, join, type TestOrganization } from '../../support/organizations/organization.ts'

const app = useTestApp()
const browser = useBrowser()

let ada: TestUser
let grace: TestUser
let org: TestOrganization
beforeEach(async () => {
  ada = await addPerson('Ada')
  grace = await addPerson('Grace')
  const { id } = (await app.post('/orgs', { name: 'Example Hosting' }, ada.token)).body
  org = { id, path: `/orgs/${id}`, owner: ada, admin: ada, members: [grace] }
  await join(app, org, [grace])
  await addGroup(app, org, 'on-call', [grace])
})

async function addPerson(nickname: string): Promise<TestUser> {
  const user = await app.addUser()
  await app.patch('/auth/me', { nickname }, user.token)
  return user
}

async function open(user: TestUser, tab: string): Promise<Page> {
  return (await browser.openConsole(app, user, {}, `organizations/${org.id}/${tab}`)).page
}

async function compose(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: 'New notification' }).click()
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Text', { exact: true }).fill('The primary does not answer.')
}

describe('compose', () => {
  test('sends an alert with buttons that repeats until a member acknowledges it', async () => {
    const page = await open(ada, 'sent')
    await compose(page, 'Database is down')
    for (const [number, title] of ['On it', 'Cannot', ''].entries()) {
      await page.getByRole('button', { name: 'Add a button' }).click()
      await page.getByLabel(`Button ${number + 1}`, { exact: true }).fill(title)
    }
    await page.getByRole('button', { name: 'Remove button 2' }).click()
    await page.getByLabel('Repeat until someone acknowledges it').check()
    await page.getByLabel('Every').selectOption('2 minutes')
    await page.getByLabel('For at most').selectOption('30 minutes')
    await page.getByText('This reaches 2 members').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Waiting to be acknowledged').waitFor()

    const [head] = (await app.get(`${org.path}/notifications`, ada.token)).body.items
    expect(head.actions).toEqual([{ id: 'button-1', title: 'On it' }])
    const receipt = (await app.get(`${org.path}/notifications/receipts/${head.id}`, ada.token)).body
    expect(receipt).toMatchObject({ status: 'active', repeat_seconds: 120 })
    expect(Date.parse(receipt.expires_at) - Date.parse(receipt.created_at)).toBe(1_800_000)
    const [entry] = (await app.get('/notifications', grace.token)).body.items
    await app.post(`/notifications/${entry.id}/answer`, { action_id: 'button-1' }, grace.token)
    await page.getByText('by Grace').first().waitFor()
  })

  nightlyTest('schedules a notification to a group, lists it with its target, and cancels it', async () => {
    const page = await open(ada, 'sent')
    await compose(page, 'Hand over the pager')
    await page.getByRole('radio', { name: 'Repeat', exact: true }).check()
    await page.getByText('The next ten times').waitFor()
    await page.getByRole('checkbox', { name: 'on-call' }).check()
    await page.getByText('This reaches 1 member').getByText('decided each time it is sent').waitFor()
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    const card = page.locator('.schedule-card', { hasText: 'Hand over the' })
    await card.getByText('Weekdays at 08:00, Berlin; next').waitFor()
    await card.getByText('on-call').waitFor()
    expect((await app.get(`${org.path}/notifications/scheduled`, ada.token)).body.items).toMatchObject([
      { recurrence: { cron: '0 8 * * 1-5' }, target: { groups: ['on-call'] } },
    ])
    expect((await app.get('/notifications', grace.token)).body.items).toEqual([])
    await card.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('Hand over the phone')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Hand over the phone' }).waitFor()
    expect((await app.get(`${org.path}/notifications/scheduled`, ada.token)).body.items).toMatchObject([
      { title: 'Hand over the phone', target: { groups: ['on-call'] } },
    ])
    await card.getByRole('button', { name: 'Cancel it' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click()
    await card.waitFor({ state: 'detached' })
  })
})

describe('activities', () => {
  const patch = (slug: string, body: object) => app.patch(`${org.path}/activities/${slug}?upsert=true`, body, ada.token)
  const BUILD = { state: 'ongoing', content: { template: 'generic', state: 'Compiling', progress: 0.4 } }

  nightlyTest(
    'are shown live with their targets, ended and deleted by an owner, and seen by the members they reach',
    async () => {
      const hers = await open(ada, 'activities')
      const theirs = await open(grace, 'activities')
      await hers.getByText('There is no activity.').waitFor()
      await theirs.getByText('There is no activity.').waitFor()
      await patch('build', { ...BUILD, target: { groups: ['on-call'] } })
      await hers.getByText('To on-call').waitFor()
      await theirs.getByText('Compiling').waitFor()
      expect(await theirs.locator('main').getByRole('button').count()).toBe(0)

      await hers.getByRole('button', { name: 'End build' }).click()
      await hers.getByText('The activity has ended.').waitFor()
      await hers.getByRole('button', { name: 'End build' }).waitFor({ state: 'detached' })
      await theirs.getByText('Ended').waitFor()
      await hers.getByRole('button', { name: 'Delete build' }).click()
      await hers.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await hers.getByText('There is no activity.').waitFor()
      await app.runDueJobs()
      await theirs.getByText('There is no activity.').waitFor()
    },
  )

  nightlyTest('that ask are answered by a member; the organization, which asks, has no buttons for it', async () => {
    const options = [
      { id: 'yes', title: 'Ship' },
      { id: 'no', title: 'Wait' },
    ]
    expect((await patch('release', { state: 'ongoing', content: { template: 'approval', options } })).status).toBe(201)
    const hers = await open(ada, 'activities')
    await hers.getByText('To everyone').waitFor()
    expect(await hers.getByRole('button', { name: 'Ship' }).count()).toBe(0)
    const theirs = await open(grace, 'activities')
    await theirs.getByRole('link', { name: 'release' }).click()
    await theirs.getByRole('button', { name: 'Ship' }).click()
    await theirs.locator('main').getByText('Answered: Ship').waitFor()
    await hers.locator('main').getByText('Answered: Ship').waitFor()
  })
})

describe('members', () => {
  nightlyTest('are searched among those that are loaded, and the page says that there are more', async () => {
    const { code } = (await app.post(`${org.path}/invitations`, { max_uses: 99 }, ada.token)).body
    for (let number = 1; number <= 99; number++) {
      const { token } = await addPerson(`Person ${number}`)
      app.advanceSeconds(1)
      await app.post('/orgs/join', { code }, token)
    }
    const page = await open(ada, 'members')
    await page.getByLabel('Search by nickname').fill('person 99')
    await page.getByText('Searched the first 100 members.').waitFor()
    await page.getByText('Nobody has this nickname.').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.locator('.person-row', { hasText: 'Person 99' }).waitFor()
    expect(await page.locator('.member-row').count()).toBe(1)
    expect(await page.getByText('Searched the first').count()).toBe(0)
  })

  nightlyTest('see that another one joins and leaves, although no event tells them', async () => {
    const mary = await addPerson('Mary')
    const { page } = await browser.openConsole(app, grace)
    await page.clock.install({ time: app.app.ctx.clock.now() })
    await page.goto(`${app.url}/app/organizations/${org.id}/members`)
    const row = page.locator('.person-row', { hasText: 'Mary' })
    await page.getByText('Member · 2 members').waitFor()
    await join(app, org, [mary])
    await page.clock.runFor(20_000)
    await row.waitFor()
    await page.getByText('Member · 3 members').waitFor()
    await app.del(`${org.path}/members/me`, mary.token)
    await page.clock.runFor(20_000)
    await row.waitFor({ state: 'detached' })
  })
})
