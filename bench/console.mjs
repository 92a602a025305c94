// What a browser gets from the server to show the console for the first time, and what an inbox of 5,000 entries costs it. Requests
// and bytes are counted between browser and server, with their headers, so those of workers count too.
import { createServer, request } from 'node:http'
import { chromium } from 'playwright-core'
import { findChromium, findHeadlessShell } from '../scripts/browsers.mjs'
import { openContext } from '../src/boot/context.ts'
import { SCROLL_TO_THE_END } from '../test/support/browser/scrolling.ts'
import { fillInbox } from '../test/support/filled-inbox.ts'
import { prepareHome } from './homes.mjs'
import { pause } from './measure.mjs'
import { startHeliograph, withServers } from './servers.mjs'

const ENTRIES = 5000
const APART_MS = 600_000
const QUESTION = { title: 'Deploy?', body: 'All checks passed.', actions: [{ id: 'yes', title: 'Yes' }] }
const WIDTHS = [1440, 390]
const LANGUAGES = { en: 'Inbox', de: 'Posteingang' }

const PAGES = {
  inbox: { account: 0, path: '', shown: '.row', hidesFirstSteps: true },
  'first steps': { account: 1, path: '?first-run', shown: '.first-run-step' },
}

export function measureConsole() {
  return withServers(async (keep) => {
    const home = await keep(prepareHome({ accounts: 2 }))
    await fill(home)
    const server = await keep(startHeliograph('SQLite', home))
    for (let n = 0; n < 3; n++) await post(server, home.tokens[0], '/notifications', QUESTION)
    const proxy = await keep(startCountingProxy(server.url))
    const browser = await openBrowser()
    try {
      const accounts = []
      for (const token of home.tokens) accounts.push(await signIn(browser, proxy.url, server, token))
      return [...(await firstLoads(browser, proxy, accounts)), ...(await longLists(browser, proxy, accounts[0]))]
    } finally {
      await browser.close()
    }
  })
}

async function fill({ settings, userIds: [userId] }) {
  const { ctx, stop } = await openContext(settings)
  const firstAt = Date.now() - (ENTRIES + 1) * APART_MS
  await fillInbox(ctx.db, userId, { count: ENTRIES, firstAt, apartMs: APART_MS, read: true }).finally(stop)
}

async function post(server, token, path, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`POST ${path}: ${await answer.text()}`)
  return answer.json()
}

