// Finds an activity to change, or creates it.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import { type Activity, type ActivityId, newActivity } from '../../domain/activities/activity.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { countActivities, findActivityForUpdate, insertActivity } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { attachTokens } from '../../store/push-tokens.ts'

export async function requireActivityForUpdate(tx: Writer, caller: Caller, slug: string): Promise<Activity> {
  const activity = await findActivityForUpdate(tx, caller.userId, slug)
  if (!activity) throw activityNotFound(slug)
  return activity
}

type NewActivity = Pick<Activity, 'slug' | 'name'> & Partial<Activity>

export async function findOrCreate(
  tx: Writer,
  userId: UserId,
  fields: NewActivity,
  now: Instant,
): Promise<{ activity: Activity; isNew: boolean }> {
  await lockUser(tx, userId)
  const existing = await findActivityForUpdate(tx, userId, fields.slug)
  if (existing) return { activity: existing, isNew: false }
  if ((await countActivities(tx, userId)) >= LIMITS.activity.maxPerAccount) {
    throw new Problem(
      'activity.limit_exceeded',
      `An account has at most ${LIMITS.activity.maxPerAccount} activities; delete one first.`,
    )
  }
  const activity = newActivity({ id: newUuid() as ActivityId, userId, ...fields }, now)
  await insertActivity(tx, activity)
  await attachTokens(tx, activity)
  return { activity, isNew: true }
}

export const activityNotFound = (slug: string) => new Problem('activity.not_found', `There is no activity "${slug}".`)
