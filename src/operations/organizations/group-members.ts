// Who is in a group: the whole set at once, or one member.
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { OrgId } from '../../domain/organizations/ids.ts'
import type { Group } from '../../domain/organizations/organization.ts'
import { targetUnknown, unknownEntry } from '../../domain/organizations/target.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import {
  deleteGroupMember,
  deleteGroupMembersExcept,
  insertGroupMembers,
  listNonMembers,
} from '../../store/organizations/groups.ts'
import type { Context } from '../context.ts'
import { type CountedGroup, withCount } from './counted-groups.ts'
import { requireGroup, requireMember } from './find.ts'
import { lockMembership, memberIdOf } from './membership.ts'
import { announce } from './tell-members.ts'

type WhichGroup = { orgId: string; groupId: string }

// In one transaction, so that a send sees the set before or after.
export async function replaceGroupMembers(
  ctx: Context,
  caller: Caller,
  { orgId, groupId }: WhichGroup,
  userIds: string[],
): Promise<CountedGroup> {
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const { org } = await lockMembership(tx, caller, orgId, 'admin')
    const group = await requireGroup(tx, org.id, groupId)
    await requireAllMembers(tx, org.id, userIds)
    const removed = await deleteGroupMembersExcept(tx, group, userIds)
    const added = await insertGroupMembers(tx, group, userIds)
    await tellOfChange(tx, group, [...removed, ...added], now)
    return withCount(tx, group)
  })
}

export async function addGroupMember(
  ctx: Context,
  caller: Caller,
  { orgId, groupId }: WhichGroup,
  userId: string,
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const { org } = await lockMembership(tx, caller, orgId, 'admin')
    const group = await requireGroup(tx, org.id, groupId)
    const member = await requireMember(tx, org.id, memberIdOf(caller, userId))
    await tellOfChange(tx, group, await insertGroupMembers(tx, group, [member.userId]), now)
  })
}

export async function removeGroupMember(
  ctx: Context,
  caller: Caller,
  { orgId, groupId }: WhichGroup,
  userId: string,
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const { org } = await lockMembership(tx, caller, orgId, 'admin')
    const group = await requireGroup(tx, org.id, groupId)
    const member = await requireMember(tx, org.id, memberIdOf(caller, userId))
    if (await deleteGroupMember(tx, group, member.userId)) await tellOfChange(tx, group, [member.userId], now)
  })
}

async function tellOfChange(tx: Writer, { id, orgId }: Group, changed: UserId[], now: Instant): Promise<void> {
  if (changed.length === 0) return
  await announce(tx, orgId, { type: 'org.group_updated', at: now, data: { id } }, changed)
}

export async function requireAllMembers(db: Reader, orgId: OrgId, userIds: string[]): Promise<void> {
  const unknown = await listNonMembers(db, orgId, userIds)
  if (unknown.size === 0) return
  throw targetUnknown(
    userIds.flatMap((id, index) => (unknown.has(id) ? [unknownEntry(`body.user_ids[${index}]`, id)] : [])),
  )
}
