// The events of a screen link: changes of the widgets and activities that it shows, each with what there is to see.
import type { ViewerQuery } from '../../contract/screens/texts.ts'
import type { Caller, LinkCaller } from '../../domain/caller.ts'
import type { AccountEvent } from '../../domain/events.ts'
import { openForServer } from '../../domain/organizations/limit.ts'
import { nothingOnLink, reachesSlug } from '../../domain/permissions.ts'
import { findActivity } from '../../store/activities/activities.ts'
import { findWidget } from '../../store/widgets/widgets.ts'
import type { Context } from '../context.ts'
import { activityGlance, viewerOf, widgetGlance } from '../screens/glances.ts'
import { type FeedItem, type Follower, follow } from './events.ts'

const ACTIVITY_EVENTS = ['created', 'updated', 'started', 'ended', 'preempted', 'answered', 'deleted'].map(
  (name) => `activity.${name}`,
)

export async function followLinkEvents(
  ctx: Context,
  caller: Caller,
  { after, query }: { after: number | undefined; query: ViewerQuery },
  follower: Follower,
): Promise<void> {
  viewerOf(ctx, query)
  const audience = { caller, require: requireLink, isWanted, itemOf: glanceOf(ctx, query) }
  await follow(ctx, audience, { after }, follower)
}

function requireLink(caller: Caller): asserts caller is LinkCaller {
  if (caller.kind !== 'screen-link') throw nothingOnLink()
}

function isWanted({ type, data }: AccountEvent, caller: Caller): boolean {
  requireLink(caller)
  if (type === 'wall.updated') return caller.showsWall
  const { slug } = data as { slug?: string }
  if (slug === undefined) return false
  if (type.startsWith('widget.')) return caller.showsWall || reachesSlug(caller, 'widgets', slug)
  // With an id, it is one that somebody else shares.
  return ACTIVITY_EVENTS.includes(type) && !('id' in data) && reachesSlug(caller, 'activities', slug)
}

const glanceOf =
  (ctx: Context, query: ViewerQuery) =>
  async (event: AccountEvent, caller: Caller): Promise<FeedItem> => {
    const { slug } = event.data as { slug?: string }
    if (slug === undefined) return { kind: 'event', event }
    const viewer = viewerOf(ctx, query)
    const isWidget = event.type.startsWith('widget.')
    const widget = isWidget ? await findWidget(ctx.db.read, caller.userId, slug) : undefined
    if (widget) return { kind: 'glance', event, glance: widgetGlance(caller, widget, viewer) }
    const activity = isWidget ? undefined : openForServer(await findActivity(ctx.db.read, caller.userId, slug))
    if (activity) return { kind: 'glance', event, glance: activityGlance(caller, activity, viewer) }
    // Deleted, now or since.
    return { kind: 'gone', event, slug }
  }
