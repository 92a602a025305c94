// The target that a request gives to an activity of an organization. Persons give none.
import type { Target } from '../../contract/organizations/target.ts'
import { Problem } from '../../contract/problems.ts'
import type { Activity } from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import { requireNoTarget } from '../../domain/notifications/target.ts'
import {
  type ActivityTarget,
  isSeenBy,
  namedTarget,
  withGroupName,
} from '../../domain/organizations/activity-target.ts'
import type { Group } from '../../domain/organizations/organization.ts'
import { listActivitySizes, updateTarget } from '../../store/activities/activities.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { listGroups } from '../../store/organizations/groups.ts'
import { listTags } from '../../store/organizations/tags.ts'
import { limitOf, orgCallerOf, readTarget } from './sends/target.ts'

// Checked before any query.
export function requireMayTarget(caller: Caller, target: Target | null | undefined): void {
  if (!orgCallerOf(caller)) requireNoTarget(target)
}

// Null for a person. Without a target, a key that is limited reaches its whole limit. The caller holds the lock on the
// account, so that the names stay as they were read.
export async function readActivityTarget(
  db: Reader,
  caller: Caller,
  target: Target | null | undefined,
): Promise<ActivityTarget | null> {
  const org = orgCallerOf(caller)
  if (!org) return null
  if (target === null && limitOf(org)) {
    throw new Problem('integration_key.target_denied', 'This key is limited, so it cannot reach everyone.')
  }
  const ids = await readTarget(db, org, target)
  return namedTarget(ids, { groups: await listGroups(db, org.userId), tags: await listTags(db, org.userId) })
}

// For a slug that is to be created: a key that is limited does not see the activity that has it.
export function requireNotTaken(caller: Caller, { slug, target }: Activity): void {
  if (isSeenBy(caller, target)) return
  throw new Problem(
    'integration_key.target_denied',
    `"${slug}" is taken by an activity outside those that this key is limited to.`,
  )
}

// Clients see the present names of groups. The caller holds the lock on the organization.
export async function renameInTargets(tx: Writer, { orgId, id: groupId, name }: Group): Promise<void> {
  // In the order in which rows are locked.
  const activities = (await listActivitySizes(tx, orgId)).sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id, target } of activities) {
    const renamed = target && withGroupName(target, groupId, name)
    if (renamed) await updateTarget(tx, { userId: orgId, id, target: renamed })
  }
}
