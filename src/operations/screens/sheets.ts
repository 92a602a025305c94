// Several cards in one picture: the wall, and what goes on now. Each card is drawn as a picture of its own and remembered, so after a
// change only that one is drawn again.
import { Problem } from '../../contract/problems.ts'
import type { PictureQuery } from '../../contract/screens/pictures.ts'
import type { WallPlace, WallSize } from '../../contract/widgets.ts'
import type { Caller } from '../../domain/caller.ts'
import { earlier, instant } from '../../domain/instant.ts'
import { clockTimeOf } from '../../domain/screens/format.ts'
import {
  type PictureTask,
  type PlacedCard,
  sheetVariant,
  type Variant,
  withinLimits,
} from '../../domain/screens/picture.ts'
import { type Box, gridSize, listSheet, type Place, type Sheet, wallSheet } from '../../domain/screens/sheet.ts'
import type { Widget } from '../../domain/widgets/widget.ts'
import { withRecords } from '../activities/read.ts'
import type { Context } from '../context.ts'
import { readWall } from '../widgets/wall.ts'
import { allWidgets } from '../widgets/widgets.ts'
import { ongoingActivities } from './glances.ts'
import {
  type AskedPicture,
  countVariant,
  type DrawnNow,
  drawn,
  hashOf,
  nameOf,
  type Picture,
  pictureOfReadActivity,
  pictureOfReadWidget,
  requirePictures,
  type Seen,
  seenBy,
} from './pictures.ts'

const MINUTE_MS = 60_000
const CLOCK_HEIGHT = 44
const EMPTY: Place = { x: 16, y: 16, width: 338, height: 158 }

// The wall in its order and sizes, with its clock if it has one and the screen follows it.
export async function pictureOfWall(
  ctx: Context,
  caller: Caller,
  asked: AskedPicture,
  followsClock = true,
): Promise<Picture> {
  requirePictures(ctx)
  const seen = seenBy(ctx, asked, sheetVariant(asked.query, asked))
  countVariant(ctx, caller, hashOf(['wall', seen.variant]))
  const { items, showsClock } = await readWall(ctx, caller)
  return gridPicture(seen, caller, {
    asked,
    shown: await withWidgets(ctx, caller, items),
    showsClock: showsClock && followsClock,
  })
}

// These widgets, in their order.
export async function pictureOfWidgets(
  ctx: Context,
  caller: Caller,
  slugs: string[],
  asked: AskedPicture,
): Promise<Picture> {
  requirePictures(ctx)
  const seen = seenBy(ctx, asked, sheetVariant(asked.query, asked))
  countVariant(ctx, caller, hashOf([slugs, seen.variant]))
  const size = gridSize(slugs.length)
  const shown = await withWidgets(
    ctx,
    caller,
    slugs.map((slug) => ({ slug, size })),
  )
  return gridPicture(seen, caller, { asked, shown, showsClock: false })
}

// Those that exist.
async function withWidgets(ctx: Context, caller: Caller, items: WallPlace[]): Promise<PlacedWidget[]> {
  const widgets = new Map((await allWidgets(ctx, caller)).map((widget) => [widget.slug, widget]))
  return items.flatMap(({ slug, size }) => {
    const widget = widgets.get(slug)
    return widget ? [{ widget, size }] : []
  })
}

type PlacedWidget = { widget: Widget; size: WallSize }
type Grid = { asked: AskedPicture; shown: PlacedWidget[]; showsClock: boolean }

function gridPicture(seen: Seen<'sheet'>, caller: Caller, { asked, shown, showsClock }: Grid): Picture {
  const { ctx } = seen
  const head = showsClock ? CLOCK_HEIGHT : 0
  const layout = wallSheet(
    shown.map(({ size }) => size),
    head,
    boxOf(seen.variant),
  )
  const cards = shown.map(({ widget, size }, index) => {
    const { width, height } = layout.places[index] as Place
    const query = { ...cardQuery(asked.query), family: size, size: `${width}x${height}` } satisfies PictureQuery
    return pictureOfReadWidget(ctx, caller, widget, { query, format: 'svg' })
  })
  const clock = {
    words: clockTimeOf(seen.viewer, seen.viewer.now),
    place: { x: 16, y: 16, width: layout.width - 32, height: CLOCK_HEIGHT - 12 },
  }
  return sheetPicture(seen, caller, {
    slugs: shown.map(({ widget }) => widget.slug),
    cards,
    layout: async () => layout,
    words: showsClock ? clock : shown.length === 0 ? { words: seen.viewer.words.noWidgets, place: EMPTY } : undefined,
    nextMs: showsClock ? (Math.floor(seen.viewer.now / MINUTE_MS) + 1) * MINUTE_MS : undefined,
  })
}

