// Finds installed browsers, for the tests of the console.
import { existsSync } from 'node:fs'

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

const firstOf = (places) => places.find((place) => existsSync(place))

export const findChromium = () => firstOf(CHROMIUMS)
export const findHeadlessShell = () => firstOf(HEADLESS_SHELLS)
export const findFirefox = () => firstOf(FIREFOXES)