function openBrowser() {
  const executablePath = findHeadlessShell() ?? findChromium()
  if (!executablePath) throw new Error('no Chromium found; "node scripts/setup.mjs --tests" says what to do')
  const args = ['--enable-precise-memory-info', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  return chromium.launch({ executablePath, args })
}

// What a browser keeps of a person who has signed in: each measurement begins with that, and with an empty cache.
async function signIn(browser, url, server, token) {
  const link = (await post(server, token, '/auth/links', {})).url
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(`${url}/app/${new URL(link).hash}`)
  await page.getByRole('heading', { name: LANGUAGES.en }).first().waitFor()
  const { id } = await (await context.request.get(`${url}/auth/me`)).json()
  const kept = await context.storageState()
  await context.close()
  return { id, kept }
}

async function openPage(browser, proxy, account, { locale = 'en', width, path, shown, hidesFirstSteps }) {
  const context = await browser.newContext({
    storageState: account.kept,
    locale,
    viewport: { width, height: 900 },
    serviceWorkers: 'block',
  })
  if (hidesFirstSteps) {
    await context.addInitScript(`localStorage.setItem('first-run-hidden', '["${account.id}"]')`)
  }
  const page = await context.newPage()
  proxy.counted.length = 0
  await page.goto(`${proxy.url}/app/${path}`)
  await page.locator(shown).first().waitFor()
  await untilQuiet(proxy)
  return { page, context }
}

// The event stream stays open, so the network is never idle to the browser.
async function untilQuiet({ counted }) {
  for (let before = -1; before !== counted.length; await pause(1000)) before = counted.length
}

async function firstLoads(browser, proxy, accounts) {
  const rows = []
  for (const [language, heading] of Object.entries(LANGUAGES)) {
    for (const [name, look] of Object.entries(PAGES)) {
      for (const width of WIDTHS) {
        const account = accounts[look.account]
        const { page, context } = await openPage(browser, proxy, account, { ...look, locale: language, width })
        if ((await page.getByText(heading).count()) === 0) throw new Error(`the console is not in ${language}`)
        rows.push(...rowsOf(`${name}, ${language}, ${width} px`, proxy.counted, await page.evaluate(SHIFT)))
        await context.close()
      }
    }
  }
  return rows
}

function rowsOf(what, counted, shift) {
  const scripts = counted.filter(({ path }) => path.endsWith('.js'))
  const files = scripts.map(({ path, bytes }) => `${nameOf(path)} ${kb(bytes).toFixed(1)}`).join(', ')
  const size = (some, atMost, note) => ({ value: kb(sum(some)), unit: 'KB', atMost, note })
  return [
    { what: `${what}: scripts`, ...size(scripts, 60, `${scripts.length} files: ${files}`) },
    { what: `${what}: all`, ...size(counted, 90, `${counted.length} requests`) },
    { what: `${what}: layout shift`, value: shift, atMost: 0.02, note: shift.toFixed(4) },
  ]
}

// Without the hash.
const nameOf = (path) => /\/([\w-]+?)(?:-[\w-]{8})?\.js$/.exec(path)[1]

const kb = (bytes) => bytes / 1000
const sum = (some) => some.reduce((total, { bytes }) => total + bytes, 0)

const SHIFT = `new Promise((resolve) => {
  let sum = 0
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value })
    .observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(sum), 200)
})`

async function longLists(browser, proxy, account) {
  const rows = []
  for (const width of WIDTHS) {
    const { page, context } = await openPage(browser, proxy, account, { ...PAGES.inbox, width })
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    const start = await stateOf(devtools)
    proxy.counted.length = 0
    const { shift, elements } = await page.evaluate(SCROLL_TO_THE_END)
    const end = await stateOf(devtools)
    const what = `${ENTRIES.toLocaleString('en')} entries, ${width} px`
    rows.push(
      {
        what: `${what}: requests while scrolling`,
        value: proxy.counted.length,
        note: `${Math.round(kb(sum(proxy.counted)))} KB`,
      },
      {
        what: `${what}: elements at most`,
        value: elements,
        atMost: 3000,
        note: `nodes ${start.nodes} at the start, ${end.nodes} at the end`,
      },
      {
        what: `${what}: heap at the end`,
        value: end.heapMb,
        unit: 'MB',
        note: `${start.heapMb.toFixed(1)} MB at the start`,
      },
      { what: `${what}: layout shift while scrolling`, value: shift, atMost: 0.02, note: shift.toFixed(4) },
    )
    await context.close()
  }
  return rows
}

// After a garbage collection.
async function stateOf(devtools) {
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const metric = (wanted) => metrics.find(({ name }) => name === wanted).value
  return { heapMb: metric('JSHeapUsedSize') / 1e6, nodes: metric('Nodes') }
}

// Passes everything on, and counts for each response its bytes as they were sent.
async function startCountingProxy(target) {
  const counted = []
  const proxy = createServer((asked, answer) => {
    const { method, url, headers } = asked
    const passed = request(new URL(url, target), { method, headers }, (got) => {
      const entry = {
        path: new URL(url, target).pathname,
        bytes: got.rawHeaders.join('').length + got.rawHeaders.length * 2,
      }
      counted.push(entry)
      got.on('data', (chunk) => (entry.bytes += chunk.length))
      answer.writeHead(got.statusCode, got.rawHeaders)
      got.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise((listening) => proxy.listen(0, '127.0.0.1', listening))
  return {
    counted,
    url: `http://127.0.0.1:${proxy.address().port}`,
    async stop() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
