// Every page in both themes: no serious accessibility violation. At night also on a desktop, with a screenshot of each.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { setOperator } from '../../src/operations/accounts/accounts.ts'
import type { TestUser } from '../support/app.ts'
import { seriousViolationsInBothThemes } from '../support/browser/accessibility.ts'
import { useBrowser, visit } from '../support/browser/browser.ts'
import { DESKTOP, SIZES, takePicture } from '../support/browser/pictures.ts'
import { usePushApp } from '../support/fakes/push-services.ts'
import { nightlyTest } from '../support/nightly.ts'
import {
  addGroup,
  createOrganization,
  invite,
  join,
  type TestOrganization,
} from '../support/organizations/organization.ts'
import { seedAccount } from '../support/seeded-account.ts'

// A mail server is configured, but none listens.
const app = usePushApp({ HELIOGRAPH_SMTP_URL: 'smtp://127.0.0.1:1', HELIOGRAPH_MAIL_FROM: 'helio@example.org' })
const browser = useBrowser()

// Keys are last: the test then opens their dialog.
const PAGES = [
  'Activities',
  'Widgets',
  'Schedules',
  'Alerts',
  'Heartbeats',
  'Escalation',
  'Quiet hours',
  'Webhooks',
  'Devices',
  'Shares',
  'Organizations',
  'Usage',
  'Settings',
  'More',
  'E-mail',
  'Mutes and sound',
  'Connections',
  'Keys',
]

// Where the path is not the name in lower case.
const PATHS: Record<string, string> = {
  Escalation: 'escalations',
  'Quiet hours': 'quiet-hours',
  'E-mail': 'emails',
  'Mutes and sound': 'sound',
}

const FORMS = [
  'new',
  'schedules/new',
  'heartbeats/_new',
  'escalations/_new',
  'webhooks/_new',
  'widgets/_new',
  'widgets/_wall',
  'activities/_new',
  'activities/dishwasher',
  'devices/add',
  'screens',
  'settings/sessions',
  'settings/approve',
]

const NARROW = { width: 360, height: 740 }
const NARROW_AND_GERMAN = [
  { ...NARROW, locale: 'en-GB' },
  { ...NARROW, locale: 'de-DE' },
  { ...DESKTOP, locale: 'de-DE' },
]

let user: TestUser
// A share link that the user can join by.
let link: string
let org: TestOrganization
beforeAll(async () => {
  user = await seedAccount(app)
  await setOperator(app.app.ctx, user.name, true)
  link = await seedShares()
  org = await seedOrganization()
})

const ACTIVITY = { state: 'ongoing', content: { template: 'generic', state: 'Rinsing', progress: 0.6 } }

// The user shares with Grace, and Grace with the user. Returns the link of another code of Grace.
async function seedShares(): Promise<string> {
  const grace = await app.addUser()
  await app.patch('/auth/me', { nickname: 'Grace' }, grace.token)
  const share = async (owner: TestUser, slug: string, input = {}) => {
    await app.patch(`/activities/${slug}?upsert=true`, ACTIVITY, owner.token)
    return (await app.post(`/activities/${slug}/share`, input, owner.token)).body
  }
  const join = ({ code }: { code: string }, recipient: TestUser) => app.post('/shares/join', { code }, recipient.token)
  await join(await share(user, 'dishwasher', { max_uses: 3 }), grace)
  await join(await share(grace, 'oven'), user)
  const pattern = { slug_pattern: 'deploy-*', role: 'editor', max_uses: 20 }
  await join((await app.post('/shares/patterns', pattern, user.token)).body, grace)
  return `${app.url}/app/#share=${(await share(grace, 'garage')).code}`
}

