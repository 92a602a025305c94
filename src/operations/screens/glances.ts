// Reads widgets and activities as glances, for texts.
import { LIMITS } from '../../contract/limits.ts'
import type { ViewerQuery } from '../../contract/screens/texts.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { Activity } from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import { findTimeZone } from '../../domain/schedules/wall-clock.ts'
import { glanceAtActivity, glanceAtWidget, type ScreenGlance } from '../../domain/screens/glance.ts'
import { stillViewer, type Viewer } from '../../domain/screens/viewer.ts'
import type { Widget } from '../../domain/widgets/widget.ts'
import { readActivityPage } from '../activities/list.ts'
import { findSeenActivity } from '../activities/seen.ts'
import type { Context } from '../context.ts'
import { allWidgets, readWidget } from '../widgets/widgets.ts'

// `viewer`: for whom the texts were written.
export type Glanced = { glances: ScreenGlance[]; viewer: Viewer }

export function viewerOf(ctx: Context, { lang = 'en', tz }: ViewerQuery): Viewer {
  const zone = tz === undefined ? undefined : findTimeZone(tz)
  if (tz !== undefined && zone === undefined) {
    throw validationProblem([{ location: 'query.tz', message: 'must be a time zone such as Europe/Berlin', value: tz }])
  }
  return stillViewer(lang, zone, ctx.clock.now())
}

export const widgetGlance = (caller: Caller, widget: Widget, viewer: Viewer): ScreenGlance =>
  seenBy(caller, glanceAtWidget(widget, viewer))

export const activityGlance = (caller: Caller, activity: Activity, viewer: Viewer): ScreenGlance =>
  seenBy(caller, glanceAtActivity(activity, viewer))

// An address is given away by a screen link only if its owner has said so.
const seenBy = (caller: Caller, glance: ScreenGlance): ScreenGlance =>
  caller.kind === 'screen-link' && !caller.opensTaps ? { ...glance, tap: undefined } : glance

export async function glanceAtOneWidget(
  ctx: Context,
  caller: Caller,
  slug: string,
  query: ViewerQuery,
): Promise<Glanced> {
  const viewer = viewerOf(ctx, query)
  return { glances: [widgetGlance(caller, await readWidget(ctx, caller, slug), viewer)], viewer }
}

export async function glanceAtWidgets(ctx: Context, caller: Caller, query: ViewerQuery): Promise<Glanced> {
  const viewer = viewerOf(ctx, query)
  const widgets = await allWidgets(ctx, caller)
  return { glances: widgets.map((widget) => widgetGlance(caller, widget, viewer)), viewer }
}

export async function glanceAtOneActivity(
  ctx: Context,
  caller: Caller,
  slug: string,
  query: ViewerQuery,
): Promise<Glanced> {
  requireLevel(caller, 'activities', 'read')
  requireSlug(caller, 'activities', slug)
  const viewer = viewerOf(ctx, query)
  const { activity } = await findSeenActivity(ctx.db.read, caller, slug)
  return { glances: [activityGlance(caller, activity, viewer)], viewer }
}

// The ongoing ones, the most important first.
export async function glanceAtActivities(ctx: Context, caller: Caller, query: ViewerQuery): Promise<Glanced> {
  const viewer = viewerOf(ctx, query)
  const activities = await ongoingActivities(ctx, caller)
  return { glances: activities.map((activity) => activityGlance(caller, activity, viewer)), viewer }
}

export async function ongoingActivities(ctx: Context, caller: Caller): Promise<Activity[]> {
  const { items } = await readActivityPage(ctx, caller, { state: 'ongoing', limit: LIMITS.page.items.max })
  const activities = items.map(({ activity }) => activity)
  return activities.sort((a, b) => b.priority - a.priority || b.updatedAt - a.updatedAt)
}
