// npm run bench -- --document: measures everything that docs/performance.md says, and writes the page, its drawings, and
// docs/performance.json, from which `--redraw` writes them again without measuring. With --peers and paths it measures beside other
// services too; without, the page keeps what was measured beside them before.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { drawCharts } from './document/charts.mjs'
import { renderPage } from './document/page.mjs'
import { measureRates } from './document/rates.mjs'
import { measureResources } from './document/resources.mjs'
import { measureMillion } from './large-inbox.mjs'
import { nowMs } from './measure.mjs'
import { timeBySize } from './size.mjs'

const docs = (name) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url))
const SIZES = [1000, 10_000, 100_000, 1_000_000]

// `tables`: those of peers.mjs, if the reader has other programs.
export async function measureDocument(options, tables) {
  const run = describeRun(options)
  const step = async (title, measure) => {
    const startMs = nowMs()
    const result = await measure()
    console.error(`measured ${title} in ${((nowMs() - startMs) / 1000).toFixed(0)} s`)
    return result
  }
  // The longest last: whatever fails, fails soon.
  const results = {
    run,
    resources: await step('memory and disk', () => measureResources(options)),
    growth: { counts: SIZES, times: await step('growth', () => timeBySize(SIZES, 2)) },
    waits: (await step('a large inbox', () => measureMillion('SQLite'))).map(({ work, value }) => ({
      work,
      ms: value,
    })),
    rates: await step('rates', () => measureRates(options)),
    peers: tables ? await step('other services', () => measureTables(tables, options, run)) : readResults()?.peers,
  }
  writeFileSync(docs('performance.json'), `${JSON.stringify(results, null, 2)}\n`)
  redraw()
}

export function redraw() {
  const results = readResults()
  writeFileSync(docs('performance.md'), renderPage(results))
  for (const [name, drawing] of Object.entries(drawCharts(results))) writeFileSync(docs(`images/${name}`), drawing)
}

export function readResults() {
  try {
    return JSON.parse(readFileSync(docs('performance.json'), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

async function measureTables(tables, options, run) {
  const measured = []
  for (const [title, measure] of tables) measured.push({ title, rows: await measure(options) })
  return { run, tables: measured }
}

export function describeRun({ rounds, seconds, connections }) {
  const commit = git('rev-parse', '--short', 'HEAD')
  return {
    day: new Date().toISOString().slice(0, 10),
    commit: git('status', '--porcelain', 'src') === '' ? commit : `${commit} with changes`,
    node: process.versions.node,
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'an unknown processor',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: Number(loadavg()[0].toFixed(1)),
    ...{ rounds, seconds, connections },
  }
}

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()
