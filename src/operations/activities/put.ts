// Creates an activity, or replaces the settings of an existing one.
import type { ActivityInput } from '../../contract/activities.ts'
import { type Activity, requirePriority, touch, withDeletion } from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { isSameTarget } from '../../domain/organizations/activity-target.ts'
import { limitOf, openTaken } from '../../domain/organizations/limit.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import { owned } from '../../domain/shares/standing.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { findActivityForUpdate } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/events/feeds.ts'
import type { Context } from '../context.ts'
import { charge } from '../quota.ts'
import { readActivityTarget, requireMayTarget } from '../targets.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'
import { createActivity, requireNoIdOfOthers } from './find.ts'
import type { ActivityChange } from './patch.ts'
import { type SavedActivity, saveActivity, tellOfNew, writeActivity } from './save.ts'

export async function putActivity(
  ctx: Context,
  caller: Caller,
  input: ActivityInput,
  mode: ChangeMode,
): Promise<ActivityChange> {
  requireLevel(caller, 'activities', 'manage')
  requireSlug(caller, 'activities', input.slug)
  requireMayTarget(caller, input.target)
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
    const found = await findActivityForUpdate(tx, caller.userId, input.slug)
    const existing = openTaken(limitOf(caller), found, input.slug)
    if (!existing) await requireNoIdOfOthers(tx, caller, input.slug)
    // Null is the same as none: an existing activity keeps its target.
    const given = input.target ?? undefined
    const target = existing && !given ? existing.target : await readActivityTarget(tx, caller, given)
    const saved = existing
      ? await replaceSettings(tx, caller, existing, { ...existing, ...fields, target }, now)
      : await createWithNews(tx, caller, { slug: input.slug, ...fields, target }, now)
    return { ...owned(saved.activity, saved.audience.shareCount), action: existing ? 'updated' : 'created' }
  })
  return mode === 'commit' ? change : { ...change, effects: { pushes: [] } }
}

// Name, priority and times change nothing that devices show. A new target does, so it counts like a patch.
async function replaceSettings(
  tx: Writer,
  caller: Caller,
  before: Activity,
  after: Activity,
  now: Instant,
): Promise<SavedActivity> {
  const news: FeedEntry[] = []
  const settled = withDeletion(touch(after, now))
  const isRetargeted = !isSameTarget(before.target, after.target)
  if (isRetargeted && before.state === 'ongoing') await charge(tx, caller, 'live_activity_updates', now)
  const saved = isRetargeted
    ? await saveActivity(tx, before, settled, { now, news })
    : await writeActivity(tx, settled, { now, event: 'activity.updated', news, isPushed: false })
  await appendToFeeds(tx, news)
  return saved
}

async function createWithNews(
  tx: Writer,
  caller: Caller,
  fields: Parameters<typeof createActivity>[2],
  now: Instant,
): Promise<SavedActivity> {
  const activity = await createActivity(tx, caller, fields, now)
  const { audience, news } = await tellOfNew(tx, activity, now)
  await appendToFeeds(tx, news)
  return { activity, audience }
}
