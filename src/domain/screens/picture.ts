// A picture of a card: what it is asked for, what is drawn, and how large it is.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { PictureQuery } from '../../contract/screens/pictures.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { WidgetContent } from '../../contract/widgets.ts'
import type { ShownActivity } from './activity-content.ts'
import { ACTIVITY_LOOKS } from './looks.ts'
import type { Box, Place } from './sheet.ts'

export type WidgetFamily = 'small' | 'medium' | 'large' | 'extra-large' | 'circular' | 'rectangular' | 'inline'
export type ActivityFamily = 'card' | 'compact'
export type CardFamily = WidgetFamily | ActivityFamily

// In points. The height of an activity's card follows from its content, and the width of a badge.
type Size = { width: number | undefined; height: number | undefined }

const SIZES = {
  small: { width: 158, height: 158 },
  medium: { width: 338, height: 158 },
  large: { width: 338, height: 354 },
  'extra-large': { width: 715, height: 342 },
  circular: { width: 76, height: 76 },
  rectangular: { width: 172, height: 76 },
  inline: { width: 257, height: 26 },
  card: { width: 344, height: undefined },
  compact: { width: 230, height: 44 },
  badge: { width: undefined, height: 20 },
} satisfies Record<CardFamily | 'badge', Size>

// The largest height of a card and width of a badge, for the limit of pixels.
const CARD_HEIGHT = 600
const BADGE_WIDTH = 400

export type Shown =
  | { widget: { name: string; content: WidgetContent; updated_at: string; stale_after?: number }; family: WidgetFamily }
  | { activity: ShownActivity; family: ActivityFamily }
  | { badge: { label: string; value: string; color: string }; family: 'badge' }
  // Such as the time, or that there is nothing to show.
  | { words: string; family: 'words' }
  | { sheet: Box; cards: PlacedCard[]; family: 'sheet' }

// A card that is drawn already.
export type PlacedCard = { svg: string; place: Place }

// 'hole' is not the picture but the place of its timer, as JSON.
export type DrawnFormat = 'svg' | 'png' | 'bmp' | 'hole'

// Levels of grey, or the colours of a display: black, white, red, yellow, and those six of e6.
export type Colors = 'full' | '256' | '16' | '4' | '2' | 'bwr' | 'bwry' | 'e6'
export type Dither = 'auto' | 'none' | 'ordered' | 'floyd'

export type Look = {
  theme: 'light' | 'dark' | 'paper' | 'auto'
  // That of the card, none, or a colour such as #1E2025.
  background: string
  corners: 'card' | 'square'
  layer: 'all' | 'ink' | 'tint' | 'icon'
  // Whether the place of a running timer stays empty.
  hasHole: boolean
  colors: Colors
  dither: Dither
  rotate: number
}

// One form for all spellings of a request.
export type Variant<Family> = Size &
  Look & {
    family: Family
    format: DrawnFormat
    scale: number
    lang: string
    tz: string | undefined
  }

// What the drawing process gets.
export type PictureTask = Omit<Variant<unknown>, 'family'> & {
  shown: Shown
  // For people who do not see the picture.
  title: string
  now: number
  // The drawings of icons by their names.
  icons: Record<string, string>
}

type Kind = { format: DrawnFormat }

export function widgetVariant(query: PictureQuery, kind: Kind): Variant<WidgetFamily | 'badge'> {
  if (query.layer === 'icon') return withinLimits({ family: 'inline', ...iconBox(query), ...shared(query, kind) })
  const box = readSize(query.size)
  const family = (query.family ?? (box ? familyFor(box) : 'medium')) as WidgetFamily
  requireEffectOfBadge(query)
  return withinLimits({ family, ...(box ?? SIZES[family]), ...shared(query, kind) })
}

export function activityVariant(query: PictureQuery, kind: Kind): Variant<ActivityFamily | 'badge'> {
  if (query.layer === 'icon') return withinLimits({ family: 'compact', ...iconBox(query), ...shared(query, kind) })
  const family = (query.family ?? 'card') as ActivityFamily
  requireEffectOfBadge(query)
  return withinLimits({ family, ...(readSize(query.size) ?? SIZES[family]), ...shared(query, kind) })
}

function shared(query: PictureQuery, { format }: Kind) {
  const { lang = 'en', tz, background = 'card', corners = 'card', layer = 'all', dither = 'auto', rotate = '0' } = query
  const colors = colorsOf(query, format)
  const isFull = colors === 'full'
  const { theme = isFull ? 'light' : 'paper', scale = isFull && format !== 'bmp' ? '2' : '1' } = query
  if (layer !== 'all') {
    // Layers lie on the ground of the screen.
    requireUnset(query, ['background', 'corners', ...(layer === 'icon' ? (['hole'] as const) : [])], `layer=${layer}`)
  }
  return {
    format,
    scale: format === 'svg' ? 1 : Number(scale),
    theme,
    background: /^[\da-f]{6}$/i.test(background) ? `#${background.toUpperCase()}` : background,
    corners,
    layer,
    hasHole: query.hole === 'timer',
    colors,
    dither,
    rotate: Number(rotate),
    lang: lang.toLowerCase().split('-')[0] === 'de' ? 'de' : 'en',
    tz,
  }
}

