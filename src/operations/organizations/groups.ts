// Groups: named sets of members.
import { LIMITS } from '../../contract/limits.ts'
import type { GroupInput } from '../../contract/organizations/group.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { GroupId, GroupSetId } from '../../domain/ids.ts'
import { withGroupName } from '../../domain/organizations/activity-target.ts'
import type { Group } from '../../domain/organizations/organization.ts'
import { requireRoomForGroup } from '../../domain/organizations/roles.ts'
import { newUuid } from '../../runtime/ids.ts'
import { listActivitySizes, updateTarget } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { insertGroupSet, insertSetMembers, listSetMemberIds } from '../../store/organizations/group-members.ts'
import {
  countGroups,
  deleteGroup,
  findGroupByName,
  insertGroup,
  listGroups,
  updateGroupName,
} from '../../store/organizations/groups.ts'
import { readReach, settleReach } from '../activities/reach-change.ts'
import type { Context } from '../context.ts'
import { lockMembership, requireMembership } from '../membership.ts'
import { countInSlices } from './count-in-slices.ts'
import { requireGroup } from './find.ts'
import { type CountedGroup, emptySet, requireAllMembers, withCount, withCounts } from './group-members.ts'
import { announce } from './tell-members.ts'
import { requireUnused } from './uses.ts'

const GROUPS_PER_SLICE = 10

export async function allGroups(ctx: Context, caller: Caller, orgId: string): Promise<CountedGroup[]> {
  const { org } = await requireMembership(ctx.db.read, caller, orgId, 'member')
  const items = await listGroups(ctx.db.read, org.id)
  return countInSlices(ctx, caller.userId, { items, perSlice: GROUPS_PER_SLICE }, (some) =>
    withCounts(ctx.db.read, some),
  )
}

export async function readGroup(ctx: Context, caller: Caller, orgId: string, groupId: string): Promise<CountedGroup> {
  const { org } = await requireMembership(ctx.db.read, caller, orgId, 'member')
  return withCount(ctx.db.read, await requireGroup(ctx.db.read, org.id, groupId))
}

export async function createGroup(
  ctx: Context,
  caller: Caller,
  orgId: string,
  { name, user_ids = [] }: GroupInput,
): Promise<CountedGroup> {
  const now = ctx.clock.now()
  const { org } = await requireMembership(ctx.db.read, caller, orgId, 'admin')
  await requireAllMembers(ctx, org.id, user_ids)
  return ctx.db.transact(async (tx) => {
    await lockMembership(tx, caller, orgId, 'admin')
    requireRoomForGroup(await countGroups(tx, org.id))
    const setId = newUuid() as GroupSetId
    const group: Group = { id: newUuid() as GroupId, orgId: org.id, setId, name, createdAt: now }
    await insertGroupSet(tx, { id: setId, orgId: org.id, createdAt: now })
    if (!(await insertGroup(tx, group))) throw nameTaken(name)
    const added = await insertSetMembers(tx, group, user_ids)
    await announce(tx, org.id, { type: 'org.group_updated', at: now, data: { id: group.id } }, added)
    return withCount(tx, group)
  })
}

export async function renameGroup(
  ctx: Context,
  caller: Caller,
  { orgId, groupId }: { orgId: string; groupId: string },
  name: string,
): Promise<CountedGroup> {
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const { org } = await lockMembership(tx, caller, orgId, 'admin')
    const group = await requireGroup(tx, org.id, groupId)
    const other = await findGroupByName(tx, org.id, name)
    if (other && other.id !== group.id) throw nameTaken(name)
    const renamed = { ...group, name }
    await updateGroupName(tx, renamed)
    await renameInTargets(tx, renamed)
    await appendEvent(tx, org.id, { type: 'org.group_updated', at: now, data: { id: group.id } })
    return withCount(tx, renamed)
  })
}

// Clients see the present names of groups. The caller holds the lock on the organization.
async function renameInTargets(tx: Writer, { orgId, id: groupId, name }: Group): Promise<void> {
  // In the order in which rows are locked.
  const activities = (await listActivitySizes(tx, orgId)).sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id, target } of activities) {
    const renamed = target && withGroupName(target, groupId, name)
    if (renamed) await updateTarget(tx, { userId: orgId, id, target: renamed })
  }
}

export async function removeGroup(
  ctx: Context,
  caller: Caller,
  { orgId, groupId }: { orgId: string; groupId: string },
  { force }: { force: boolean },
): Promise<void> {
  const now = ctx.clock.now()
  const setId = await ctx.db.transact(async (tx) => {
    const { org } = await lockMembership(tx, caller, orgId, 'admin')
    const group = await requireGroup(tx, org.id, groupId)
    if (!force) await requireUnused(tx, org.id, { groupId: group.id })
    const former = await listSetMemberIds(tx, group.setId, LIMITS.organization.membersPerStep + 1)
    const reach = await readReach(tx, org.id, former)
    await deleteGroup(tx, org.id, group.id)
    const news = await settleReach(tx, reach, now)
    await announce(tx, org.id, { type: 'org.group_deleted', at: now, data: { id: group.id } }, former, news)
    return group.setId
  })
  await emptySet(ctx, setId)
}

const nameTaken = (name: string) => new Problem('org.name_taken', `There is a group "${name}" already.`)
