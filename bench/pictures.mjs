// Pictures beside other work, SQLite: how much longer a PATCH and a POST take while distinct pictures are drawn, at the same fixed rate,
// and a bare route, whose answers only the machine delays; what a drawing costs; what a picture in memory and a 304 cost beside GET /health; and the memory of the server and of the process that
// draws. Clients wait as long as a 503 says.
import { readdirSync, readFileSync } from 'node:fs'
import { Pool } from 'undici'
import { WIDGET_EXAMPLES } from '../console/src/builder/widget-examples.ts'
import { MESSAGE } from './examples.mjs'
import { prepareHome } from './homes.mjs'
import { bearer, compareRates } from './load.mjs'
import { cpuMicros, median, nowMs, pause, percentile, residentKb } from './measure.mjs'
import { startBare, startHeliograph, withServers } from './servers.mjs'

const WIDGETS = 50
const FAMILIES = ['small', 'medium', 'large', 'circular', 'rectangular']
const LOOKS = ['theme=light', 'theme=dark', 'theme=light&scale=3', 'theme=dark&scale=3']
const VARIANTS = FAMILIES.flatMap((family) => LOOKS.map((look) => `family=${family}&${look}`))
const CLIENTS = 8
// Of PATCH, POST and bare together.
const REQUESTS_PER_SECOND = 60
const REQUESTS_ALONE = 1200
// The first account has the widgets; the others send, because of their quotas.
const ACCOUNTS = 9
const WARM_DRAWINGS = 20
// The process ends after a minute without a drawing.
const UNTIL_IDLE_MS = 61_000

export function measurePictures(options) {
  return withServers(async (keep) => {
    const home = await keep(prepareHome({ accounts: ACCOUNTS }))
    const monitor = new URL('./loop-monitor.mjs', import.meta.url).href
    const environment = { ...home.environment, NODE_OPTIONS: `--import=${monitor}` }
    const server = await keep(startHeliograph('SQLite', { ...home, environment }))
    const pool = new Pool(server.url, { connections: 64 })
    const bare = await keep(startBare())
    const barePool = new Pool(bare.url, { connections: 8 })
    const slugs = await fill(server, pool)
    const asked = { ...changesOf(server, pool, slugs), 'a bare route': () => change(bare, barePool, POST) }
    const alone = await askAtRate(asked, REQUESTS_ALONE)
    const beforeKb = residentKb(server.pid)
    const drawing = await measureDrawing(server, pool, slugs)
    await server.ask('longest stall')
    const { beside, answers, processKb } = await askBesideDrawings(server, pool, slugs, asked)
    const stall = await server.ask('longest stall')
    const serverMb = (residentKb(server.pid) - beforeKb) / 1024
    const rates = await ratesOf(server, pool, slugs, options)
    await pause(UNTIL_IDLE_MS)
    await Promise.all([pool.close(), barePool.close()])
    return [
      ...drawing,
      compared('PATCH', alone, beside, 1.3),
      compared('POST', alone, beside, 1.3),
      compared('a bare route', alone, beside),
      {
        what: 'event loop held while drawing',
        value: stall.cpuMs,
        unit: 'ms of CPU',
        atMost: 50,
        note: `${stall.longestMs.toFixed(0)} ms by the clock`,
      },
      {
        what: 'server after the drawings',
        value: serverMb,
        unit: 'MB more',
        atMost: 60,
        note: Object.entries(answers)
          .map(([status, count]) => `${count} × ${status}`)
          .join(', '),
      },
      { what: 'drawing process, at most', value: Math.max(...processKb) / 1024, unit: 'MB', atMost: 300 },
      ...rates,
      { what: 'drawing processes a minute later', value: childrenOf(server.pid).length, atMost: 0 },
    ]
  })
}

const compared = (what, { [what]: alone }, { [what]: beside }, atMost) => {
  const [before, now] = [percentile(alone, 99), percentile(beside, 99)]
  return {
    what: `${what} beside drawings, p99, times that alone`,
    value: now / before,
    atMost,
    note: `${before.toFixed(1)} and ${now.toFixed(1)} ms, medians ${median(alone).toFixed(1)} and ${median(beside).toFixed(1)}; ${beside.length} requests`,
  }
}

const POST = { method: 'POST', path: '/notifications', body: MESSAGE }

const changesOf = (server, pool, slugs) => ({
  // The last widget is drawn last, so that its change does not draw others again.
  PATCH: (count) =>
    change(server, pool, {
      method: 'PATCH',
      path: `/widgets/${slugs.at(-1)}`,
      body: { content: { subtitle: `${count}` } },
    }),
  POST: (count) => change(server, pool, { ...POST, key: server.keys[1 + (count % (ACCOUNTS - 1))] }),
})

