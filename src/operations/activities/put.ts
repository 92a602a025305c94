// Creates an activity, or replaces the settings of an existing one.
import type { ActivityInput } from '../../contract/activity.ts'
import { type Activity, requirePriority, touch, withDeletion } from '../../domain/activities/activity.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { requireNoTarget } from '../../domain/notifications/target.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import { owned } from '../../domain/shares/standing.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { findActivityForUpdate } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/feeds.ts'
import type { Context } from '../context.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'
import { activityNews, audienceOf } from './audience.ts'
import { createActivity } from './find.ts'
import type { ActivityChange } from './patch.ts'
import { type SavedActivity, writeActivity } from './save.ts'

export async function putActivity(
  ctx: Context,
  caller: Caller,
  input: ActivityInput,
  mode: ChangeMode,
): Promise<ActivityChange> {
  requireLevel(caller, 'activities', 'manage')
  requireSlug(caller, 'activities', input.slug)
  requireNoTarget(input.target)
  requirePriority(input.priority)
  const now = ctx.clock.now()
  const fields = {
    name: input.name,
    priority: input.priority ?? 0,
    endedTtlSeconds: input.ended_ttl ?? null,
    staleTtlSeconds: input.stale_ttl ?? null,
    dismissalTtlSeconds: input.dismissal_ttl ?? null,
  }
  const change = await transactOrRehearse<ActivityChange>(ctx, mode, async (tx) => {
    await lockUser(tx, caller.userId)
    const existing = await findActivityForUpdate(tx, caller.userId, input.slug)
    const saved = existing
      ? await replaceSettings(tx, { ...existing, ...fields }, now)
      : await createWithNews(tx, caller.userId, { slug: input.slug, ...fields }, now)
    return { ...owned(saved.activity, saved.audience.recipients.length), action: existing ? 'updated' : 'created' }
  })
  // A put changes nothing that devices show.
  return mode === 'commit' ? change : { ...change, effects: { pushes: [] } }
}

async function replaceSettings(tx: Writer, activity: Activity, now: Instant): Promise<SavedActivity> {
  const news: FeedEntry[] = []
  const settled = withDeletion(touch(activity, now))
  const saved = await writeActivity(tx, settled, { now, event: 'activity.updated', news })
  await appendToFeeds(tx, news)
  return saved
}

async function createWithNews(
  tx: Writer,
  userId: UserId,
  fields: Parameters<typeof createActivity>[2],
  now: Instant,
): Promise<SavedActivity> {
  const activity = await createActivity(tx, userId, fields, now)
  const audience = await audienceOf(tx, activity)
  await appendToFeeds(tx, activityNews(activity, audience, { type: 'activity.created', at: now }))
  return { activity, audience }
}
