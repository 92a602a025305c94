// The activities that a caller sees: those of its account and, for a person, those that reach it from others. In a path, a
// name is a slug or an id; own slugs come first.
import { Problem } from '../../contract/problems.ts'
import type { Activity, ActivityId } from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import { isUuid } from '../../domain/ids.ts'
import { limitOf, openInside } from '../../domain/organizations/limit.ts'
import { reachesSlug } from '../../domain/permissions.ts'
import { covers } from '../../domain/shares/share.ts'
import { owned, type SeenActivity, type SharedWithCaller } from '../../domain/shares/standing.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import {
  findActivity,
  findActivityByIdForUpdate,
  findActivityForUpdate,
  findActivityOfAccount,
} from '../../store/activities/activities.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { findSharedActivity, findStanding } from '../../store/shares/shared-activities.ts'
import { type GivenShare, listGivenShares } from '../../store/shares/shares.ts'
import type { Context } from '../context.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'
import { type EarlyAudience, readEarlyAudience } from './audience.ts'

export async function findSeenActivity(db: Reader, caller: Caller, name: string): Promise<SeenActivity> {
  const own =
    openInside(limitOf(caller), await findActivity(db, caller.userId, name)) ?? (await findOwnById(db, caller, name))
  if (own) return owned(own, countRecipients(await listGivenShares(db, caller.userId), own))
  return requireShared(db, caller, name)
}

// `locksOwner`: starting an activity counts the others, and a target has names of the organization, so these changes lock the
// account of the owner, before the activity.
// `readsAudience`: the change uses the audience, which is then read in the round trip that finds an own activity.
type ChangeOptions = { mode?: ChangeMode; locksOwner?: boolean; readsAudience?: boolean }

// Runs `change` with the row of the activity locked. A shared activity takes a second transaction: its owner is not known
// when the first one begins, and accounts are locked first.
export async function changeSeenActivity<Result>(
  ctx: Context,
  caller: Caller,
  name: string,
  { mode = 'commit', locksOwner = false, readsAudience = false }: ChangeOptions,
  change: (tx: Writer, seen: SeenActivity, audience?: EarlyAudience) => Promise<Result>,
): Promise<Result> {
  const changeOwn = async (tx: Writer) => {
    if (locksOwner) await lockUser(tx, caller.userId)
    const [activity, audience] = await Promise.all([
      findOwnForUpdate(tx, caller, name),
      readsAudience ? readEarlyAudience(tx, caller.userId, name) : undefined,
    ])
    return activity && { result: await change(tx, owned(activity, 0), audience) }
  }
  const group = locksOwner ? undefined : { kind: 'activity', account: caller.userId, row: name }
  const own = await transactOrRehearse(ctx, mode, changeOwn, { group })
  if (own) return own.result
  const { id, userId: owner } = (await requireShared(ctx.db.read, caller, name)).activity
  return transactOrRehearse(ctx, mode, async (tx) => {
    if (locksOwner) await lockUser(tx, owner)
    const activity = await findActivityByIdForUpdate(tx, owner, id)
    // Read under the lock: a share that ended before is seen, one that ends now waits for this change.
    const standing = activity && (await findStanding(tx, caller.userId, id))
    if (!standing) throw activityNotFound(name)
    return change(tx, { activity, standing })
  })
}

// For a transaction that locks no account. Undefined if the caller sees no such activity.
export async function findSeenForUpdate(tx: Writer, caller: Caller, name: string): Promise<Activity | undefined> {
  const own = await findOwnForUpdate(tx, caller, name)
  if (own || caller.kind !== 'user') return own
  const shared = await findSharedActivity(tx, caller.userId, name)
  const activity = shared && (await findActivityByIdForUpdate(tx, shared.activity.userId, shared.activity.id))
  // Read again under the lock, because the share may have ended while this transaction waited for it.
  return activity && (await findStanding(tx, caller.userId, activity.id)) ? activity : undefined
}

export async function findOwnForUpdate(tx: Writer, caller: Caller, name: string): Promise<Activity | undefined> {
  const bySlug = openInside(limitOf(caller), await findActivityForUpdate(tx, caller.userId, name))
  if (bySlug) return bySlug
  const byId = await findOwnById(tx, caller, name)
  return byId && (await findActivityByIdForUpdate(tx, caller.userId, byId.id))
}

// A key that is limited to some slugs does not get past them by an id.
async function findOwnById(db: Reader, caller: Caller, name: string): Promise<Activity | undefined> {
  if (!isUuid(name)) return undefined
  const activity = openInside(limitOf(caller), await findActivityOfAccount(db, caller.userId, name as ActivityId))
  return activity && reachesSlug(caller, 'activities', activity.slug) ? activity : undefined
}

async function requireShared(db: Reader, caller: Caller, name: string): Promise<SeenActivity<SharedWithCaller>> {
  const shared = caller.kind === 'user' ? await findSharedActivity(db, caller.userId, name) : undefined
  if (!shared) throw activityNotFound(name)
  return shared
}

export function countRecipients(given: readonly GivenShare[], activity: Pick<Activity, 'id' | 'slug'>): number {
  const reaching = given.filter(({ subject }) => covers(subject, activity))
  return new Set(reaching.map(({ recipientId }) => recipientId)).size
}

export const activityNotFound = (name: string) => new Problem('activity.not_found', `There is no activity "${name}".`)
