// Widgets and activities as pictures: what a request may ask for.
import { Type } from 'typebox'
import { closed, OneOf } from '../fields.ts'
import { FRAMES, type FrameQuery } from './frames.ts'
import { type ViewerQuery, viewer } from './texts.ts'

const THEMES = ['light', 'dark', 'paper'] as const
const SCALES = ['1', '1.5', '2', '2.5', '3', '3.5', '4'] as const
const COLORS = ['full', '256', '16', '4', '2', '1', 'bwr', 'bwry', 'e6'] as const
const DITHERS = ['auto', 'none', 'ordered', 'floyd'] as const
const TURNS = ['0', '90', '180', '270'] as const
const LAYERS = ['all', 'ink', 'tint', 'icon'] as const

const look = {
  background: Type.Optional(
    Type.String({
      pattern: '^(card|none|[0-9A-Fa-f]{6})$',
      description: 'card (that of the card, the default), none (transparent) or a colour such as 1e2025',
    }),
  ),
  corners: Type.Optional(OneOf(['card', 'square'], 'round as those of the card by default')),
  layer: Type.Optional(
    OneOf(
      LAYERS,
      'ink: texts and icons in one colour; tint: the coloured shapes below them; icon: the icon alone, in one colour',
    ),
  ),
  rotate: Type.Optional(OneOf(TURNS, 'degrees, clockwise')),
  ...viewer,
}

const theme = {
  pixels: Type.Optional(OneOf(THEMES, 'light by default; paper is black on white, and the only one with few colours')),
  svg: Type.Optional(OneOf([...THEMES, 'auto'], 'light by default; auto has both in one file')),
}
const scale = Type.Optional(OneOf(SCALES, 'pixels per point; 2 by default, and 1 for BMP and with few colours'))

const few = {
  scale,
  dither: Type.Optional(
    OneOf(DITHERS, 'with few colours: by default areas become a pattern and letters stay sharp (auto)'),
  ),
}
const colors = {
  png: Type.Optional(OneOf(COLORS, 'all by default; levels of grey; or black, white, red and yellow; or those of e6')),
  bmp: Type.Optional(OneOf(['2', '1', 'full'], 'black and white (1 bit) by default, or all (24 bit)')),
}

const queriesOf = (noun: keyof typeof FRAMES) => ({
  svg: Type.Object({ ...FRAMES[noun], theme: theme.svg, ...look }, closed),
  png: Type.Object({ ...FRAMES[noun], theme: theme.pixels, ...look, ...few, colors: colors.png }, closed),
  bmp: Type.Object({ ...FRAMES[noun], theme: theme.pixels, ...look, ...few, colors: colors.bmp }, closed),
})

export const PICTURE_QUERIES = { widgets: queriesOf('widgets'), activities: queriesOf('activities') }

// The parameters of a picture with several cards.
const sheet = { size: FRAMES.widgets.size, background: look.background, rotate: look.rotate, ...viewer }

export const SHEET_QUERIES = {
  svg: Type.Object({ ...sheet, theme: theme.svg }, closed),
  png: Type.Object({ ...sheet, theme: theme.pixels, ...few, colors: colors.png }, closed),
  bmp: Type.Object({ ...sheet, theme: theme.pixels, ...few, colors: colors.bmp }, closed),
}

export type PictureQuery = ViewerQuery &
  FrameQuery & {
    theme?: (typeof THEMES)[number] | 'auto'
    colors?: (typeof COLORS)[number]
    dither?: (typeof DITHERS)[number]
    rotate?: (typeof TURNS)[number]
    scale?: string
    background?: string
    corners?: 'card' | 'square'
    layer?: (typeof LAYERS)[number]
  }
