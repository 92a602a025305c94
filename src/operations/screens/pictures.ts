// Pictures of widgets and activities. What a picture shows has a name, by which a client, a second request and the memory of
// pictures know it without drawing it.
import { createHash } from 'node:crypto'
import { Problem } from '../../contract/problems.ts'
import type { PictureQuery } from '../../contract/screens/pictures.ts'
import type { TimerHole } from '../../contract/screens/texts.ts'
import type { Activity } from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Instant, toRfc3339 } from '../../domain/instant.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import type { ShownActivity } from '../../domain/screens/activity-content.ts'
import { fractionDone } from '../../domain/screens/activity-glance.ts'
import { glanceAtActivity, glanceAtWidget, type ScreenGlance } from '../../domain/screens/glance.ts'
import {
  type ActivityFamily,
  activityVariant,
  type DrawnFormat,
  iconNamesOf,
  type PictureTask,
  type Shown,
  type Variant,
  type WidgetFamily,
  widgetVariant,
} from '../../domain/screens/picture.ts'
import { lineOf } from '../../domain/screens/text-forms.ts'
import type { Viewer } from '../../domain/screens/viewer.ts'
import type { Widget } from '../../domain/widgets/widget.ts'
import { drawingOfName, NEUTRAL } from '../../runtime/icon-set.ts'
import type { PictureKind } from '../../runtime/metrics/metrics.ts'
import type { Drawing } from '../../runtime/pictures/pictures.ts'
import { VERSION } from '../../runtime/version.ts'
import { withRecords } from '../activities/read.ts'
import { findSeenActivity } from '../activities/seen.ts'
import type { Context } from '../context.ts'
import { readWidget } from '../widgets/widgets.ts'
import { viewerOf } from './glances.ts'

// `name`: equal for equal pictures, on every node. `draw` throws if there is nothing to show now.
export type Picture = {
  name: string
  // Equal for pictures of the same thing in the same form, whatever it says.
  variant: string
  title: string
  now: number
  validUntil: Instant | undefined
  // Nobody may keep it without asking: those who show badges otherwise keep them for long.
  isAskedAlways: boolean
  kind: PictureKind
  draw(): Promise<DrawnNow>
}

// `name`: of what was drawn. It is another one than asked for if that cannot be drawn whole now.
export type DrawnNow = { bytes: Buffer; name: string }

export type AskedPicture = { query: PictureQuery; format: DrawnFormat }
type Asked = AskedPicture & { slug: string }

export async function pictureOfWidget(ctx: Context, caller: Caller, { slug, ...asked }: Asked): Promise<Picture> {
  requirePictures(ctx)
  const picture = pictureOfReadWidget(ctx, caller, await readWidget(ctx, caller, slug), asked)
  countVariant(ctx, caller, picture.variant)
  return picture
}

// By the request (as JSON). To find out what a picture shows takes as long as the rest of a request that is answered with 304. On SQLite
// a widget that has not changed is the same object for all requests (store/engine/sqlite/read-cache.ts).
const picturesOf = new WeakMap<Widget, Map<string, Picture>>()
const MOST_PICTURES = 16

// One that the caller has read.
export function pictureOfReadWidget(ctx: Context, caller: Caller, widget: Widget, asked: AskedPicture): Picture {
  const request = JSON.stringify(asked)
  const pictures = picturesOf.get(widget) ?? new Map<string, Picture>()
  const now = ctx.clock.now()
  const known = pictures.get(request)
  if (known && now < (known.validUntil ?? Number.POSITIVE_INFINITY)) return { ...known, now }
  const picture = widgetPicture(seenBy(ctx, asked, widgetVariant(asked.query, asked)), caller, widget)
  if (pictures.size >= MOST_PICTURES) pictures.clear()
  picturesOf.set(widget, pictures.set(request, picture))
  return picture
}

function widgetPicture(seen: Seen<WidgetFamily | 'badge'>, caller: Caller, widget: Widget): Picture {
  const { name, content, staleAfterSeconds, updatedAt } = widget
  const glance = glanceAtWidget(widget, seen.viewer)
  // The time of the last update is shown once the widget is stale; before, a heartbeat changes nothing.
  const updated_at = toRfc3339(updatedAt)
  const { family } = seen.variant
  const shown =
    family === 'badge'
      ? badgeOf(glance)
      : { widget: { name, content, updated_at, stale_after: staleAfterSeconds ?? undefined }, family }
  const identity = { name, content, staleSince: glance.isStale ? updated_at : undefined }
  return picture(seen, caller, { glance, shown, identity })
}