// The user is an owner of it besides its founder.
async function seedOrganization(): Promise<TestOrganization> {
  const created = await createOrganization(app, 3)
  const { path, owner, members } = created
  const people = [owner, created.admin, ...members]
  const nicknames = ['Ada', 'Grace', 'Mary', 'Katherine']
  for (const [n, nickname] of nicknames.entries()) await app.patch('/auth/me', { nickname }, people[n]?.token)
  await join(app, created, [user])
  await app.patch(`${path}/members/${user.userId}`, { role: 'owner' }, owner.token)
  await app.patch(path, { name: 'Example Hosting' }, owner.token)
  const groupId = await addGroup(app, created, 'on-call', members)
  await addGroup(app, created, 'support', [user])
  await app.post(`${path}/tags`, { name: 'wall' }, owner.token)
  await invite(app, created, { max_uses: 5, group_ids: [groupId] })
  const key = { name: 'Monitoring', permissions: { notifications: 'send' }, target: { group_ids: [groupId] } }
  await app.post(`${path}/keys`, key, owner.token)
  const alert = { title: 'Database is down', body: 'The primary does not answer.', level: 'critical', acknowledge: {} }
  await app.post(`${path}/notifications`, { ...alert, target: { groups: ['on-call'] } }, owner.token)
  await app.post(`${path}/notifications`, { title: 'Office closed', body: 'On Friday.' }, owner.token)
  const recurrence = { cron: '0 9 * * MON', timezone: 'Europe/Berlin' }
  await app.post(`${path}/notifications/scheduled`, { title: 'Hand over', body: 'The pager.', recurrence }, owner.token)
  await app.patch(
    `${path}/activities/deploy?upsert=true`,
    { ...ACTIVITY, target: { groups: ['on-call'] } },
    owner.token,
  )
  return created
}

const WCAG = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }

// The violations that axe finds on the page.
async function inspect(page: Page, name: string): Promise<string[]> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  const take = (scheme: string) => takePicture(page, `${name}-${page.viewportSize()?.width}-${scheme}`)
  const found = await seriousViolationsInBothThemes(page, take, WCAG)
  // To axe this is a moderate one. Each page has it at every width.
  if ((await page.locator('h1:visible').count()) === 0) found.push('page-has-heading-one')
  if (!(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))) found.push('scrolls sideways')
  return found.map((violation) => `${name}, ${violation}`)
}

