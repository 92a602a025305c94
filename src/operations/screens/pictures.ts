// Pictures of widgets and activities. What a picture shows has a name, by which a client, a second request and the memory of
// pictures know it without drawing it.
import { createHash } from 'node:crypto'
import { Problem } from '../../contract/problems.ts'
import type { PictureQuery } from '../../contract/screens/pictures.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Instant, toRfc3339 } from '../../domain/instant.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import type { ShownActivity } from '../../domain/screens/activity-content.ts'
import { fractionDone } from '../../domain/screens/activity-glance.ts'
import { glanceAtActivity, glanceAtWidget, type ScreenGlance } from '../../domain/screens/glance.ts'
import { activityVariant, iconNamesOf, type Shown, type Variant, widgetVariant } from '../../domain/screens/picture.ts'
import { lineOf } from '../../domain/screens/text-forms.ts'
import type { Viewer } from '../../domain/screens/viewer.ts'
import { drawingOfName, NEUTRAL } from '../../runtime/icon-set.ts'
import { VERSION } from '../../runtime/version.ts'
import { withRecords } from '../activities/read.ts'
import { findSeenActivity } from '../activities/seen.ts'
import type { Context } from '../context.ts'
import { readWidget } from '../widgets/widgets.ts'
import { viewerOf } from './glances.ts'

export type PictureFormat = 'svg' | 'png'

// `name`: equal for equal pictures, on every node. `draw` throws if it cannot be drawn now.
export type Picture = { name: string; now: number; validUntil: Instant | undefined; draw(): Promise<Buffer> }

type Asked = { slug: string; query: PictureQuery; format: PictureFormat }

export async function pictureOfWidget(ctx: Context, caller: Caller, { slug, query, format }: Asked): Promise<Picture> {
  requirePictures(ctx)
  const viewer = viewerOf(ctx, query)
  const variant = widgetVariant({ ...query, tz: viewer.zoneMark ? undefined : viewer.timeZone }, { format })
  const widget = await readWidget(ctx, caller, slug)
  const { name, content, staleAfterSeconds, updatedAt } = widget
  const glance = glanceAtWidget(widget, viewer)
  // The time of the last update is shown once the widget is stale; before, a heartbeat changes nothing.
  const updated_at = toRfc3339(updatedAt)
  const shown = {
    widget: { name, content, updated_at, stale_after: staleAfterSeconds ?? undefined },
    family: variant.family,
  }
  const identity = { name, content, staleSince: glance.isStale ? updated_at : undefined }
  return picture(ctx, caller, { variant, viewer, glance, shown, identity })
}

export async function pictureOfActivity(
  ctx: Context,
  caller: Caller,
  { slug, query, format }: Asked,
): Promise<Picture> {
  requirePictures(ctx)
  requireLevel(caller, 'activities', 'read')
  requireSlug(caller, 'activities', slug)
  const viewer = viewerOf(ctx, query)
  const variant = activityVariant({ ...query, tz: viewer.zoneMark ? undefined : viewer.timeZone }, { format })
  const { activity: found } = await findSeenActivity(ctx.db.read, caller, slug)
  const activity = await ctx.slices(caller.userId, () => withRecords(ctx.db.read, found, false))
  const { name, state } = activity
  // The address is never fetched: it may be private, or count who looks.
  const content = { ...(activity.content as ShownActivity['content']), image_url: undefined }
  const shown = { activity: { slug: activity.slug, name, state, content }, family: variant.family }
  const identity = { name, state, content, done: fractionDone(content, viewer) }
  return picture(ctx, caller, { variant, viewer, glance: glanceAtActivity(activity, viewer), shown, identity })
}

type Parts = { variant: Variant<unknown>; viewer: Viewer; glance: ScreenGlance; shown: Shown; identity: object }

function picture(ctx: Context, caller: Caller, { variant, viewer, glance, shown, identity }: Parts): Picture {
  const { userId } = caller
  const { kind, slug, text, detail, fraction, validUntil } = glance
  const seen = { kind, slug, text, detail, fraction, validUntil, ...identity }
  const name = hashOf([VERSION, userId, variant, seen])
  if (caller.kind === 'screen-link') ctx.newVariants.take(caller.linkId, hashOf([kind, slug, variant]))
  const draw = async () => {
    const { family: _, ...form } = variant
    const icons = await drawingsOf(iconNamesOf(identity))
    const task = { ...form, shown, title: lineOf(glance), now: viewer.now, icons }
    const drawn = await ctx.pictures.draw(userId, name, task)
    if ('picture' in drawn) return drawn.picture
    throw drawn.failure === 'busy'
      ? new Problem('picture.busy', 'Too many pictures wait to be drawn.', { retry_after_ms: 2000 })
      : new Problem('picture.failed', 'This picture could not be drawn; it is tried again in a minute.')
  }
  return { name, now: viewer.now, validUntil, draw }
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

async function drawingsOf(names: string[]): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await drawingOfName(name)) ?? NEUTRAL] as const)),
  )
}

function requirePictures({ config }: Context): void {
  if (!config.pictures) throw new Problem('picture.not_enabled', 'This server draws no pictures.')
}
