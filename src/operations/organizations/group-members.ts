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
  listGroupMemberIds,
  listNonMembers,
} from '../../store/organizations/groups.ts'
import type { Context } from '../context.ts'
import { type CountedGroup, withCount } from './counted-groups.ts'
import { requireGroup, requireMember } from './find.ts'
import { lockMembership, memberIdOf } from './membership.ts'
import { type Reach, readReach, settleReach } from './reach-change.ts'
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
    const reach = await readReach(tx, org.id, differenceOf(await listGroupMemberIds(tx, group.id), userIds as UserId[]))
    await deleteGroupMembersExcept(tx, group, userIds)
    await insertGroupMembers(tx, group, userIds)
    await tellOfChange(tx, group, reach, now)
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
    const reach = await readReach(tx, org.id, [member.userId])
    const added = await insertGroupMembers(tx, group, [member.userId])
    if (added.length > 0) await tellOfChange(tx, group, reach, now)
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
    const reach = await readReach(tx, org.id, [member.userId])
    if (await deleteGroupMember(tx, group, member.userId)) await tellOfChange(tx, group, reach, now)
  })
}

// Those who are in one of the two lists and not in both.
function differenceOf(before: UserId[], after: UserId[]): UserId[] {
  const [had, has] = [new Set(before), new Set(after)]
  return [...before.filter((id) => !has.has(id)), ...[...has].filter((id) => !had.has(id))]
}

// `reach`: of those who entered or left the group, before the change.
async function tellOfChange(tx: Writer, { id, orgId }: Group, reach: Reach, now: Instant): Promise<void> {
  if (reach.userIds.length === 0) return
  const news = await settleReach(tx, reach, now)
  await announce(tx, orgId, { type: 'org.group_updated', at: now, data: { id } }, reach.userIds, news)
}

export async function requireAllMembers(db: Reader, orgId: OrgId, userIds: string[]): Promise<void> {
  const unknown = await listNonMembers(db, orgId, userIds)
  if (unknown.size === 0) return
  throw targetUnknown(
    userIds.flatMap((id, index) => (unknown.has(id) ? [unknownEntry(`body.user_ids[${index}]`, id)] : [])),
  )
}
