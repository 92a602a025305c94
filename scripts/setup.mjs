// Prepares a bare clone: a supported Node.js, the packages of package-lock.json, src compiled to dist, the clients, the console
// and the documentation built, each only when needed. With --tests also the browser that the tests of the console use, with
// --firefox the other browser that they can run in, with --deploy the first browser and the programs that the tests of
// deploy/ use. It must run on a Node.js that is too old for the rest, so it imports nothing that is installed.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpackDeployTools } from './deploy-tools.mjs'
import { installChromium, requireChromium, requireFirefox } from './install-browsers.mjs'
import { run, runIn, StepFailed } from './steps.mjs'
import { useSupportedNode } from './supported-node.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const forDeploy = process.argv.includes('--deploy')
const forTests = forDeploy || process.argv.includes('--tests')

// Node.js before 22.18 imports TypeScript only with it.
const READS_SOURCES = '--experimental-strip-types'

try {
  await prepare()
} catch (error) {
  if (!(error instanceof StepFailed)) throw error
  process.exitCode = 1
}

async function prepare() {
  const chromium = forTests ? installChromium() : undefined
  try {
    await prepareProgram()
  } finally {
    // Also if that has failed: an installation that is broken off leaves half of a package.
    await chromium
  }
  if (forTests) await requireChromium({ always: forDeploy })
  if (process.argv.includes('--firefox')) await requireFirefox()
  if (forDeploy) await unpackDeployTools(runIn)
}

async function prepareProgram() {
  await useSupportedNode(runIn)
  if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json')) {
    console.log('installing dependencies …')
    // Not `npm ci`: that fails where a registry lacks the binaries of platforms other than this one.
    await run('npm', 'install', '--no-save', '--include=dev', '--no-audit', '--no-fund')
  }
  // Both at a time need twice the memory, which a machine for tests has.
  if (forTests) return await Promise.all([buildPrograms(), buildPages()])
  await buildPrograms()
  await buildPages()
}

async function buildPrograms() {
  const contractChangedAt = newestIn('src/contract')
  if (changedAt('dist/main.js') < Math.max(newestIn('src'), changedAt('scripts/build-server.mjs'))) {
    console.log('building …')
    await run('node', 'scripts/build-server.mjs')
  }
  if (
    changedAt('dist/client/clients/typescript/client.js') < Math.max(newestIn('clients/typescript'), contractChangedAt)
  ) {
    console.log('building the TypeScript client …')
    await run('node', 'node_modules/@typescript/native/bin/tsc', '-p', 'clients/typescript')
  }
  const clientsChangedAt = Math.max(
    ...['src', 'clients'].map(newestIn),
    ...['package.json', 'scripts/build-clients.mjs', 'scripts/archives.mjs'].map(changedAt),
  )
  if (changedAt('dist/clients/SHA256SUMS') < clientsChangedAt) {
    console.log('building the clients …')
    await run('node', READS_SOURCES, 'scripts/build-clients.mjs')
  }
  if (changedAt('dist/heliograph.1') < Math.max(newestIn('src'), changedAt('scripts/man-page.mjs'))) {
    await run('node', READS_SOURCES, 'scripts/man-page.mjs')
  }
}

async function buildPages() {
  const consoleChangedAt = Math.max(
    ...['console', 'clients/typescript', 'src/contract'].map(newestIn),
    changedAt('scripts/build-console.mjs'),
  )
  if (changedAt('dist/console/service-worker.js') < consoleChangedAt) {
    console.log('building the console …')
    await run('node', 'scripts/build-console.mjs')
  }
  const picturesChangedAt = Math.max(...['src', 'console'].map(newestIn), changedAt('scripts/build-pictures.mjs'))
  if (changedAt('dist/pictures/process.js') < picturesChangedAt) {
    console.log('building the drawing of pictures …')
    await run('node', 'scripts/build-pictures.mjs')
  }
  // Pages are in docs/ and in the root; the site takes its colours and its icon from the console.
  const pages = readdirSync('.').filter((name) => name.endsWith('.md'))
  const docsChangedAt = Math.max(
    ...['docs', 'scripts/docs-site', 'console'].map(newestIn),
    ...[...pages, 'scripts/build-docs.mjs'].map(changedAt),
  )
  if (changedAt('dist/docs/index.html') < docsChangedAt) {
    console.log('building the documentation …')
    await run('node', 'scripts/build-docs.mjs')
  }
}

function changedAt(file) {
  return existsSync(file) ? statSync(file).mtimeMs : 0
}

function newestIn(folder) {
  return Math.max(...readdirSync(folder, { recursive: true }).map((name) => changedAt(join(folder, name))))
}