describe('axe finds no serious violation, light or dark', () => {
  test.each(SIZES)('at $width px on any page', async (size) => {
    const { page } = await browser.openConsole(app, user, size)
    await page.getByRole('link', { name: 'Disk almost full' }).waitFor()
    const found = await inspect(page, 'inbox')
    await page.getByRole('link', { name: 'Disk almost full' }).click()
    await page.getByText('Delivery').waitFor()
    found.push(...(await inspect(page, 'notification')))
    for (const name of PAGES) {
      const path = PATHS[name] ?? name.toLowerCase()
      await visit(page, path)
      await page.getByRole('heading', { level: 1, name }).waitFor()
      found.push(...(await inspect(page, path)))
    }
    await page.getByRole('button', { name: 'New key' }).click()
    found.push(...(await inspect(page, 'new-key')))
    await page.keyboard.press('Escape')
    await visit(page, 'new')
    await page.getByRole('button', { name: 'Add a button' }).click()
    await page.getByLabel('Format the text with Markdown').check()
    found.push(...(await inspect(page, 'new-message')))
    await visit(page, 'schedules/new')
    await page.getByLabel('Repeats').selectOption('Every week on…')
    found.push(...(await inspect(page, 'new-schedule')))
    expect(found).toEqual([])
  })

  nightlyTest.each(SIZES)(
    'at $width px on the page behind a share link, and in the dialogs of sharing',
    async (size) => {
      const { page } = await browser.openConsole(app, user, size)
      await page.goto(link)
      await page.getByRole('button', { name: 'Join' }).waitFor()
      const found = await inspect(page, 'join')
      await page.goto(`${app.url}/app/#share=AAAA2222`)
      await page.getByText('Enter another code').waitFor()
      found.push(...(await inspect(page, 'join-refused')))
      await visit(page, 'shares')
      await page.getByRole('button', { name: 'Share several' }).click()
      found.push(...(await inspect(page, 'share-several')))
      await page.keyboard.press('Escape')
      await visit(page, 'activities/dishwasher')
      await page.getByRole('button', { name: 'Share' }).click()
      await page.getByRole('dialog').getByText('Grace', { exact: true }).first().waitFor()
      found.push(...(await inspect(page, 'share')))
      await page.getByRole('button', { name: 'Create a code' }).click()
      await page.getByRole('img', { name: 'QR code' }).waitFor()
      found.push(...(await inspect(page, 'share-code')))
      await page.getByRole('button', { name: 'Remove Grace' }).first().click()
      found.push(...(await inspect(page, 'share-remove')))
      expect(found).toEqual([])
    },
  )

  nightlyTest.each(SIZES)(
    'at $width px on the pages of an organization, in its dialogs and in the inbox',
    async (size) => {
      const { page } = await browser.openConsole(app, user, size)
      await page.getByRole('link', { name: 'Office closed' }).getByText('Example').waitFor()
      const found = await inspect(page, 'org-inbox')
      // To axe, a button that scrolls out behind the bar of alerts is too small.
      await page
        .getByRole('button', { name: /^Dismiss/ })
        .last()
        .click()
      for (const tab of ['members', 'groups', 'sent', 'activities', 'keys', 'usage', 'settings']) {
        await visit(page, `organizations/${org.id}/${tab}`)
        await page.locator(`a[aria-current][href$="/${tab}"]`).first().waitFor({ state: 'attached' })
        found.push(...(await inspect(page, `org-${tab}`)))
      }
      await visit(page, `organizations/${org.id}/sent/new`)
      await page.getByText('The same from a program').waitFor()
      found.push(...(await inspect(page, 'org-compose')))
      const dialogs = [
        ['members', 'Invite', 'invite'],
        ['groups', 'Choose the members of on-call', 'group-members'],
        ['keys', 'New key', 'new-key'],
        ['settings', 'Delete', 'delete'],
      ] as const
      for (const [tab, button, name] of dialogs) {
        await visit(page, `organizations/${org.id}/${tab}`)
        await page.getByRole('button', { name: button }).click()
        found.push(...(await inspect(page, `org-${name}`)))
        await page.keyboard.press('Escape')
      }
      await page.goto(`${app.url}/app/#org=${await invite(app, org, { role: 'admin' })}`)
      await page.getByRole('button', { name: 'Join' }).waitFor()
      found.push(...(await inspect(page, 'org-join')))
      expect(found).toEqual([])
    },
  )

  // Whatever the language, each page fits the narrowest phone and a desktop.
  nightlyTest.each(NARROW_AND_GERMAN)('at $width px on any page, $locale', async (look) => {
    const { page } = await browser.openConsole(app, user, look, 'more')
    // To axe, a link that lies half behind the bar of alerts is too small.
    await page.locator('.alert').getByRole('button').last().click()
    const found = []
    const paths = PAGES.map((name) => PATHS[name] ?? name.toLowerCase())
    const [{ id }] = (await app.get('/notifications', user.token)).body.items
    for (const path of ['', `n/${id}`, ...paths, ...FORMS]) {
      await visit(page, path)
      await page.locator('h1:visible').first().waitFor()
      found.push(...(await inspect(page, `${look.locale}-${path.replaceAll('/', '-') || 'inbox'}`)))
    }
    expect(found).toEqual([])
  })

  test.each(SIZES)('at $width px before signing in', async (size) => {
    const page = await (await browser.newProfile(size)).newPage()
    await page.goto(`${app.url}/app/`)
    await page.getByText('one-time link').waitFor()
    expect(await inspect(page, 'sign-in')).toEqual([])
  })

  test('and it detects one that is introduced', async () => {
    const page = await (await browser.newProfile()).newPage()
    await page.goto(`${app.url}/app/`)
    await page.getByText('one-time link').waitFor()
    await page.evaluate(`document.querySelector('.sign-in-docs a').style.color = '#ccc'`)
    expect((await inspect(page, 'broken')).join()).toContain('color-contrast')
  })
})
