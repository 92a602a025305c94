// The target of a request of an organization, resolved against its groups, tags and members as they are now.
import type { Target } from '../contract/organizations/target.ts'
import type { Caller, KeyId, UserId } from '../domain/caller.ts'
import type { OrgId, TargetIds } from '../domain/ids.ts'
import { requireNoTarget } from '../domain/notifications/draft.ts'
import { type ActivityTarget, namedTarget } from '../domain/organizations/activity-target.ts'
import { type Limit, limitOf, requireUnlimited } from '../domain/organizations/limit.ts'
import type { Addressing } from '../domain/organizations/send.ts'
import { resolveTarget, type TargetDirectory } from '../domain/organizations/target.ts'
import { lockUser } from '../store/accounts/accounts.ts'
import type { Reader, Writer } from '../store/engine/database.ts'
import { findKey } from '../store/keys.ts'
import { listGroupsOfMembers } from '../store/organizations/group-members.ts'
import { listGroups } from '../store/organizations/groups.ts'
import { listTags } from '../store/organizations/tags.ts'

export type OrgCaller = Caller & { userId: OrgId }

// Not a type guard: a caller that is none would be narrowed to `never`.
export const orgCallerOf = (caller: Caller): OrgCaller | undefined =>
  caller.accountKind === 'organization' ? (caller as OrgCaller) : undefined

// For what is sent in the name of a key, which may have been changed since. Null: by a person.
export async function limitOfKey(db: Reader, userId: UserId, keyId: KeyId | null): Promise<Limit> {
  const key = keyId === null ? undefined : await findKey(db, userId, keyId)
  return key?.target ?? null
}

// Throws the problems of a target in their order: invalid, denied, unknown.
export async function readTarget(
  db: Reader,
  caller: OrgCaller,
  target: Target | null | undefined,
  location?: string,
): Promise<TargetIds> {
  const directory = target ? await directoryFor(db, caller.userId, target) : NOBODY
  return resolveTarget(target, limitOf(caller), directory, location)
}

// The target of a message that is stored in this transaction. Locks the organization: who joins, leaves or changes groups
// does so before or after.
export async function lockAndAddress(
  tx: Writer,
  caller: OrgCaller,
  target: Target | null | undefined,
): Promise<Addressing> {
  await lockUser(tx, caller.userId)
  return { target: target ?? null, targetIds: await readTarget(tx, caller, target) }
}

// The checks of `readTarget`, but only the lists that the request gives: for a target that is applied later, within the
// limit that the key has then.
export async function readGivenTarget(
  db: Reader,
  caller: OrgCaller,
  target: Target | null | undefined,
): Promise<TargetIds> {
  await readTarget(db, caller, target)
  return resolveTarget(target, null, target ? await directoryFor(db, caller.userId, target) : NOBODY)
}

const NOBODY: TargetDirectory = { groups: [], tags: [], members: [] }

async function directoryFor(db: Reader, orgId: OrgId, { members }: Target): Promise<TargetDirectory> {
  return {
    groups: await listGroups(db, orgId),
    tags: await listTags(db, orgId),
    members: members ? await listGroupsOfMembers(db, orgId, members as UserId[]) : [],
  }
}

// Persons give no target. Checked before any query.
export function requireMayTarget(caller: Caller, target: Target | null | undefined): void {
  if (!orgCallerOf(caller)) requireNoTarget(target)
}

// The target of an activity or a heartbeat; null for a person. Without a target, a key that is limited reaches its whole limit.
// The caller holds the lock on the account, so that the names stay as they were read.
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
