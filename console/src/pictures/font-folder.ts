// Fonts of the folder that the operator has chosen (HELIOGRAPH_FONTS_DIR), for letters that no bundled font has.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Font } from 'satori'
import { describe } from './faces.ts'
import { type FontFile, fontFile } from './fonts.ts'
import { sfntOf } from './sfnt.ts'

const FONT = /\.(?:ttf|otf|woff)$/i
// Larger ones would take the memory of the process.
const MOST_BYTES = 24 * 1024 * 1024

type InFolder = { file: FontFile; codePoints: Set<number> }

const [, , folder] = process.argv
let found: Promise<InFolder[]> | undefined

export async function folderFilesFor(codePoints: number[]): Promise<FontFile[]> {
  if (folder === undefined || codePoints.length === 0) return []
  // A folder that cannot be read has no fonts: doctor says so.
  found ??= look(folder).catch(() => [])
  const fonts = await found
  const firsts = codePoints.map((codePoint) => fonts.find((font) => font.codePoints.has(codePoint)))
  const names = new Set(firsts.map((font) => font?.file.name))
  return fonts.map(({ file }) => file).filter(({ name }) => names.has(name))
}

async function look(path: string): Promise<InFolder[]> {
  const names = (await readdir(path)).filter((name) => FONT.test(name)).sort()
  const fonts: InFolder[] = []
  // One after another, so that no two large ones are in memory.
  for (const name of names) fonts.push(...(await open(join(path, name)).catch(() => [])))
  return fonts
}

async function open(path: string): Promise<InFolder[]> {
  if ((await stat(path)).size > MOST_BYTES) return []
  const { name, weight, codePoints } = await describe(sfntOf(await readFile(path)))
  if (codePoints.size === 0) return []
  return [{ file: fontFile(name, weight as Font['weight'], () => path), codePoints }]
}