// The ongoing activities by priority, one below another.
export async function pictureOfActivities(ctx: Context, caller: Caller, asked: AskedPicture): Promise<Picture> {
  requirePictures(ctx)
  const seen = seenBy(ctx, asked, sheetVariant(asked.query, asked))
  countVariant(ctx, caller, hashOf(['activities', seen.variant]))
  const ongoing = await ongoingActivities(ctx, caller)
  const activities = await ctx.slices(caller.userId, () =>
    Promise.all(ongoing.map((activity) => withRecords(ctx.db.read, activity, false))),
  )
  const query = cardQuery(asked.query)
  const cards = activities.map((activity) => pictureOfReadActivity(ctx, caller, activity, { query, format: 'svg' }))
  const isEmpty = cards.length === 0
  return sheetPicture(seen, caller, {
    slugs: activities.map(({ slug }) => slug),
    cards,
    layout: async (svgs) => listSheet(isEmpty ? [EMPTY] : svgs.map(sizeOf), boxOf(seen.variant)),
    words: isEmpty ? { words: seen.viewer.words.noActivities, place: EMPTY } : undefined,
    nextMs: undefined,
  })
}

type Parts = {
  slugs: string[]
  cards: Picture[]
  // Takes the drawn cards, because the height of some follows from their content.
  layout: (svgs: string[]) => Promise<Sheet>
  words: { words: string; place: Place } | undefined
  // When it changes by itself, besides its cards.
  nextMs: number | undefined
}

function sheetPicture(
  { ctx, viewer, variant }: Seen<'sheet'>,
  caller: Caller,
  { slugs, cards, layout, words, nextMs }: Parts,
): Picture {
  const name = nameOf(caller, variant, [cards.map((card) => card.name), words])
  const form = hashOf([caller.userId, variant, slugs])
  const title = [...(words ? [words.words] : []), ...cards.map((card) => card.title)].join('; ')
  const times = [...cards.flatMap(({ validUntil }) => validUntil ?? []), ...(nextMs ? [instant(nextMs)] : [])]
  const base = { ...variant, title, now: viewer.now, icons: {} }
  const sheetOf = async (svgs: string[]): Promise<PictureTask> => {
    const { places, ...sheet } = await layout(svgs)
    const drawnCards = svgs.map((svg, index): PlacedCard => ({ svg, place: places[index] as Place }))
    const text = words && { svg: await drawWords(ctx, caller, base, words), place: words.place }
    const { width, height } = withinLimits({ ...variant, ...(boxOf(variant) ?? sheet) })
    const placed = [...(text ? [text] : []), ...drawnCards.filter(({ svg }) => svg)]
    return { ...base, width, height, shown: { sheet, cards: placed, family: 'sheet' } }
  }
  const draw = async (): Promise<DrawnNow> => {
    try {
      const task = async () => {
        const svgs = await Promise.all(cards.map(svgOf))
        const present = svgs.filter((svg) => svg !== undefined)
        if (present.length < svgs.length) return 'busy'
        if (present.includes('')) throw new MissingCards(present)
        return sheetOf(present)
      }
      return await drawn(ctx, caller, name, { kind: 'sheet', variant: form, task })
    } catch (error) {
      if (!(error instanceof MissingCards)) throw error
      // Under another name, so that nobody keeps the hole for longer than the card fails.
      const { svgs } = error
      const missing = svgs.flatMap((svg, index) => (svg === '' ? index : []))
      return drawn(ctx, caller, hashOf([name, missing]), { kind: 'sheet', task: () => sheetOf(svgs) })
    }
  }
  const validUntil = times.length > 0 ? times.reduce(earlier) : undefined
  return { name, variant: form, title, now: viewer.now, validUntil, isAskedAlways: false, kind: 'sheet', draw }
}

// Of these, '' is one that cannot be drawn: its place stays empty.
class MissingCards extends Error {
  readonly svgs: string[]

  constructor(svgs: string[]) {
    super('a card cannot be drawn')
    this.svgs = svgs
  }
}

// Undefined if it has to wait. An older card would stay in the sheet.
async function svgOf({ name, draw }: Picture): Promise<string | undefined> {
  try {
    const drawnNow = await draw()
    return drawnNow.name === name ? drawnNow.bytes.toString() : undefined
  } catch (error) {
    if (error instanceof Problem && error.problem === 'picture.failed') return ''
    if (error instanceof Problem && error.problem === 'picture.busy') return undefined
    throw error
  }
}

type Base = Omit<PictureTask, 'shown'>

async function drawWords(
  ctx: Context,
  caller: Caller,
  base: Base,
  { words, place: { width, height } }: NonNullable<Parts['words']>,
): Promise<string> {
  const task = { ...base, title: words, format: 'svg' as const, rotate: 0, scale: 1, width, height }
  const key = nameOf(caller, { ...task, family: 'words' }, words)
  const shown = { words, family: 'words' as const }
  const { bytes } = await drawn(ctx, caller, key, { kind: 'sheet', task: async () => ({ ...task, shown }) })
  return bytes.toString()
}

// What of the request concerns the cards.
const cardQuery = ({ theme, lang, tz, colors }: PictureQuery): PictureQuery => ({
  ...(theme && { theme }),
  ...(lang && { lang }),
  ...(tz && { tz }),
  ...(colors && colors !== 'full' && { colors }),
})

const boxOf = ({ width, height }: Variant<'sheet'>): Box | undefined =>
  width && height ? { width, height } : undefined

function sizeOf(svg: string): Box {
  const [, width, height] = /^<svg [^>]*?width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? []
  return { width: Number(width ?? 344), height: Number(height ?? 0) }
}
