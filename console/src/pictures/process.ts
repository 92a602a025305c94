// The process that draws pictures: gets what to draw over its only pipe, and gives back the bytes. It reads nothing but its own code
// and fonts, and has no database, no tokens and no environment.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { Font } from 'satori'
import type { PictureTask } from '../../../src/domain/screens/picture.ts'
import type { FromProcess, ToProcess } from '../../../src/runtime/threads/process.ts'
import { drawSvg, findHole } from './draw.tsx'

const { resolve } = createRequire(import.meta.url)

const WEIGHTS = [400, 600, 700] as const
const SCRIPTS = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese']

async function readFont(name: string, script: string, weight: Font['weight']): Promise<Font> {
  const file = name.toLowerCase().replaceAll(' ', '-')
  const data = await readFile(resolve(`@fontsource/${file}/files/${file}-${script}-${weight}-normal.woff`))
  return { name, weight, style: 'normal', data }
}

async function readFonts(): Promise<Font[]> {
  const sans = WEIGHTS.flatMap((weight) => SCRIPTS.map((script) => readFont('Noto Sans', script, weight)))
  const mono = SCRIPTS.map((script) => readFont('Noto Sans Mono', script, 400))
  return Promise.all([...sans, ...mono])
}

// Frees the memory of WebAssembly itself: the garbage collector would do so much later.
function toPng(svg: string, scale: number): Uint8Array {
  const drawing = new Resvg(svg, { fitTo: { mode: 'zoom', value: scale }, font: { loadSystemFonts: false } })
  const image = drawing.render()
  const png = image.asPng()
  image.free()
  drawing.free()
  return png
}

async function draw(task: PictureTask, fonts: Font[]): Promise<Uint8Array> {
  if (task.format === 'hole') return Buffer.from(await findHole(task, fonts))
  const svg = await drawSvg(task, fonts)
  return task.format === 'svg' ? Buffer.from(svg) : toPng(svg, task.scale)
}

const [fonts] = await Promise.all([
  readFonts(),
  readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')).then((wasm) => initWasm(wasm)),
])

const post = (message: FromProcess): void => void process.send?.(message)

// Without a result if it fails. The message of the error may quote the content, which belongs into no log.
process.on('message', async ({ task }: ToProcess) => {
  const result = await draw(task as PictureTask, fonts).catch(() => undefined)
  post({ result, residentBytes: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())
post({ isReady: true })
