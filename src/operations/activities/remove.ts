// Removes an activity, and dismisses it on the devices that show it.
import type { Activity } from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import { deleteActivity } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/feeds.ts'
import type { Context } from '../context.ts'
import { activityNews, audienceOf } from './audience.ts'
import { enqueueDismissals } from './dismiss.ts'
import { requireActivityForUpdate } from './find.ts'

export async function removeActivity(ctx: Context, caller: Caller, slug: string): Promise<void> {
  requireLevel(caller, 'activities', 'manage')
  requireSlug(caller, 'activities', slug)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const news = await dropActivity(tx, await requireActivityForUpdate(tx, caller, slug), now)
    await appendToFeeds(tx, news)
  })
}

// The caller appends the news as its last statement.
export async function dropActivity(tx: Writer, activity: Activity, now: Instant): Promise<FeedEntry[]> {
  const audience = await audienceOf(tx, activity)
  if (activity.state === 'ongoing') await enqueueDismissals(tx, activity, audience.addresses, now)
  await deleteActivity(tx, activity.userId, activity.id)
  return activityNews(activity, audience, 'activity.deleted', now)
}
