// Draws every template of widgets and activities as the server does, into docs/images/pictures.png: to be looked at after a change of
// a card, a style sheet or a library. Needs a build.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { ACTIVITY_EXAMPLES } from '../console/src/builder/activity-examples.ts'
import { WIDGET_EXAMPLES } from '../console/src/builder/widget-examples.ts'
import { iconNamesOf } from '../dist/domain/screens/picture.js'
import { systemClock } from '../dist/runtime/clock.js'
import { drawingOfName } from '../dist/runtime/icon-set.js'
import { createLog } from '../dist/runtime/log.js'
import { createPictures } from '../dist/runtime/pictures/pictures.js'

const NOW = Date.parse('2026-11-18T12:00:00Z')
const GAP = 16
const SCALE = 1.5

const pictures = createPictures(createLog('warn', 'pretty'), systemClock, { processes: 2, cacheMb: 64 })

const iconsOf = async (content) =>
  Object.fromEntries(
    await Promise.all(iconNamesOf(content).map(async (name) => [name, (await drawingOfName(name)) ?? ''])),
  )

async function draw(shown, size, theme) {
  const { content } = shown.widget ?? shown.activity
  const look = {
    theme,
    background: 'card',
    corners: 'card',
    layer: 'all',
    hasHole: false,
    colors: 'full',
    dither: 'auto',
    rotate: 0,
  }
  const common = { format: 'png', scale: SCALE, ...look, lang: 'en', tz: 'Europe/Berlin', now: NOW, title: '' }
  const task = { ...common, ...size, shown, icons: await iconsOf(content) }
  const { picture } = await pictures.draw(`${theme}`, JSON.stringify([shown, theme]), task)
  return { picture, width: picture.readUInt32BE(16) / SCALE, height: picture.readUInt32BE(20) / SCALE }
}

const SIZES = { small: [158, 158], medium: [338, 158], rectangular: [172, 76], circular: [76, 76] }

const widgetRow = (example) =>
  Object.entries(SIZES).map(([family, [width, height]]) => {
    const { name, content } = example(NOW)
    const widget = { name, content, updated_at: new Date(NOW).toISOString() }
    return draw({ widget, family }, { width, height }, family === 'medium' ? 'dark' : 'light')
  })

function activityPair(example, theme) {
  const { slug, name, content } = example(NOW)
  return draw({ activity: { slug, name, state: 'ongoing', content }, family: 'card' }, { width: 344 }, theme)
}

const activities = Object.values(ACTIVITY_EXAMPLES).map((example, index) =>
  activityPair(example, index % 4 < 2 ? 'light' : 'dark'),
)
const rows = [
  ...(await Promise.all(Object.values(WIDGET_EXAMPLES).map((example) => Promise.all(widgetRow(example))))),
  ...(await Promise.all(
    activities.map(async (card, index) => (index % 2 ? [] : [await card, await activities[index + 1]])),
  )),
].filter((row) => row.length > 0)
await pictures.close()

let y = GAP
const images = rows.flatMap((row) => {
  let x = GAP
  const placed = row.map(({ picture, width, height }) => {
    const image = `<image x="${x}" y="${y}" width="${width}" height="${height}" href="data:image/png;base64,${picture.toString('base64')}"/>`
    x += width + GAP
    return image
  })
  y += Math.max(...row.map(({ height }) => height)) + GAP
  return placed
})
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="830" height="${y}"><rect width="830" height="${y}" fill="#dcdcd8"/>${images.join('')}</svg>`
await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')))
writeFileSync('docs/images/pictures.png', new Resvg(svg).render().asPng())
