// Whether the process that draws pictures starts, finds its fonts and draws.
import type { PictureTask } from '../../domain/screens/picture.ts'
import type { Pictures } from '../../runtime/pictures/pictures.ts'
import { type Check, failure, ok } from './finding.ts'

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
export const pictureChecks = (open: (() => Pictures) | undefined): Check[] =>
  open ? [{ name: 'pictures', look: () => drawOne(open()) }] : []

async function drawOne(pictures: Pictures) {
  try {
    const drawn = await pictures.draw('doctor', 'doctor', { kind: 'widget', task: async () => CARD })
    if ('picture' in drawn) return ok('the drawing process draws a card with the bundled fonts')
    return failure(
      'the drawing process draws no card',
      'look whether dist/pictures and the packages satori, @resvg/resvg-wasm and @fontsource/* are there; or set HELIOGRAPH_PICTURES=off',
    )
  } finally {
    await pictures.close()
  }
}
