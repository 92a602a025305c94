// Finds browsers for the tests of the console: installed ones, and those that scripts/setup.mjs has downloaded.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CHROMIUMS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
// The same engine without windows, which takes a third of the CPU time per page. It cannot show notifications.
const HEADLESS_SHELLS = ['/usr/bin/chromium-headless-shell']
const FIREFOXES = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']

// Where Playwright puts the browsers that it downloads.
export const DOWNLOADS = fileURLToPath(new URL('../node_modules/.browsers', import.meta.url))
const CHROMIUM_PROGRAM = /^chromium-.*\/(chrome|MacOS\/[^/]+)$/
const HEADLESS_SHELL_PROGRAM = /^chromium_headless_shell-.*\/(chrome-)?headless[-_]shell$/

const firstOf = (places) => places.find((place) => existsSync(place))

function downloaded(program) {
  if (!existsSync(DOWNLOADS)) return undefined
  const name = readdirSync(DOWNLOADS, { recursive: true }).find((name) => program.test(name))
  return name && join(DOWNLOADS, name)
}

export const findChromium = () => firstOf(CHROMIUMS) ?? downloaded(CHROMIUM_PROGRAM)
export const findHeadlessShell = () => firstOf(HEADLESS_SHELLS) ?? downloaded(HEADLESS_SHELL_PROGRAM)
export const findFirefox = () => firstOf(FIREFOXES)
