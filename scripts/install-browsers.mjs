// Installs the browsers that the tests of the console use, where the machine has none.
import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { DOWNLOADS, findChromium, findFirefox, findHeadlessShell } from './browsers.mjs'
import { run, StepFailed, succeeds, succeedsQuietly } from './steps.mjs'

const UPDATE = ['apt-get', 'update', '-q']
const INSTALL = ['apt-get', 'install', '-y', '-q', '--no-install-recommends']

// Only as root on Debian and its derivatives, where one command installs a browser without a question.
const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

// Begins before the packages of npm are there, and goes on beside their installation. Never rejects.
export async function installChromium() {
  if (!canInstall() || (findChromium() && findHeadlessShell())) return
  if (!findChromium()) {
    console.log('installing chromium for the tests of the console, beside what follows …')
    if (!(await succeedsQuietly(...UPDATE)) || !(await succeedsQuietly(...INSTALL, 'chromium'))) return
  }
  await installHeadlessShell()
}

// In the version of the installed Chromium, which is not upgraded for it. The tests run without it, but take longer.
async function installHeadlessShell() {
  const execute = promisify(execFile)
  try {
    const { stdout } = await execute('dpkg-query', ['-W', 'chromium-common'])
    const [, version] = stdout.trim().split('\t')
    const [command, ...options] = INSTALL
    await execute('apt-get', ['update', '-q'], { timeout: 60_000 })
    await execute(command, [...options, `chromium-headless-shell=${version}`])
  } catch {
    console.log('chromium-headless-shell cannot be installed; the tests of the console use Chromium, which is slower')
  }
}

// Without one, `npm test` runs everything else and says so in its last lines (vitest.config.ts). CI must not pass like that.
export async function requireChromium({ always }) {
  if (findChromium() || (await downloadChromium())) return
  console.error('heliograph: the tests of the console need Chromium, and there is none here; install it,')
  console.error('for example with "sudo apt-get install chromium"; without it they are left out')
  if (process.env.CI || always) throw new StepFailed()
}

// Playwright's build, with its headless shell, into node_modules. Libraries of the system that it needs may be missing.
async function downloadChromium() {
  console.log('downloading Chromium for the tests of the console …')
  process.env.PLAYWRIGHT_BROWSERS_PATH = DOWNLOADS
  if (!(await succeeds('node', 'node_modules/playwright-core/cli.js', 'install', 'chromium'))) return false
  const [chromium, shell] = [findChromium(), findHeadlessShell()]
  if (chromium && shell && (await succeeds(chromium, '--version')) && (await succeeds(shell, '--version'))) return true
  rmSync(DOWNLOADS, { recursive: true, force: true })
  return false
}

export async function requireFirefox() {
  if (findFirefox()) return
  if (!canInstall()) {
    console.error(
      'heliograph: test:firefox needs Firefox; install it, for example with "sudo apt-get install firefox-esr"',
    )
    throw new StepFailed()
  }
  console.log('installing firefox-esr for the tests of the console …')
  await run(...UPDATE)
  await run(...INSTALL, 'firefox-esr')
}
