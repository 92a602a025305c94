// The process that draws pictures: gets what to draw over its only pipe, and gives back the bytes. It reads nothing but its own code
// and fonts, and has no database, no tokens and no environment.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { PictureTask } from '../../../src/domain/screens/picture.ts'
import type { FromProcess, ToProcess } from '../../../src/runtime/threads/process.ts'
import { inColors, type Raster } from './dither.ts'
import { drawSvg, findHole } from './draw.tsx'
import { bmpOfAll, bmpOfTwo, pngOf } from './files.ts'
import { PALETTES } from './palettes.ts'

const { resolve } = createRequire(import.meta.url)

async function draw(task: PictureTask): Promise<Uint8Array> {
  const { format, scale, colors, dither } = task
  if (format === 'hole') return Buffer.from(await findHole(task))
  const svg = await drawSvg(task)
  if (format === 'svg') return Buffer.from(svg)
  const isOpaque = format === 'bmp' || colors !== 'full'
  const image = paint(svg, scale, isOpaque)
  if (!isOpaque) return image.png()
  const raster = image.raster()
  if (colors === 'full') return bmpOfAll(raster)
  const palette = PALETTES[colors]
  const numbers = inColors(raster, palette, dither)
  return format === 'bmp' ? bmpOfTwo(numbers, raster) : pngOf(numbers, raster, palette)
}

// Frees the memory of WebAssembly itself: the garbage collector would do so much later.
function paint(svg: string, scale: number, isOpaque: boolean) {
  const drawing = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: { loadSystemFonts: false },
    ...(isOpaque && { background: '#ffffff' }),
  })
  const image = drawing.render()
  const freed = <Result>(read: () => Result): Result => {
    const result = read()
    image.free()
    drawing.free()
    return result
  }
  return {
    png: () => freed(() => image.asPng()),
    raster: (): Raster => freed(() => ({ width: image.width, height: image.height, pixels: image.pixels })),
  }
}

await initWasm(await readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')))

const post = (message: FromProcess): void => void process.send?.(message)

// Without a result if it fails. The message of the error may quote the content, which belongs into no log.
process.on('message', async ({ task }: ToProcess) => {
  const result = await draw(task as PictureTask).catch(() => undefined)
  post({ result, residentBytes: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())
post({ isReady: true })
