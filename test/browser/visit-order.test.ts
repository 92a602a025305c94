// A page loads its styles with it, and they stay. No style of one page may change another that is opened after it.
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { setOperator } from '../../src/operations/accounts/accounts.ts'
import type { TestUser } from '../support/app.ts'
import { useBrowser, visit } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { usePushApp } from '../support/fakes/push-services.ts'
import { nightlyTest } from '../support/nightly.ts'
import { seedAccount } from '../support/seeded-account.ts'

const app = usePushApp({ HELIOGRAPH_SMTP_URL: 'smtp://127.0.0.1:1', HELIOGRAPH_MAIL_FROM: 'helio@example.org' })
const browser = useBrowser()

const PAGES =
  ` alerts new activities activities/deploy-v12 activities/_new activities/_new/gauge widgets widgets/office widgets/_new
  widgets/_new/gauge widgets/_wall schedules schedules/new heartbeats heartbeats/import heartbeats/_new connections keys webhooks
  webhooks/_new devices devices/add screens quiet-hours sound escalations escalations/_new shares organizations settings
  settings/sessions settings/sessions/approve emails usage more`.split(/\s+/)
const TABS =
  'members groups sent sent/new activities activities/_new keys webhooks heartbeats escalations usage settings'.split(
    ' ',
  )

let user: TestUser
let paths: string[]
beforeAll(async () => {
  user = await seedAccount(app)
  await setOperator(app.app.ctx, user.name, true)
  const add = async (path: string, body: object) => (await app.post(path, body, user.token)).body
  await add('/heartbeats', { slug: 'import', name: 'Import', every_seconds: 3600 })
  const steps = [{ after_seconds: 300, level: 'critical', callback_url: 'https://example.org/hook' }]
  await add('/escalations', { slug: 'night', name: 'At night', steps })
  await add('/screens', { name: 'Display in the kitchen', widgets: ['office'] })
  const hook = await add('/integrations/hooks', { name: 'Grafana', kind: 'grafana' })
  const org = await add('/orgs', { name: 'Example Hosting' })
  await add(`/orgs/${org.id}/notifications`, { title: 'Office closed', body: 'On Friday.' })
  const [{ id }] = (await app.get('/notifications', user.token)).body.items
  const tabs = TABS.map((tab) => `organizations/${org.id}/${tab}`)
  paths = [...PAGES, `n/${id}`, `webhooks/${hook.id}`, `webhooks/${hook.id}/template`, ...tabs]
})

// What is seen of each element, where it is, and how it is drawn.
const DRAWN = `[...document.querySelectorAll('.shell *')]
  .filter((element) => !element.closest('.connection') && element.checkVisibility({ contentVisibilityProperty: true }))
  .map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const { color, backgroundColor, fontSize } = getComputedStyle(element)
    const box = [x, y, width, height].map(Math.round)
    return [element.tagName, element.getAttribute('class'), ...box, color, backgroundColor, fontSize].join(' ')
  })`

async function opened(page: Page): Promise<void> {
  await page.locator('h1:visible').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

async function drawn(page: Page): Promise<string[]> {
  await opened(page)
  await page.getByText(/^(Checking|Rendering)…$/).waitFor({ state: 'detached' })
  await page.evaluate('scrollTo(0, 0)')
  const look = () => page.evaluate<string[]>(`new Promise((soon) => setTimeout(() => soon(${DRAWN}), 200))`)
  let last = await look()
  await eventually(async () => {
    const before = last
    last = await look()
    expect(last).toEqual(before)
  })
  return last
}

nightlyTest.each([1440, 360])('a page looks the same, whichever pages were open before it, at %i px', async (width) => {
  const { page } = await browser.openConsole(app, user, { width, height: 900 }, 'more')
  await page.clock.setFixedTime(Date.now())
  const alone: Record<string, string[]> = {}
  for (const path of paths) {
    await page.goto('about:blank')
    await page.goto(`${app.url}/app/${path}`)
    alone[path] = await drawn(page)
  }
  for (const path of paths) {
    await visit(page, path)
    await opened(page)
  }
  for (const path of paths) {
    await visit(page, path)
    expect([path, ...(await drawn(page))]).toEqual([path, ...(alone[path] ?? [])])
  }
})
