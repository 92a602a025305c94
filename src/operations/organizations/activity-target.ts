// The target that a request gives to an activity or a heartbeat of an organization. Persons give none.
import type { Target } from '../../contract/organizations/target.ts'
import type { Caller } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import { requireNoTarget } from '../../domain/notifications/draft.ts'
import { type ActivityTarget, namedTarget, withGroupName } from '../../domain/organizations/activity-target.ts'
import { requireUnlimited } from '../../domain/organizations/limit.ts'
import type { Group } from '../../domain/organizations/organization.ts'
import { listActivitySizes, updateTarget } from '../../store/activities/activities.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { listGroups } from '../../store/organizations/groups.ts'
import { listTags } from '../../store/organizations/tags.ts'
import { orgCallerOf, readTarget } from '../targets.ts'

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
  if (target === null) requireUnlimited(org)
  return namedTarget(await readTarget(db, org, target), await readDirectory(db, org.userId))
}

export const readDirectory = async (db: Reader, orgId: OrgId) => ({
  groups: await listGroups(db, orgId),
  tags: await listTags(db, orgId),
})

// Clients see the present names of groups. The caller holds the lock on the organization.
export async function renameInTargets(tx: Writer, { orgId, id: groupId, name }: Group): Promise<void> {
  // In the order in which rows are locked.
  const activities = (await listActivitySizes(tx, orgId)).sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id, target } of activities) {
    const renamed = target && withGroupName(target, groupId, name)
    if (renamed) await updateTarget(tx, { userId: orgId, id, target: renamed })
  }
}