// A display of few colours gets a picture that is made for it, and nothing to put together.
function colorsOf(query: PictureQuery, format: DrawnFormat): Colors {
  const { colors = format === 'bmp' ? '2' : 'full' } = query
  if (colors === 'full') {
    requireUnset(query, ['dither', ...(format === 'bmp' ? LAYERED : [])], format === 'bmp' ? 'BMP' : 'all colours')
    return colors
  }
  if (query.theme !== 'paper') requireUnset(query, ['theme'], `colors=${colors}`)
  requireUnset(query, [...LAYERED, 'background'], `colors=${colors}`)
  return colors === '1' ? '2' : colors
}

const LAYERED = ['layer', 'hole'] as const

// Several cards in one picture. Without a size, theirs decides.
export const sheetVariant = (query: PictureQuery, kind: Kind): Variant<'sheet'> =>
  withinLimits({ family: 'sheet', ...(readSize(query.size) ?? NO_SIZE), ...shared(query, kind) })

const NO_SIZE: Size = { width: undefined, height: undefined }

// A badge looks the same everywhere.
function requireEffectOfBadge(query: PictureQuery): void {
  if (query.family !== 'badge') return
  requireUnset(query, ['size', 'theme', 'corners', 'background', 'layer', 'hole'], 'family=badge')
}

// The icon alone is square, as high as a line.
function iconBox(query: PictureQuery): Size {
  if (query.family !== 'inline') requireUnset(query, ['family'], 'layer=icon')
  const { width, height } = readSize(query.size) ?? SIZES.inline
  const side = Math.min(width, height)
  return { width: side, height: side }
}

// Parameters that have no effect with another one are mistakes.
function requireUnset(query: PictureQuery, names: readonly (keyof PictureQuery)[], other: string): void {
  const errors = names
    .filter((name) => query[name] !== undefined)
    .map((name) => ({ location: `query.${name}`, message: `has no effect with ${other}` }))
  if (errors.length > 0) throw validationProblem(errors)
}

function readSize(size: string | undefined): { width: number; height: number } | undefined {
  if (size === undefined) return undefined
  const [width = 0, height = 0] = size.split('x').map(Number)
  const { min, max } = LIMITS.screen.pictureSide
  if ([width, height].some((side) => side < min || side > max)) {
    throw validationProblem([{ location: 'query.size', message: `must have sides from ${min} to ${max} points` }])
  }
  return { width, height }
}

function familyFor({ width, height }: { width: number; height: number }): WidgetFamily {
  if (width < 250) return 'small'
  if (height <= 250) return 'medium'
  return width >= 600 ? 'extra-large' : 'large'
}

export function withinLimits<Measured extends Size & { scale: number }>(variant: Measured): Measured {
  const { width = BADGE_WIDTH, height = CARD_HEIGHT, scale } = variant
  const [pixelsX, pixelsY] = [width * scale, height * scale]
  const { maxPictureSidePixels, maxPicturePixels } = LIMITS.screen
  if (Math.max(pixelsX, pixelsY) <= maxPictureSidePixels && pixelsX * pixelsY <= maxPicturePixels) return variant
  const most = `at most ${maxPictureSidePixels} on a side and ${maxPicturePixels.toLocaleString('en')} in all`
  throw new Problem('picture.too_large', `The picture would have ${pixelsX} × ${pixelsY} pixels, and may have ${most}.`)
}

// Icons that faces draw without being asked.
const OF_FACES = [
  'arrow.right',
  'arrow.up.right',
  'battery.100',
  'battery.75',
  'bolt',
  'checkmark',
  'checkmark.circle',
  'clock',
  'exclamationmark',
  'house',
  'info',
  'mdi:arrow-bottom-right',
  'mdi:transmission-tower',
  'sun.max',
  'xmark',
  'xmark.circle',
  ...Object.values(ACTIVITY_LOOKS).map(({ icon }) => icon),
]

// All icons that the card may draw: those of faces, and every member `icon` of the content.
export function iconNamesOf(content: unknown): string[] {
  const names = new Set(OF_FACES)
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [member, inside] of Object.entries(value)) {
      if (member !== 'icon' || typeof inside !== 'string') visit(inside)
      // A status draws its symbol without the circle.
      else for (const name of [inside, inside.replace(/\.circle(\.fill)?$/, '')]) names.add(name)
    }
  }
  visit(content)
  return [...names]
}
