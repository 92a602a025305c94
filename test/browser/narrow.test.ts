// The narrowest phones: nothing is cut, leaves its card or scrolls the page sideways, also with words that nothing can break.
import { beforeAll, expect, test } from 'vitest'
import type { TestUser } from '../support/app.ts'
import { useBrowser, visit } from '../support/browser/browser.ts'
import { doNotFit } from '../support/browser/fits.ts'
import { usePushApp } from '../support/fakes/push-services.ts'
import { isNightly } from '../support/nightly.ts'
import { createOrganization, join, type TestOrganization } from '../support/organizations/organization.ts'
import { seedAccount } from '../support/seeded-account.ts'

const app = usePushApp({ HELIOGRAPH_SMTP_URL: 'smtp://127.0.0.1:1', HELIOGRAPH_MAIL_FROM: 'helio@example.org' })
const browser = useBrowser()

const WORD = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft'
const NAME = WORD.slice(0, 60)
const SLUG = 'a-slug-that-a-program-made-and-that-no-person-would-ever-have-chosen'.slice(0, 64)
const LINK = `https://example.org/${WORD}${WORD}`

let user: TestUser
let org: TestOrganization
let paths: string[]
beforeAll(async () => {
  user = await seedAccount(app)
  const { token } = user
  const add = async (path: string, body: object) => {
    const answer = await app.post(path, body, token)
    expect([path, answer.status, answer.body.detail]).toEqual([path, expect.toBeOneOf([200, 201]), undefined])
    return answer.body.id as string
  }
  const message = { title: WORD + WORD, subtitle: WORD, body: `${LINK} ${WORD}`, source: SLUG, url: LINK }
  const actions = [
    { id: 'yes', title: NAME },
    { id: 'no', title: 'Not now' },
  ]
  const alert = {
    level: 'critical',
    acknowledge: {},
    source_display_name: NAME,
    metadata: { [NAME.slice(0, 30)]: LINK },
  }
  const notification = await add('/notifications', { ...message, ...alert, actions })
  await add('/notifications/scheduled', {
    title: WORD,
    body: WORD,
    recurrence: { cron: '0 9 * * MON', timezone: 'America/Argentina/Buenos_Aires' },
  })
  const key = await add('/integrations/keys', { name: WORD, permissions: { widgets: 'write' }, widget_slugs: [SLUG] })
  const keyOfHook = await add('/integrations/keys', { name: WORD, permissions: { notifications: 'send' } })
  const hook = await add('/integrations/hooks', { name: NAME, kind: 'grafana', key_id: keyOfHook })
  await add('/activities', { slug: SLUG, name: WORD })
  await app.patch(
    `/activities/${SLUG}`,
    { state: 'ongoing', content: { template: 'generic', state: WORD, subtitle: WORD } },
    token,
  )
  await add('/widgets', { slug: SLUG, name: WORD, content: { template: 'value', value: 1, label: NAME } })
  await add('/heartbeats', { slug: SLUG, name: NAME, every_seconds: 3600 })
  await add('/escalations', {
    slug: SLUG,
    name: NAME,
    steps: [{ after_seconds: 300, level: 'critical', callback_url: LINK }],
  })
  await add('/devices/apps', { kind: 'ntfy', name: NAME })
  org = await createOrganization(app, 1)
  await join(app, org, [user])
  await app.patch(org.path, { name: NAME }, org.owner.token)
  await app.patch(`${org.path}/members/${user.userId}`, { role: 'owner' }, org.owner.token)
  await app.patch('/auth/me', { nickname: NAME }, token)
  const often = [
    '',
    `n/${notification}`,
    'alerts',
    `activities/${SLUG}`,
    `webhooks/${hook}`,
    'devices',
    'usage',
    'settings',
  ]
  const own = [
    'activities',
    'widgets',
    'schedules',
    'heartbeats',
    'escalations',
    'quiet-hours',
    'keys',
    'webhooks',
    'connections',
  ]
  const other = [
    'sound',
    'shares',
    'organizations',
    'emails',
    'more',
    'devices/add',
    'screens',
    'settings/sessions',
    'settings/approve',
  ]
  const forms = [
    'new',
    ...['schedules/new', 'heartbeats/_new', 'escalations/_new', 'webhooks/_new', 'widgets/_new', 'widgets/_wall'],
  ]
  const records = [`keys/${key}`, `widgets/${SLUG}`, `heartbeats/${SLUG}`, `escalations/${SLUG}`]
  const tabs = [
    'members',
    'groups',
    'sent',
    'sent/new',
    'activities',
    'keys',
    'webhooks',
    'heartbeats',
    'escalations',
    'usage',
    'settings',
  ]
  const ofOrganization = tabs.map((tab) => `organizations/${org.id}/${tab}`)
  const atNight = [...own, ...other, ...forms, 'activities/_new', ...records, ...ofOrganization]
  paths = [...often, ...(isNightly ? atNight : [])]
})

const LOCALES = isNightly ? ['en-GB', 'de-DE'] : ['de-DE']

test.each(LOCALES)('nothing is cut or leaves its card at 360 px, %s', async (locale) => {
  const { page } = await browser.openConsole(app, user, { width: 360, height: 740, locale }, 'more')
  const found: string[] = []
  for (const path of paths) {
    await visit(page, path)
    await page.locator('h1:visible').first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    found.push(...(await doNotFit(page)).map((what) => `${path}: ${what}`))
  }
  // The button of a message on a long name.
  await visit(page, `heartbeats/${SLUG}`)
  await page.getByRole('button', { name: /^(Pause|Pausieren)$/ }).click()
  await page.locator('.toast').waitFor()
  found.push(...(await doNotFit(page)))
  await page.locator('.toast').getByRole('button').first().click()
  expect(found).toEqual([])
})
