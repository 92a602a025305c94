// Finds an activity of the account, or creates it.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import { type Activity, type ActivityId, newActivity } from '../../domain/activities/activity.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { countActivities, insertActivity } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { attachTokens } from '../../store/push-tokens.ts'
import { findOwnForUpdate } from './seen.ts'

type NewActivity = Pick<Activity, 'name'> & Partial<Activity>

// `name`: the slug of a new activity; the slug or the id of an existing one.
export async function findOrCreate(
  tx: Writer,
  caller: Caller,
  name: string,
  fields: NewActivity,
  now: Instant,
): Promise<{ activity: Activity; isNew: boolean }> {
  await lockUser(tx, caller.userId)
  const existing = await findOwnForUpdate(tx, caller, name)
  if (existing) return { activity: existing, isNew: false }
  return { activity: await createActivity(tx, caller.userId, { slug: name, ...fields }, now), isNew: true }
}

// The caller holds the lock on the account, so the count cannot change.
export async function createActivity(
  tx: Writer,
  userId: UserId,
  fields: NewActivity & Pick<Activity, 'slug'>,
  now: Instant,
): Promise<Activity> {
  if ((await countActivities(tx, userId)) >= LIMITS.activity.maxPerAccount) {
    throw new Problem(
      'activity.limit_exceeded',
      `An account has at most ${LIMITS.activity.maxPerAccount} activities; delete one first.`,
    )
  }
  const activity = newActivity({ id: newUuid() as ActivityId, userId, ...fields }, now)
  await insertActivity(tx, activity)
  await attachTokens(tx, activity)
  return activity
}