export async function pictureOfActivity(ctx: Context, caller: Caller, { slug, ...asked }: Asked): Promise<Picture> {
  requirePictures(ctx)
  const seen = seenBy(ctx, asked, activityVariant(asked.query, asked))
  requireLevel(caller, 'activities', 'read')
  requireSlug(caller, 'activities', slug)
  const { activity: found } = await findSeenActivity(ctx.db.read, caller, slug)
  const activity = await ctx.slices(caller.userId, () => withRecords(ctx.db.read, found, false))
  const picture = activityPicture(seen, caller, activity)
  countVariant(ctx, caller, picture.variant)
  return picture
}

export function pictureOfReadActivity(ctx: Context, caller: Caller, activity: Activity, asked: AskedPicture): Picture {
  return activityPicture(seenBy(ctx, asked, activityVariant(asked.query, asked)), caller, activity)
}

function activityPicture(seen: Seen<ActivityFamily | 'badge'>, caller: Caller, activity: Activity): Picture {
  const { slug, name, state } = activity
  // The address is never fetched: it may be private, or count who looks.
  const content = { ...(activity.content as ShownActivity['content']), image_url: undefined }
  const glance = glanceAtActivity(activity, seen.viewer)
  const { family } = seen.variant
  const shown = family === 'badge' ? badgeOf(glance) : { activity: { slug, name, state, content }, family }
  const identity = { name, state, content, done: fractionDone(content, seen.viewer) }
  return picture(seen, caller, { glance, shown, identity })
}

const BADGE_CHARS = { label: 24, value: 16 }

const badgeOf = ({ label, text, color }: ScreenGlance): Shown => ({
  badge: {
    label: shortened(label, BADGE_CHARS.label),
    value: shortened(text, BADGE_CHARS.value),
    // Without its alpha.
    color: color.slice(0, 7),
  },
  family: 'badge',
})

function shortened(text: string, most: number): string {
  const chars = [...text]
  return chars.length > most ? `${chars.slice(0, most).join('')}…` : text
}

// Where the picture of the same family and size leaves room for a timer; undefined if there is none.
export async function findTimerHole(picture: Promise<Picture>): Promise<TimerHole | undefined> {
  const { draw } = await picture
  return JSON.parse((await draw()).bytes.toString()) ?? undefined
}

// For whom it is drawn, and in which form.
export type Seen<Family> = { ctx: Context; viewer: Viewer; variant: Variant<Family> }

export function seenBy<Family>(ctx: Context, { query }: AskedPicture, variant: Variant<Family>): Seen<Family> {
  const viewer = viewerOf(ctx, query)
  return { ctx, viewer, variant: { ...variant, tz: viewer.zoneMark ? undefined : viewer.timeZone } }
}

export function requirePictures({ config }: Context): void {
  if (config.pictures && config.pictureProcesses > 0) return
  const setting = config.pictures ? 'HELIOGRAPH_PICTURE_PROCESSES=1' : 'HELIOGRAPH_PICTURES=on'
  throw new Problem('picture.not_enabled', `Pictures are off; the operator sets ${setting}.`)
}

type Parts = { glance: ScreenGlance; shown: Shown; identity: object }

function picture({ ctx, variant, viewer }: Seen<unknown>, caller: Caller, { glance, shown, identity }: Parts): Picture {
  const { kind, slug, text, detail, fraction, validUntil } = glance
  const seen = { kind, slug, text, detail, fraction, validUntil, ...identity }
  const name = nameOf(caller, variant, seen)
  const title = lineOf(glance)
  const form = hashOf([caller.userId, kind, slug, variant])
  // A place for a timer is right only for the time that it was made for.
  const olderOf = variant.format === 'hole' ? undefined : form
  const task = async (): Promise<PictureTask> => ({
    ...variant,
    shown,
    title,
    now: viewer.now,
    icons: await drawingsOf(iconNamesOf(identity)),
  })
  const draw = () => drawn(ctx, caller, name, { kind, variant: olderOf, task })
  const isAskedAlways = variant.family === 'badge'
  return { name, variant: form, title, now: viewer.now, validUntil, isAskedAlways, kind, draw }
}

export const nameOf = ({ userId }: Caller, variant: Variant<unknown>, seen: unknown): string =>
  hashOf([VERSION, userId, variant, seen])

// A screen link may ask for so many different pictures.
export function countVariant({ newVariants }: Context, caller: Caller, variant: string): void {
  if (caller.kind === 'screen-link') newVariants.take(caller.linkId, variant)
}

export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

export async function drawn(ctx: Context, { userId }: Caller, key: string, drawing: Drawing): Promise<DrawnNow> {
  const result = await ctx.pictures.draw(userId, key, drawing)
  if ('picture' in result) return { bytes: result.picture, name: result.key }
  throw result.failure === 'busy'
    ? new Problem('picture.busy', 'Too many pictures wait to be drawn.', { retry_after_ms: 2000 })
    : new Problem('picture.failed', 'This picture could not be drawn; it is tried again in a minute.')
}

async function drawingsOf(names: string[]): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await drawingOfName(name)) ?? NEUTRAL] as const)),
  )
}
