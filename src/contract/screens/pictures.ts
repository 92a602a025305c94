// Widgets and activities as pictures: what a request may ask for.
import { Type } from 'typebox'
import { closed, OneOf } from '../fields.ts'
import { FRAMES, type FrameQuery } from './frames.ts'
import { type ViewerQuery, viewer } from './texts.ts'

const THEMES = ['light', 'dark'] as const
const SCALES = ['1', '1.5', '2', '2.5', '3', '3.5', '4'] as const
const LAYERS = ['all', 'ink', 'tint', 'icon'] as const

const look = {
  background: Type.Optional(
    Type.String({
      pattern: '^(card|none|[0-9A-Fa-f]{6})$',
      description: 'that of the card by default; none is transparent; or a colour such as 1e2025',
    }),
  ),
  corners: Type.Optional(OneOf(['card', 'square'], 'round as those of the card by default')),
  layer: Type.Optional(
    OneOf(
      LAYERS,
      'ink: texts and icons in one colour; tint: the coloured shapes below them; icon: the icon alone, in one colour',
    ),
  ),
  ...viewer,
}

const theme = {
  png: Type.Optional(OneOf(THEMES, 'light by default')),
  svg: Type.Optional(OneOf([...THEMES, 'auto'], 'light by default; auto has both in one file')),
}
const scale = Type.Optional(OneOf(SCALES, 'pixels per point; 2 by default'))

const queriesOf = (noun: keyof typeof FRAMES) => ({
  svg: Type.Object({ ...FRAMES[noun], theme: theme.svg, ...look }, closed),
  png: Type.Object({ ...FRAMES[noun], theme: theme.png, ...look, scale }, closed),
})

export const PICTURE_QUERIES = { widgets: queriesOf('widgets'), activities: queriesOf('activities') }

export type PictureQuery = ViewerQuery &
  FrameQuery & {
    theme?: 'light' | 'dark' | 'auto'
    scale?: string
    background?: string
    corners?: 'card' | 'square'
    layer?: (typeof LAYERS)[number]
  }
