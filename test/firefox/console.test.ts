// The console in Firefox: a message is sent, arrives live in another tab and is answered there; every page opens without an
// error.
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findFirefox } from '../../scripts/browsers.mjs'
import type { TestUser } from '../support/app.ts'
import { signInLink } from '../support/browser/browser.ts'
import { usePushApp } from '../support/fakes/push-services.ts'
import { seedAccount } from '../support/seeded-account.ts'

// No menu leads to them.
const OTHER_PAGES = ['new', 'schedules/new', 'widgets/_new', 'activities/_new', 'wall', 'settings/sessions']

const app = usePushApp()
let browser: Browser
let user: TestUser
beforeAll(async () => {
  const executablePath = findFirefox()
  if (!executablePath) throw new Error('no Firefox found; "node scripts/setup.mjs --firefox" says what to do')
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    defaultViewport: { width: 1280, height: 800 },
  })
  user = await seedAccount(app)
})
afterAll(() => browser?.close())

// Opens the console with a sign-in link. `errors` grows with whatever the page reports.
async function openConsole(): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.createBrowserContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  // A busy machine needs this long.
  page.setDefaultTimeout(300_000)
  const errors = collectErrors(page)
  await page.goto(await signInLink(app, user.userId))
  await page.locator('::-p-aria([name="Inbox"][role="heading"])').wait()
  return { page, errors }
}

function collectErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error}`))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()}`)
  })
  return errors
}

const named = (page: Page, role: string, name: string) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`)

test('a message that is written in one tab arrives live in another and is answered there', async () => {
  const { page: inbox, errors } = await openConsole()
  const form = await inbox.browserContext().newPage()
  form.setDefaultTimeout(300_000)
  const formErrors = collectErrors(form)
  await form.goto(`${app.url}/app/new`)
  // The bar of the alert that rings: puppeteer would click it in place of what lies below the fold behind it.
  await named(form, 'button', 'Dismiss').click()
  await named(form, 'textbox', 'Title').fill('Deploy from Firefox?')
  await named(form, 'textbox', 'Text').fill('All checks are green')
  await named(form, 'button', 'Add a button').click()
  await named(form, 'textbox', 'Button 1').fill('Go ahead')
  await named(form, 'button', 'Send').click()
  await form.waitForFunction('location.pathname.startsWith("/app/n/")')
  const id = form.url().split('/').at(-1)

  await inbox.bringToFront()
  await inbox.locator('a ::-p-text(Deploy from Firefox?)').click()
  await named(inbox, 'button', 'Go ahead').click()
  await inbox.locator('::-p-text(Answered: Go ahead)').wait()
  const { body: answer } = await app.get(`/notifications/answers/${id}`, user.token)
  expect(answer).toMatchObject({ status: 'answered', action_id: 'button-1' })
  expect([...errors, ...formErrors]).toEqual([])
})

test('every page opens without an error', async () => {
  const { page, errors } = await openConsole()
  // The page that the menu of a phone leads to has every view.
  await page.goto(`${app.url}/app/more`)
  await page.waitForSelector('h1')
  const linked: string[] = await page.$$eval('a[href^="/app/"]', (links) => links.map((link) => link.href))
  const pages = new Set([...linked, ...OTHER_PAGES.map((path) => `${app.url}/app/${path}`)])
  expect(pages.size).toBeGreaterThan(20)
  for (const url of pages) {
    // A load each: an event stream that a page leaves open would use up the six connections of the browser.
    await page.goto(url)
    await page.waitForSelector('h1, .wall')
    await page.waitForSelector('.skeleton', { hidden: true })
    expect(await page.evaluate('document.body.innerText'), url).not.toMatch(/Try again|There is no such page/)
  }
  expect(errors).toEqual([])
})
