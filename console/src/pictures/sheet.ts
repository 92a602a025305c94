// Puts drawn cards together on one ground, as large as they fit into the picture.
import type { PictureTask, PlacedCard, Shown } from '../../../src/domain/screens/picture.ts'
import { finished, openSvg } from './finished.ts'

type SheetOf = Extract<Shown, { sheet: unknown }>

// Those of the pages of the console (styles/tokens.css).
const GROUNDS = { light: '#f6f6f4', dark: '#101114', paper: '#ffffff' }
const BOTH = `<style>.ground{fill:${GROUNDS.light}}@media (prefers-color-scheme:dark){.ground{fill:${GROUNDS.dark}}}</style>`

export function drawSheet(task: PictureTask, { sheet, cards }: SheetOf): string {
  const { width = sheet.width, height = sheet.height } = task
  const scale = Math.min(width / sheet.width, height / sheet.height)
  const [x, y] = [(width - sheet.width * scale) / 2, (height - sheet.height * scale) / 2]
  const frames = task.theme === 'paper' ? cards.map(framed).join('') : ''
  const inside = cards.map((card, index) => placed(card, `c${index}-`)).join('') + frames
  const drawn = `<g transform="translate(${x} ${y}) scale(${scale})">${inside}</g>`
  return finished(`${openSvg(width, height)}${ground(task)}${drawn}</svg>`, task)
}

function ground({ theme, background }: PictureTask): string {
  if (background === 'none') return ''
  const area = 'width="100%" height="100%"'
  if (background !== 'card') return `<rect ${area} fill="${background}"/>`
  return theme === 'auto' ? `${BOTH}<rect class="ground" ${area}/>` : `<rect ${area} fill="${GROUNDS[theme]}"/>`
}

// On paper, cards and their ground are both white.
const framed = ({ place: { x, y, width, height } }: PlacedCard): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="12" fill="none" stroke="#000000" stroke-width="1.5"/>`

// The names of masks and gradients are those of their card alone.
function placed({ svg, place: { x, y, width, height } }: PlacedCard, prefix: string): string {
  return svg
    .replace(/( id="|url\(#| href="#)/g, (begin) => begin + prefix)
    .replace(/<title>[^<]*<\/title>/, '')
    .replace(
      /^<svg role="img" width="[^"]*" height="[^"]*"/,
      `<svg x="${x}" y="${y}" width="${width}" height="${height}"`,
    )
}
