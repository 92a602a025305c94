// Pictures beside other work, SQLite: how much longer a PATCH takes while distinct pictures are drawn, at the same fixed rate; rates of
// pictures in memory and of 304; and the memory of the server and of the process that draws. Clients wait as long as a 503 says.
import { readdirSync, readFileSync } from 'node:fs'
import { WIDGET_EXAMPLES } from '../console/src/builder/widget-examples.ts'
import { prepareHome } from './homes.mjs'
import { bearer, compareRates } from './load.mjs'
import { median, nowMs, pause, percentile, residentKb } from './measure.mjs'
import { startHeliograph, withServers } from './servers.mjs'

const WIDGETS = 50
const FAMILIES = ['small', 'medium', 'large', 'circular', 'rectangular']
const LOOKS = ['theme=light', 'theme=dark', 'theme=light&scale=3', 'theme=dark&scale=3']
const VARIANTS = FAMILIES.flatMap((family) => LOOKS.map((look) => `family=${family}&${look}`))
const CLIENTS = 8
const PATCHES_PER_SECOND = 40
const PATCHES = 400

export function measurePictures(options) {
  return withServers(async (keep) => {
    const home = await keep(prepareHome())
    const server = await keep(startHeliograph('SQLite', home))
    const slugs = await fill(server)
    const beforeKb = residentKb(server.pid)
    const alone = await patchAtRate(server, slugs)
    const beside = []
    let isDone = false
    const drawing = drawAll(server, slugs).finally(() => {
      isDone = true
    })
    while (!isDone) beside.push(...(await patchAtRate(server, slugs, () => isDone)))
    const { answers, processKb } = await drawing
    const p99 = (delays) => percentile(delays, 99)
    const headers = { authorization: `Bearer ${server.keys[0]}` }
    const path = `/widgets/${slugs[0]}.png`
    const { headers: sent } = await fetch(server.url + path, { headers })
    const rates = await ratesOf(server, path, sent.get('etag'), options)
    return [
      {
        what: 'PATCH beside drawings, p99, times that alone',
        value: p99(beside) / p99(alone),
        atMost: 1.3,
        note: `${p99(alone).toFixed(1)} and ${p99(beside).toFixed(1)} ms, medians ${median(alone).toFixed(1)} and ${median(beside).toFixed(1)}; ${beside.length} requests`,
      },
      {
        what: 'server after the drawings',
        value: (residentKb(server.pid) - beforeKb) / 1024,
        unit: 'MB',
        atMost: 60,
        note: Object.entries(answers)
          .map(([status, count]) => `${count} × ${status}`)
          .join(', '),
      },
      { what: 'drawing process, at most', value: Math.max(...processKb) / 1024, unit: 'MB', atMost: 300 },
      ...rates,
    ]
  })
}

async function fill({ url, keys: [key] }) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const examples = Object.values(WIDGET_EXAMPLES).map((example) => example(Date.now()))
  const slugs = Array.from({ length: WIDGETS }, (_, index) => `w${index}`)
  for (const [index, slug] of slugs.entries()) {
    const { name, content } = examples[index % examples.length]
    const body = JSON.stringify({ slug, name, content })
    const { status } = await fetch(`${url}/widgets`, { method: 'POST', headers, body })
    if (status !== 201) throw new Error(`POST /widgets answered ${status}`)
  }
  return slugs
}

// The times of the answers; waiting for a connection counts.
async function patchAtRate({ url, keys: [key] }, slugs, isOver = () => false) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const delays = []
  const running = []
  const startMs = nowMs()
  for (let count = 0; count < PATCHES && !isOver(); count++) {
    await pause(Math.max(startMs + (count * 1000) / PATCHES_PER_SECOND - nowMs(), 0))
    const sentMs = nowMs()
    // The last widget is drawn last, so that its change does not draw others again.
    const body = JSON.stringify({ content: { subtitle: `${count}` } })
    running.push(
      fetch(`${url}/widgets/${slugs.at(-1)}`, { method: 'PATCH', headers, body }).then(async (response) => {
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`PATCH answered ${response.status}`)
        delays.push(nowMs() - sentMs)
      }),
    )
  }
  await Promise.all(running)
  return delays
}

async function drawAll({ url, keys: [key], pid }, slugs) {
  const headers = { authorization: `Bearer ${key}` }
  const waiting = slugs.flatMap((slug) => VARIANTS.map((variant) => `${url}/widgets/${slug}.png?${variant}`))
  const answers = {}
  const processKb = []
  const client = async () => {
    for (let path = waiting.pop(); path; path = waiting.pop()) {
      const response = await fetch(path, { headers })
      await response.arrayBuffer()
      answers[response.status] = (answers[response.status] ?? 0) + 1
      processKb.push(...childrenOf(pid).map(residentUnlessEnded))
      if (response.status === 503) await pause(Number(response.headers.get('retry-after')) * 1000)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
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

async function ratesOf(server, path, etag, options) {
  const health = { ...server, name: '/health', request: { method: 'GET', path: '/health' } }
  const ratio = async (name, goal, request) => {
    const asked = { ...server, name, request: { method: 'GET', path, ...request } }
    const rows = await compareRates([health, asked], { name: 'GET', goals: { [name]: goal } }, options)
    return { ...rows[1], unit: 'of /health' }
  }
  const known = (key) => ({ ...bearer(key), 'if-none-match': etag })
  return [
    await ratio('a picture in memory', 0.4, {}),
    await ratio('a picture that the client has', 0.6, { credentials: known, status: 304 }),
  ]
}
