// Removes an activity, and dismisses it on the devices that show it.
import { type Activity, isOfOrganization, type OrgActivity } from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import { shareNews } from '../../domain/shares/share.ts'
import { requireOwner } from '../../domain/shares/standing.ts'
import { deleteActivity } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/events/feeds.ts'
import { listDirectShares } from '../../store/shares/shares.ts'
import type { Context } from '../context.ts'
import { enqueueAppRemovals } from './app-shows.ts'
import { activityNews, audienceOf } from './audience.ts'
import { enqueueDismissals } from './dismiss.ts'
import { revocationOf, revokeFromLost } from './revoke.ts'
import { changeSeenActivity } from './seen.ts'

export async function removeActivity(ctx: Context, caller: Caller, name: string): Promise<void> {
  requireLevel(caller, 'activities', 'manage')
  requireSlug(caller, 'activities', name)
  const now = ctx.clock.now()
  await changeSeenActivity(ctx, caller, name, {}, async (tx, seen) => {
    requireOwner(seen)
    await appendToFeeds(tx, await dropActivity(tx, seen.activity, now))
  })
}

// Ends the shares of the activity too; those of patterns stay. The caller appends the news as its last statement.
export async function dropActivity(tx: Writer, activity: Activity, now: Instant): Promise<FeedEntry[]> {
  await enqueueAppRemovals(tx, activity.id, now)
  if (isOfOrganization(activity)) return dropOfOrganization(tx, activity, now)
  const audience = await audienceOf(tx, activity, now)
  const shares = audience.recipients.length > 0 ? await listDirectShares(tx, activity.id) : []
  await enqueueDismissals(tx, activity, audience.addresses, now)
  await deleteActivity(tx, activity.userId, activity.id)
  return [
    ...activityNews(activity, audience, { type: 'activity.deleted', at: now }),
    ...shares.flatMap((share) => shareNews(share, { type: 'share.deleted', at: now })),
  ]
}

async function dropOfOrganization(tx: Writer, activity: OrgActivity, now: Instant): Promise<FeedEntry[]> {
  const { userId, slug, id } = activity
  const revocation = await revocationOf(tx, activity, now)
  await deleteActivity(tx, userId, id)
  const toMembers = await revokeFromLost(tx, revocation, now)
  return [{ userId, event: { type: 'activity.deleted', at: now, data: { slug } } }, ...toMembers]
}
