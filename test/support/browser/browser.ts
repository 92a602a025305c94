// A real browser on a real server: one Chromium per worker of vitest, with profiles that tests share one after the other.
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest'
import { findChromium, findHeadlessShell } from '../../../scripts/browsers.mjs'
import type { UserId } from '../../../src/domain/caller.ts'
import { createSignInCode } from '../../../src/operations/accounts/accounts.ts'
import type { TestApp, TestUser } from '../app.ts'
import { type FontName, useFont } from './fonts.ts'

export type Look = {
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
  // Where none is named, a look with a width has one: its test measures what is drawn.
  font?: FontName
  script?: boolean
  locale?: string
  timezone?: string
}
export type ConsoleTab = { page: Page; context: BrowserContext }

export type TestBrowser = {
  // A new profile, not signed in.
  newProfile(look?: Look): Promise<BrowserContext>
  // A profile without data that has the console open, signed in by a link: at the inbox, or at `path` once the account is
  // loaded.
  openConsole(app: TestApp, user: TestUser, look?: Look, path?: string): Promise<ConsoleTab>
}

// Files of tests in one worker share their imports, and so this. A browser ends with its worker.
const launched = new Map<string, Promise<Browser>>()

// The headless shell opens a page in a third of the CPU time, but has no notifications. The service worker loads and stores
// the whole console in each new profile, which takes as long as to open a page, so only tests that need it have it.
// With `keepsPages` pages stay open for the following tests of the file.
export function useBrowser({
  showsNotifications = false,
  hasServiceWorker = false,
  keepsPages = false,
} = {}): TestBrowser {
  let browser: Browser
  const ends: (() => Promise<void>)[] = []
  const atEnd = keepsPages ? (end: () => Promise<void>) => void ends.push(end) : onTestFinished
  afterAll(async () => void (await Promise.all(ends.map((end) => end()))))
  beforeAll(async () => {
    const executablePath = (showsNotifications ? undefined : findHeadlessShell()) ?? findChromium()
    if (!executablePath) throw new Error('no Chromium found; "node scripts/setup.mjs --tests" says what to do')
    browser = await launch(executablePath)
  })

  async function newProfile(look: Look = {}): Promise<BrowserContext> {
    const context = await createProfile(browser, look, hasServiceWorker)
    atEnd(() => context.close())
    return context
  }

  async function openConsole(app: TestApp, user: TestUser, look: Look = {}, path = ''): Promise<ConsoleTab> {
    const isShared = Object.keys(look).length === 0 && !hasServiceWorker
    const context = await (isShared ? takeSharedProfile(browser, app.url, atEnd) : newProfile(look))
    const page = await context.newPage()
    await page.goto(await signInLink(app, user.userId, path))
    const opened = path ? page.getByRole('navigation').first() : page.getByRole('heading', { name: 'Inbox' })
    await opened.waitFor()
    return { page, context }
  }

  return { newProfile, openConsole }
}

async function createProfile(browser: Browser, look: Look, hasServiceWorker: boolean): Promise<BrowserContext> {
  const { width = 1280, height = 800, scheme = 'light', script = true } = look
  const { timezone = 'Europe/Berlin', locale = 'en-GB', font = look.width && 'Noto Sans' } = look
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale,
    timezoneId: timezone,
    javaScriptEnabled: script,
    // Servers of tests have certificates that they made themselves.
    ignoreHTTPSErrors: true,
    serviceWorkers: hasServiceWorker ? 'allow' : 'block',
  })
  // Slow machines that run other tests in parallel need this long; the test has its own timeout.
  context.setDefaultTimeout(120_000)
  if (font) await useFont(context, font)
  return context
}

type SharedProfile = { context: BrowserContext; clear(origin: string): Promise<void>; isChanged(): boolean }

// To open the console in a profile that had it open takes half the CPU time: its process runs, and its cache has the scripts.
const idleProfiles = new Map<Browser, SharedProfile[]>()

// Given back at the end, without pages and data.
async function takeSharedProfile(
  browser: Browser,
  origin: string,
  atEnd: (end: () => Promise<void>) => void,
): Promise<BrowserContext> {
  const idle = idleProfiles.get(browser) ?? []
  idleProfiles.set(browser, idle)
  const profile = idle.pop() ?? (await createSharedProfile(browser))
  atEnd(async () => {
    if (profile.isChanged()) return profile.context.close()
    await profile.clear(origin)
    idle.push(profile)
  })
  return profile.context
}

async function createSharedProfile(browser: Browser): Promise<SharedProfile> {
  const context = await createProfile(browser, {}, false)
  // Keeps the process of this profile running.
  const first = await context.newPage()
  const devtools = await context.newCDPSession(first)
  // What cannot be undone.
  const changes = [vi.spyOn(context, 'addInitScript'), vi.spyOn(context, 'route'), vi.spyOn(context, 'setOffline')]
  const clockChanges = [vi.spyOn(context.clock, 'install'), vi.spyOn(context.clock, 'setFixedTime')]
  return {
    context,
    isChanged: () => [...changes, ...clockChanges].some((change) => change.mock.calls.length > 0),
    async clear(origin) {
      const pages = context.pages().filter((page) => page !== first)
      const origins = new Set([origin, ...pages.map((page) => new URL(page.url()).origin)])
      await Promise.all(pages.map((page) => page.close()))
      await context.clearCookies()
      await context.clearPermissions()
      for (const one of origins) {
        await devtools.send('Storage.clearDataForOrigin', { origin: one, storageTypes: STORAGES })
      }
    },
  }
}

const STORAGES = 'local_storage,indexeddb,cache_storage'

async function launch(executablePath: string): Promise<Browser> {
  const running = await launched.get(executablePath)
  if (running?.isConnected()) return running
  // Chromium refuses its sandbox to root, and containers and build machines run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  // All pages of a profile in one process: to start another takes as long as to open the console in it. What is drawn without a
  // graphics card, in the browser's own process, takes a fifth less CPU time in all.
  const hosts = `--host-resolver-rules=MAP ${HOME_HOST} 127.0.0.1, MAP ${PUBLIC_HOST} 127.0.0.1`
  const processes = ['--renderer-process-limit=1', '--in-process-gpu']
  const starting = chromium.launch({ executablePath, args: [...processes, hosts, ...sandbox] })
  launched.set(executablePath, starting)
  return starting
}

// Names that lead to this machine: browsers trust a loopback address, and these only over TLS.
export const HOME_HOST = 'helio.home.arpa'
export const PUBLIC_HOST = 'helio.example'

// The same link that the command line prints. The rate limit of sign-ins is always on, so the clock moves a minute.
export async function signInLink(app: TestApp, userId: UserId, path = ''): Promise<string> {
  app.advanceSeconds(60)
  return `${app.url}/app/${path}#signin=${await createSignInCode(app.app.ctx, userId)}`
}

// Browsers without shared workers hold the event stream in the tab, where a test can delay it and move its clock.
export async function withoutSharedWorkers(target: BrowserContext | Page): Promise<void> {
  await target.addInitScript('delete globalThis.SharedWorker')
}

// However slow the machine is, the console does not stop waiting for its stream and load the list before it.
export async function waitForStream(page: Page): Promise<void> {
  await page.addInitScript('const set = setTimeout; setTimeout = (work, ms) => (ms >= 1000 ? 0 : set(work, ms))')
}

// Navigates like a link of the console, without reloading it.
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/app/${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
}

// The console listens for keys in effects, which run after the frame that draws a page.
export async function pressOnceDrawn(page: Page, key: string): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
  await page.keyboard.press(key)
}

// As a laptop has one, which the person has unlocked.
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
