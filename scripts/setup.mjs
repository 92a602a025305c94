// Prepares a bare clone: a supported Node.js, the packages of package-lock.json, src compiled to dist, the clients, the console
// and the documentation built, each only when needed. With --tests also the browser that the tests of the console use, with
// --firefox the other browser that they can run in, with --deploy the first browser and the programs that the tests of
// deploy/ use. It must run on a Node.js that is too old for the rest, so it imports nothing that is installed.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DOWNLOADS, findChromium, findFirefox, findHeadlessShell } from './browsers.mjs'
import { unpackDeployTools } from './deploy-tools.mjs'
import { useSupportedNode } from './supported-node.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

// Node.js before 22.18 imports TypeScript only with it.
const READS_SOURCES = '--experimental-strip-types'

useSupportedNode(runIn)

if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json')) {
  console.log('installing dependencies …')
  // Not `npm ci`: that fails where a registry lacks the binaries of platforms other than this one.
  run('npm', 'install', '--no-save', '--include=dev', '--no-audit', '--no-fund')
}

if (changedAt('dist/main.js') < Math.max(newestIn('src'), changedAt('scripts/build-server.mjs'))) {
  console.log('building …')
  run('node', 'scripts/build-server.mjs')
}
const contractChangedAt = newestIn('src/contract')
if (
  changedAt('dist/client/clients/typescript/client.js') < Math.max(newestIn('clients/typescript'), contractChangedAt)
) {
  console.log('building the TypeScript client …')
  run('node', 'node_modules/@typescript/native/bin/tsc', '-p', 'clients/typescript')
}
const clientsChangedAt = Math.max(
  ...['src', 'clients'].map(newestIn),
  ...['package.json', 'scripts/build-clients.mjs', 'scripts/archives.mjs'].map(changedAt),
)
if (changedAt('dist/clients/SHA256SUMS') < clientsChangedAt) {
  console.log('building the clients …')
  run('node', READS_SOURCES, 'scripts/build-clients.mjs')
}

const consoleChangedAt = Math.max(
  ...['console', 'clients/typescript'].map(newestIn),
  contractChangedAt,
  changedAt('scripts/build-console.mjs'),
)
if (changedAt('dist/console/service-worker.js') < consoleChangedAt) {
  console.log('building the console …')
  run('node', 'scripts/build-console.mjs')
}

const picturesChangedAt = Math.max(...['src', 'console'].map(newestIn), changedAt('scripts/build-pictures.mjs'))
if (changedAt('dist/pictures/process.js') < picturesChangedAt) {
  console.log('building the drawing of pictures …')
  run('node', 'scripts/build-pictures.mjs')
}
if (changedAt('dist/heliograph.1') < Math.max(newestIn('src'), changedAt('scripts/man-page.mjs'))) {
  run('node', READS_SOURCES, 'scripts/man-page.mjs')
}

// Pages are in docs/ and in the root; the site takes its colours and its icon from the console.
const pages = readdirSync('.').filter((name) => name.endsWith('.md'))
const docsChangedAt = Math.max(
  ...['docs', 'scripts/docs-site', 'console'].map(newestIn),
  ...[...pages, 'scripts/build-docs.mjs'].map(changedAt),
)
if (changedAt('dist/docs/index.html') < docsChangedAt) {
  console.log('building the documentation …')
  run('node', 'scripts/build-docs.mjs')
}

const forDeploy = process.argv.includes('--deploy')
if (forDeploy || process.argv.includes('--tests')) prepareChromium()
if (process.argv.includes('--firefox')) prepareFirefox()
if (forDeploy) unpackDeployTools(runIn)

// Without one, `npm test` runs everything else and says so in its last lines (vitest.config.ts). CI must not pass like that.
function prepareChromium() {
  if (!findChromium() && !(canInstall() && tryToInstall('chromium')) && !downloadChromium()) {
    console.error('heliograph: the tests of the console need Chromium, and there is none here; install it,')
    console.error('for example with "sudo apt-get install chromium"; without it they are left out')
    if (process.env.CI || forDeploy) process.exit(1)
  }
  if (!findHeadlessShell() && canInstall()) installHeadlessShell()
}

function prepareFirefox() {
  if (findFirefox()) return
  if (!canInstall()) {
    console.error(
      'heliograph: test:firefox needs Firefox; install it, for example with "sudo apt-get install firefox-esr"',
    )
    process.exit(1)
  }
  install('firefox-esr')
}

// Only as root on Debian and its derivatives, where one command installs a browser without a question.
function canInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

function install(browser) {
  if (!tryToInstall(browser)) process.exit(1)
}

function tryToInstall(browser) {
  console.log(`installing ${browser} for the tests of the console …`)
  return (
    succeeds('apt-get', 'update', '-q') &&
    succeeds('apt-get', 'install', '-y', '-q', '--no-install-recommends', browser)
  )
}

// Playwright's build, with its headless shell, into node_modules. Libraries of the system that it needs may be missing.
function downloadChromium() {
  console.log('downloading Chromium for the tests of the console …')
  process.env.PLAYWRIGHT_BROWSERS_PATH = DOWNLOADS
  if (!succeeds('node', 'node_modules/playwright-core/cli.js', 'install', 'chromium')) return false
  const [chromium, shell] = [findChromium(), findHeadlessShell()]
  if (chromium && shell && succeeds(chromium, '--version') && succeeds(shell, '--version')) return true
  rmSync(DOWNLOADS, { recursive: true, force: true })
  return false
}

// In the version of the installed Chromium, which is not upgraded for it. The tests run without it, but take longer.
function installHeadlessShell() {
  try {
    const [, version] = execFileSync('dpkg-query', ['-W', 'chromium-common'], { encoding: 'utf8' }).trim().split('\t')
    execFileSync('apt-get', ['update', '-q'], { stdio: 'pipe', timeout: 60_000 })
    const options = ['-y', '-q', '--no-install-recommends']
    execFileSync('apt-get', ['install', ...options, `chromium-headless-shell=${version}`], { stdio: 'pipe' })
  } catch {
    console.log('chromium-headless-shell cannot be installed; the tests of the console use Chromium, which is slower')
  }
}

function run(command, ...args) {
  runIn('.', command, ...args)
}

function runIn(folder, command, ...args) {
  if (!succeedsIn(folder, command, ...args)) process.exit(1)
}

function succeeds(command, ...args) {
  return succeedsIn('.', command, ...args)
}

function succeedsIn(folder, command, ...args) {
  try {
    execFileSync(command, args, { cwd: folder, stdio: 'inherit' })
    return true
  } catch {
    console.error(`heliograph: "${[command, ...args].join(' ')}" failed; see above`)
    return false
  }
}

function changedAt(file) {
  return existsSync(file) ? statSync(file).mtimeMs : 0
}

function newestIn(folder) {
  return Math.max(...readdirSync(folder, { recursive: true }).map((name) => changedAt(join(folder, name))))
}
