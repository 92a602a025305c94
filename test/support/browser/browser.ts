// A real browser on a real server: one Chromium per worker of vitest, and one profile per test.
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { beforeAll, onTestFinished } from 'vitest'
import { findChromium, findHeadlessShell } from '../../../scripts/browsers.mjs'
import type { UserId } from '../../../src/domain/caller.ts'
import { createSignInCode } from '../../../src/operations/accounts/accounts.ts'
import type { TestApp, TestUser } from '../app.ts'
import { type FontName, useFont } from './fonts.ts'

export type Look = {
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
  font?: FontName
  script?: boolean
  locale?: string
  timezone?: string
}
export type ConsoleTab = { page: Page; context: BrowserContext }

export type TestBrowser = {
  // A new profile, not signed in.
  newProfile(look?: Look): Promise<BrowserContext>
  // A new profile with the console open, signed in by a link: at the inbox, or at `path` once the account is loaded.
  openConsole(app: TestApp, user: TestUser, look?: Look, path?: string): Promise<ConsoleTab>
}

// Files of tests in one worker share their imports, and so this. A browser ends with its worker.
const launched = new Map<string, Promise<Browser>>()

// The headless shell opens a page in a third of the CPU time, but has no notifications. The service worker loads and stores
// the whole console in each new profile, which takes as long as to open a page, so only tests that need it have it.
export function useBrowser({ showsNotifications = false, hasServiceWorker = false } = {}): TestBrowser {
  let browser: Browser
  beforeAll(async () => {
    const executablePath = (showsNotifications ? undefined : findHeadlessShell()) ?? findChromium()
    if (!executablePath) throw new Error('no Chromium found; "node scripts/setup.mjs --tests" says what to do')
    browser = await launch(executablePath)
  })

  async function newProfile(look: Look = {}): Promise<BrowserContext> {
    const { width = 1280, height = 800, scheme = 'light', font = 'Noto Sans', script = true } = look
    const { timezone = 'Europe/Berlin', locale = 'en-GB' } = look
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      locale,
      timezoneId: timezone,
      javaScriptEnabled: script,
      serviceWorkers: hasServiceWorker ? 'allow' : 'block',
    })
    // Slow machines that run other tests in parallel need this long; the test has its own timeout.
    context.setDefaultTimeout(300_000)
    await useFont(context, font)
    onTestFinished(() => context.close())
    return context
  }

  async function openConsole(app: TestApp, user: TestUser, look?: Look, path = ''): Promise<ConsoleTab> {
    const context = await newProfile(look)
    const page = await context.newPage()
    await page.goto(await signInLink(app, user.userId, path))
    const opened = path ? page.getByRole('navigation').first() : page.getByRole('heading', { name: 'Inbox' })
    await opened.waitFor()
    return { page, context }
  }

  return { newProfile, openConsole }
}

async function launch(executablePath: string): Promise<Browser> {
  const running = await launched.get(executablePath)
  if (running?.isConnected()) return running
  // Chromium refuses its sandbox to root, and containers and build machines run as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const starting = chromium.launch({ executablePath, args })
  launched.set(executablePath, starting)
  return starting
}

// The same link that the command line prints. The rate limit of sign-ins is always on, so the clock moves a minute.
export async function signInLink(app: TestApp, userId: UserId, path = ''): Promise<string> {
  app.advanceSeconds(60)
  return `${app.url}/app/${path}#signin=${await createSignInCode(app.app.ctx, userId)}`
}

// Browsers without shared workers hold the event stream in the tab, where a test can delay it and move its clock.
export async function withoutSharedWorkers(context: BrowserContext): Promise<void> {
  await context.addInitScript('delete globalThis.SharedWorker')
}

// Navigates like a link of the console, without reloading it.
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/app/${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
}
