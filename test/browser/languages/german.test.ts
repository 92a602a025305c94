// The console in German: in a German browser, or by choice.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestUser } from '../../support/app.ts'
import { seriousViolations } from '../../support/browser/accessibility.ts'
import { useBrowser, visit } from '../../support/browser/browser.ts'
import { takePictureOfAll } from '../../support/browser/pictures.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { isNightly, nightlyTest } from '../../support/nightly.ts'
import { seedAccount } from '../../support/seeded-account.ts'

const app = usePushApp({ HELIOGRAPH_SMTP_URL: 'smtp://127.0.0.1:1', HELIOGRAPH_MAIL_FROM: 'helio@example.org' })
const browser = useBrowser()

const STEPS = [{ after_seconds: 300, level: 'critical', callback_url: 'https://example.org/hook' }]
const WINDOWS = [{ days: ['mon', 'tue', 'wed', 'sun'], from: '22:00', to: '07:00' }]

let user: TestUser
beforeAll(async () => {
  user = await seedAccount(app)
  await app.post('/heartbeats', { slug: 'sicherung', name: 'Sicherung', every_seconds: 3600 }, user.token)
  await app.post('/escalations', { slug: 'nachts', name: 'Nachts', steps: STEPS }, user.token)
  await app.put('/auth/me/quiet-hours', { timezone: 'Europe/Berlin', windows: WINDOWS }, user.token)
})

const PAGES = {
  '': 'Posteingang',
  alerts: 'Alarme',
  activities: 'Aktivitäten',
  widgets: 'Widgets',
  schedules: 'Zeitpläne',
  heartbeats: 'Heartbeats',
  escalations: 'Eskalation',
  'quiet-hours': 'Ruhezeiten',
  keys: 'Schlüssel',
  webhooks: 'Webhooks',
  connections: 'Verbindungen',
  devices: 'Geräte',
  sound: 'Stumm und Ton',
  shares: 'Freigaben',
  organizations: 'Organisationen',
  emails: 'E-Mail',
  usage: 'Nutzung',
  settings: 'Einstellungen',
}

// Words of the English console that the seeded account does not contain.
const ENGLISH =
  /\b(Inbox|Settings|Search|Unread|Devices|Keys|New|Edit|Remove|Revoke|Used|created|seen|ago|Theme|Today|Acknowledge)\b/

// What is wrong with the page that is shown: an English word, or a text that is wider than the window.
async function faults(page: Page): Promise<string[]> {
  const words = await page.evaluate<string>('document.body.innerText')
  const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
  return [...(ENGLISH.exec(words)?.slice(0, 1) ?? []), ...(isTooWide ? ['too wide'] : [])]
}

const WIDTHS = isNightly ? [360, 1440] : [360]

test.each(WIDTHS)('a German browser shows every page in German, at %i px', async (width) => {
  const { page } = await browser.openConsole(app, user, { width, locale: 'de-DE' }, 'keys')
  expect(await page.evaluate('document.documentElement.lang')).toBe('de')
  const found: Record<string, string[]> = {}
  for (const [path, name] of Object.entries(PAGES)) {
    await visit(page, path)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    found[path] = await faults(page)
    await takePictureOfAll(page, `german-${path || 'inbox'}-${width}`)
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(PAGES).map((path) => [path, []])))
  expect(await seriousViolations(page)).toEqual([])
})

nightlyTest('a language that was chosen stays, in another language than the browser', async () => {
  const { page } = await browser.openConsole(app, user, {}, 'settings')
  expect(await page.evaluate('document.documentElement.lang')).toBe('en')
  await page.getByLabel('Deutsch').click()
  await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('de')
  await page.goto(`${app.url}/app/`)
  await page.getByRole('heading', { name: 'Posteingang' }).waitFor()
  await visit(page, 'settings')
  await page.getByLabel('English').click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
})
