// Finds an activity of the account, or creates it.
import type { Target } from '../../contract/organizations/target.ts'
import { requireRoom } from '../../domain/accounts/account.ts'
import { type Activity, type ActivityId, newActivity } from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import { isUuid } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import { isLimited, limitOf, openTaken } from '../../domain/organizations/limit.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import {
  countActivities,
  findActivityForUpdate,
  findActivityOfAccount,
  insertActivity,
} from '../../store/activities/activities.ts'
import { attachTokens } from '../../store/devices/push-tokens.ts'
import type { Writer } from '../../store/engine/database.ts'
import { readActivityTarget } from '../targets.ts'
import { findOwnForUpdate } from './seen.ts'

type NewActivity = Pick<Activity, 'slug' | 'name'> & Partial<Activity>

// `name`: the slug of a new activity, which is also named like it; the slug or the id of an existing one. `target`: of a new
// one.
export async function findOrCreate(
  tx: Writer,
  caller: Caller,
  name: string,
  target: Target | null | undefined,
  now: Instant,
): Promise<{ activity: Activity; isNew: boolean }> {
  // One round trip. Statements run in the order in which they are sent, so the account is locked before the activity.
  const [, found] = await Promise.all([lockUser(tx, caller.userId), findActivityForUpdate(tx, caller.userId, name)])
  const existing = openTaken(limitOf(caller), found, name) ?? (await findOwnForUpdate(tx, caller, name))
  if (existing) return { activity: existing, isNew: false }
  // The number of activities is bounded.
  tx.requireAlone()
  await requireNoIdOfOthers(tx, caller, name)
  const fields = { slug: name, name, target: await readActivityTarget(tx, caller, target) }
  return { activity: await createActivity(tx, caller, fields, now), isNew: true }
}

// An activity is also found by its id, and slugs come first: a limited key must not take the id of one that it does not see.
export async function requireNoIdOfOthers(tx: Writer, caller: Caller, slug: string): Promise<void> {
  if (!isLimited(caller) || !isUuid(slug)) return
  openTaken(limitOf(caller), await findActivityOfAccount(tx, caller.userId, slug as ActivityId), slug)
}

// The caller holds the lock on the account, so the count cannot change.
export async function createActivity(
  tx: Writer,
  { userId, plan }: Pick<Caller, 'userId' | 'plan'>,
  fields: NewActivity,
  now: Instant,
): Promise<Activity> {
  requireRoom(await countActivities(tx, userId), plan.caps.activities, 'activity.limit_exceeded', 'activities')
  const activity = newActivity({ id: newUuid() as ActivityId, userId, ...fields }, now)
  await insertActivity(tx, activity)
  await attachTokens(tx, activity)
  return activity
}
