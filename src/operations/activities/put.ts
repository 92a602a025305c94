// Creates an activity, or replaces the settings of an existing one.
import type { ActivityInput } from '../../contract/activity.ts'
import { requirePriority, touch, withDeletion } from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import { requireNoTarget } from '../../domain/notifications/target.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import { appendToFeeds, type FeedEntry } from '../../store/feeds.ts'
import type { Context } from '../context.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'
import { createdNews } from './audience.ts'
import { findOrCreate } from './find.ts'
import type { ActivityChange } from './patch.ts'
import { writeActivity } from './save.ts'

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
    const { activity, isNew } = await findOrCreate(tx, caller.userId, { slug: input.slug, ...fields }, now)
    if (isNew) {
      await appendToFeeds(tx, await createdNews(tx, activity, now))
      return { activity, action: 'created' }
    }
    const refreshed = withDeletion(touch({ ...activity, ...fields }, now))
    const news: FeedEntry[] = []
    const written = await writeActivity(tx, refreshed, { now, event: 'activity.updated', news })
    await appendToFeeds(tx, news)
    return { activity: written.activity, action: 'updated' }
  })
  // A put changes nothing that devices show.
  return mode === 'commit' ? change : { ...change, effects: { pushes: [] } }
}
