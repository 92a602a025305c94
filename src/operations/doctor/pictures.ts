// Whether the process that draws pictures starts, finds its fonts and draws.
import { readdirSync } from 'node:fs'
import { errorCode } from '../../domain/errors.ts'
import type { PictureTask } from '../../domain/screens/picture.ts'
import type { Pictures } from '../../runtime/pictures/pictures.ts'
import { BUSY, type Check, type Found, failure, ok, warning } from './finding.ts'

const CARD: PictureTask = {
  shown: { badge: { label: 'Heliograph', value: 'OK', color: '#34C759' }, family: 'badge' },
  format: 'png',
  width: undefined,
  height: 20,
  scale: 1,
  theme: 'light',
  background: 'card',
  corners: 'card',
  layer: 'all',
  hasHole: false,
  colors: 'full',
  dither: 'auto',
  rotate: 0,
  lang: 'en',
  tz: undefined,
  title: '',
  now: 0,
  icons: {},
}

// `open`: undefined if pictures are off.
export const pictureChecks = (open: (() => Pictures) | undefined, fontsDir: string): Check[] => [
  ...(open ? [{ name: 'pictures', look: () => drawOne(open()), late: BUSY }] : []),
  ...(open && fontsDir ? [{ name: 'fonts', look: async () => fontsIn(fontsDir) }] : []),
]

const FIX = 'put .ttf, .otf or .woff files there that the user of the server can read, or change HELIOGRAPH_FONTS_DIR'

// The drawing process takes a folder that it cannot read for one without fonts.
function fontsIn(folder: string): Found {
  try {
    const count = readdirSync(folder).filter((name) => /\.(?:ttf|otf|woff)$/i.test(name)).length
    if (count === 0) return warning(`${folder} has no font`, FIX)
    return ok(`${folder} has ${count} ${count === 1 ? 'file' : 'files'}`)
  } catch (error) {
    return warning(`${folder} cannot be read (${errorCode(error)})`, FIX)
  }
}

async function drawOne(pictures: Pictures) {
  try {
    const drawn = await pictures.draw('doctor', 'doctor', { kind: 'widget', task: async () => CARD })
    if ('picture' in drawn) return ok(`the drawing process draws a card${await lettersWithout(pictures)}`)
    return failure(
      'the drawing process draws no card',
      'look whether dist/pictures and the packages satori, @resvg/resvg-wasm and @fontsource/* are there; or set HELIOGRAPH_PICTURES=off',
    )
  } finally {
    await pictures.close()
  }
}

const SCRIPTS = { Chinese: '字', Japanese: 'か', Korean: '한', Bengali: 'ক', Tamil: 'த', Georgian: 'ქ', Armenian: 'Ձ' }
// For private use: no font has it, and its picture is that of every character without a font.
const NONE = '\u{10fffd}'

async function lettersWithout(pictures: Pictures): Promise<string> {
  const drawn = async (label: string) => {
    const shown = { badge: { label, value: '1', color: '#34C759' }, family: 'badge' } as const
    const task = { ...CARD, format: 'svg', shown } as const
    const answer = await pictures.draw('doctor', label, { kind: 'widget', task: async () => task })
    return 'picture' in answer ? answer.picture.toString() : undefined
  }
  const box = await drawn(NONE)
  const missing: string[] = []
  for (const [name, letter] of Object.entries(SCRIPTS)) if ((await drawn(letter)) === box) missing.push(name)
  return missing.length === 0
    ? ''
    : `; without a font in HELIOGRAPH_FONTS_DIR, letters are boxes: ${missing.join(', ')}`
}
