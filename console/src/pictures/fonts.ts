// The fonts of pictures: which file has which letters. A file is read with the first text that needs it.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Font } from 'satori'
import { sfntOf } from './sfnt.ts'

const { resolve } = createRequire(import.meta.url)

export type FontFile = { name: string; weight: Font['weight']; read(): Promise<Font> }

const WEIGHTS = [400, 600, 700] as const
// A name for each, because the library takes one font of a name and weight.
const nameOf = (family: string, script: string) => (script === 'latin' ? family : `${family} ${script}`)

type Script = { scripts: readonly string[]; has: RegExp }

// Letters that the library itself draws right, one beside another.
const PLAIN: readonly Script[] = [
  { scripts: ['latin'], has: /(?:)/ },
  { scripts: ['latin-ext', 'vietnamese'], has: /[\u0100-\u02ff\u1d00-\u1dbf\u1e00-\u1eff\u2020\u20a0-\u20c0\u2113]/ },
  { scripts: ['greek', 'greek-ext'], has: /\p{Script=Greek}/u },
  { scripts: ['cyrillic', 'cyrillic-ext'], has: /[\p{Script=Cyrillic}\u2116]/u },
]

const packaged = (family: string, script: string, weight: Font['weight'], name = nameOf(family, script)): FontFile => {
  const file = family.toLowerCase().replaceAll(' ', '-')
  return fontFile(name, weight, () => resolve(`@fontsource/${file}/files/${file}-${script}-${weight}-normal.woff`))
}

const plainFiles = PLAIN.map(({ scripts, has }) => ({
  has,
  files: [
    ...scripts.flatMap((script) => WEIGHTS.map((weight) => packaged('Noto Sans', script, weight))),
    ...scripts.map((script) => packaged('Noto Sans Mono', script, 400)),
  ],
}))

// scripts/build-pictures.mjs copies them from their packages.
const copied = (name: string, weight: Font['weight']): FontFile =>
  fontFile(name, weight, () => fileURLToPath(new URL(`./fonts/${name}-${weight}.woff`, import.meta.url)))
const inWeights = (name: string) => WEIGHTS.map((weight) => copied(name, weight))

const OTHER_FILES = [
  {
    has: /\p{Script_Extensions=Devanagari}/u,
    files: WEIGHTS.map((weight) => packaged('Noto Sans', 'devanagari', weight)),
  },
  { has: /\p{Script_Extensions=Arabic}/u, files: inWeights('noto-sans-arabic') },
  { has: /\p{Script_Extensions=Hebrew}/u, files: inWeights('noto-sans-hebrew') },
  { has: /\p{Script_Extensions=Thai}/u, files: inWeights('noto-sans-thai') },
  { has: /\p{Extended_Pictographic}|\p{Regional_Indicator}/u, files: [copied('noto-emoji', 400)] },
  { has: /[\u2030-\u2bff]|\ud835/, files: [copied('noto-sans-math', 400), copied('noto-sans-symbols-2', 400)] },
]

export function fontFile(name: string, weight: Font['weight'], path: () => string): FontFile {
  let font: Promise<Font> | undefined
  const read = async (): Promise<Font> => ({ name, weight, style: 'normal', data: sfntOf(await readFile(path())) })
  return { name, weight, read: () => (font ??= read()) }
}

// Marks that are written above another letter need shaping, and so does all that is not here.
const PLAIN_TEXT =
  /^[\t\n\r -\u02ff\u0370-\u0482\u048a-\u052f\u1d00-\u1dbf\u1e00-\u1fff\u2000-\u200b\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2113\u2116\u2122\u2191\u2193\u2212\u2215]*$/
export const isPlain = (text: string): boolean => PLAIN_TEXT.test(text)

// What draws a character that no font has: its outlined box. The library takes the last font for it.
export const BOX = packaged('Noto Sans', 'latin', 400, 'Box')

export const plainFilesOf = (text: string): FontFile[] =>
  plainFiles.filter(({ has }) => has.test(text)).flatMap(({ files }) => files)

export const filesOf = (text: string): FontFile[] => [
  ...plainFilesOf(text),
  ...OTHER_FILES.filter(({ has }) => has.test(text)).flatMap(({ files }) => files),
]
