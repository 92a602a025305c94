// Renders the console's icons as PNG from console/public/icon.svg, for systems without SVG support. Run by hand after
// the drawing has changed.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { findChromium } from './browsers.mjs'

const folder = fileURLToPath(new URL('../console/public/', import.meta.url))
const drawing = readFileSync(`${folder}icon.svg`, 'utf8')
// Systems crop a maskable icon, so its background extends to the edges and the drawing is scaled into the middle.
const maskable = drawing
  .replace(' rx="116"', '')
  .replace('<g stroke', '<g transform="translate(51 51) scale(0.8)"><g stroke')
  .replace('</svg>', '</g></svg>')

const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
const page = await browser.newPage()
for (const [name, size, svg] of [
  ['icon-180', 180, maskable],
  ['icon-192', 192, drawing],
  ['icon-512', 512, drawing],
  ['icon-maskable-512', 512, maskable],
]) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`)
  await page.screenshot({ path: `${folder}${name}.png`, omitBackground: true })
}
await browser.close()