async function fill(server, pool) {
  const examples = Object.values(WIDGET_EXAMPLES).map((example) => example(Date.now()))
  const slugs = Array.from({ length: WIDGETS }, (_, index) => `w${index}`)
  for (const [index, slug] of slugs.entries()) {
    const { name, content } = examples[index % examples.length]
    await change(server, pool, { method: 'POST', path: '/widgets', body: { slug, name, content } })
  }
  return slugs
}

async function change({ keys: [first] }, pool, { method, path, body, key = first }) {
  const headers = { ...bearer(key), 'content-type': 'application/json' }
  const { statusCode, body: answer } = await pool.request({ method, path, headers, body: JSON.stringify(body) })
  await answer.dump()
  if (statusCode >= 300) throw new Error(`${method} ${path} answered ${statusCode}`)
}

// The first drawing starts the process. CPU time, of the process and of the server.
async function measureDrawing(server, pool, slugs) {
  await draw(server, pool, `/widgets/${slugs[0]}.png?theme=paper`)
  const [process] = childrenOf(server.pid)
  const firstMs = cpuMicros(process) / 1000
  const costs = { process: [], server: [] }
  for (let count = -WARM_DRAWINGS; count < WARM_DRAWINGS; count++) {
    const before = [cpuMicros(process), cpuMicros(server.pid)]
    await draw(server, pool, `/widgets/${slugs[0]}.png?family=medium&size=338x${200 + count}`)
    if (count < 0) continue
    costs.process.push((cpuMicros(process) - before[0]) / 1000)
    costs.server.push((cpuMicros(server.pid) - before[1]) / 1000)
  }
  const warmMs = median(costs.process)
  return [
    {
      what: 'a medium drawing, warm',
      value: warmMs,
      unit: 'ms of CPU',
      atMost: 80,
      note: `and ${median(costs.server).toFixed(1)} ms of the server`,
    },
    { what: 'the first drawing', value: firstMs / warmMs, unit: 'times a warm one', atMost: 20 },
  ]
}

async function draw({ keys: [key] }, pool, path) {
  const { statusCode, headers, body } = await pool.request({ method: 'GET', path, headers: bearer(key) })
  await body.dump({ limit: Number.POSITIVE_INFINITY })
  return { statusCode, headers }
}

async function askBesideDrawings(server, pool, slugs, asked) {
  let isDone = false
  const drawing = drawAll(server, pool, slugs).finally(() => {
    isDone = true
  })
  const beside = await askAtRate(asked, Number.POSITIVE_INFINITY, () => isDone)
  return { beside, ...(await drawing) }
}

// They take turns. The times of the answers; waiting for a connection counts.
async function askAtRate(asked, most, isOver = () => false) {
  const names = Object.keys(asked)
  const delays = Object.fromEntries(names.map((name) => [name, []]))
  const running = []
  const startMs = nowMs()
  for (let count = 0; count < most && !isOver(); count++) {
    await pause(Math.max(startMs + (count * 1000) / REQUESTS_PER_SECOND - nowMs(), 0))
    const sentMs = nowMs()
    const name = names[count % names.length]
    running.push(asked[name](count).then(() => delays[name].push(nowMs() - sentMs)))
  }
  await Promise.all(running)
  return delays
}

async function drawAll(server, pool, slugs) {
  const waiting = slugs.flatMap((slug) => VARIANTS.map((variant) => `/widgets/${slug}.png?${variant}`))
  const answers = {}
  const processKb = []
  const looking = setInterval(() => processKb.push(...childrenOf(server.pid).map(residentUnlessEnded)), 100)
  const client = async () => {
    for (let path = waiting.pop(); path; path = waiting.pop()) {
      const { statusCode, headers } = await draw(server, pool, path)
      answers[statusCode] = (answers[statusCode] ?? 0) + 1
      if (statusCode === 503) await pause(Number(headers['retry-after']) * 1000)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  clearInterval(looking)
  return { answers, processKb }
}

// It may be replaced in this moment.
function residentUnlessEnded(pid) {
  try {
    return residentKb(pid)
  } catch {
    return 0
  }
}

function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

// By the CPU time of the server: the client takes longer to read a picture than the server to send it, so the rate would be that of the
// client.
async function ratesOf(server, pool, [slug], options) {
  const path = `/widgets/${slug}.png`
  const { headers } = await draw(server, pool, path)
  const health = { ...server, name: '/health', request: { method: 'GET', path: '/health' } }
  const ratio = async (name, atLeast, request) => {
    const asked = { ...server, keys: server.keys.slice(0, 1), name, request: { method: 'GET', path, ...request } }
    const [one, other] = await compareRates([health, asked], { name: 'GET' }, options)
    return { ...other, value: one.cpuMicros / other.cpuMicros, unit: 'of /health', atLeast }
  }
  const known = (key) => ({ ...bearer(key), 'if-none-match': headers.etag })
  return [
    await ratio('a picture in memory', 0.4, { isBinary: true }),
    await ratio('a picture that the client has', 0.6, { credentials: known, status: 304 }),
  ]
}
