// Who is in a group: the whole set at once, or one member.
import { LIMITS } from '../../contract/limits.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { GroupSetId, OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Group } from '../../domain/organizations/organization.ts'
import { targetUnknown, unknownEntry } from '../../domain/organizations/target.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import type { FeedEntry } from '../../store/events/feeds.ts'
import {
  deleteSetMember,
  deleteSetMembers,
  insertGroupSet,
  insertSetMembers,
  listNonMembers,
  listSetMemberIds,
} from '../../store/organizations/group-members.ts'
import { countGroupMembers, updateGroupSet } from '../../store/organizations/groups.ts'
import { type Reach, readReach, settleReach } from '../activities/reach-change.ts'
import type { Context } from '../context.ts'
import { lockMembership, memberIdOf, requireMembership } from '../membership.ts'
import { requireGroup, requireMember } from './find.ts'
import { announce } from './tell-members.ts'

type WhichGroup = { orgId: string; groupId: string }

const STEP = LIMITS.organization.groupMembersPerStep

// A set of ten thousand is filled in many short transactions before one update makes it the group's: others see the set
// before or after, never a mixture, and no writer waits long.
export async function replaceGroupMembers(
  ctx: Context,
  caller: Caller,
  { orgId, groupId }: WhichGroup,
  userIds: string[],
): Promise<CountedGroup> {
  const now = ctx.clock.now()
  const { org } = await requireMembership(ctx.db.read, caller, orgId, 'admin')
  await requireGroup(ctx.db.read, org.id, groupId)
  await requireAllMembers(ctx, org.id, userIds)
  const setId = await fillSet(ctx, org.id, userIds, now)
  const { replaced, counted } = await ctx.db.transact(async (tx) => {
    await lockMembership(tx, caller, orgId, 'admin')
    const group = await requireGroup(tx, org.id, groupId)
    const reach = await readReach(tx, org.id, await listChanged(tx, group.setId, setId))
    await updateGroupSet(tx, group, setId)
    await tellOfChange(tx, group, reach, now)
    return { replaced: group.setId, counted: await withCount(tx, { ...group, setId }) }
  })
  await emptySet(ctx, replaced)
  return counted
}

async function fillSet(ctx: Context, orgId: OrgId, userIds: string[], now: Instant): Promise<GroupSetId> {
  const setId = newUuid() as GroupSetId
  await ctx.db.transact((tx) => insertGroupSet(tx, { id: setId, orgId, createdAt: now }))
  for (const some of inSteps(userIds)) await ctx.db.transact((tx) => addToSet(tx, { orgId, setId }, some))
  return setId
}

// Under the lock, so that nobody leaves the organization between the look at the members and the insert.
async function addToSet(tx: Writer, set: Pick<Group, 'orgId' | 'setId'>, userIds: string[]): Promise<void> {
  await lockUser(tx, set.orgId)
  await insertSetMembers(tx, set, userIds)
}

// If the process dies before it is done, housekeeping does the rest.
export async function emptySet(ctx: Context, setId: GroupSetId): Promise<void> {
  while (await ctx.db.transact((tx) => deleteSetMembers(tx, setId, STEP)));
}

const MANY = LIMITS.organization.membersPerStep + 1

// Who is in one of the sets only. Stops at more than `announce` tells one by one.
async function listChanged(tx: Writer, before: GroupSetId, after: GroupSetId): Promise<UserId[]> {
  const [old, fresh] = [await listSetMemberIds(tx, before, MANY), await listSetMemberIds(tx, after, MANY)]
  if (old.length === MANY || fresh.length === MANY) return old.length > fresh.length ? old : fresh
  return [...old.filter((id) => !fresh.includes(id)), ...fresh.filter((id) => !old.includes(id))]
}

export const addGroupMember = (ctx: Context, caller: Caller, which: WhichGroup, userId: string): Promise<void> =>
  changeGroup(ctx, caller, { ...which, userId }, async (tx, group, memberId) => {
    const added = await insertSetMembers(tx, group, [memberId])
    return added.length > 0
  })

export const removeGroupMember = (ctx: Context, caller: Caller, which: WhichGroup, userId: string): Promise<void> =>
  changeGroup(ctx, caller, { ...which, userId }, (tx, group, memberId) => deleteSetMember(tx, group.setId, memberId))

// `change` returns whether it changed anything.
async function changeGroup(
  ctx: Context,
  caller: Caller,
  { orgId, groupId, userId }: WhichGroup & { userId: string },
  change: (tx: Writer, group: Group, memberId: UserId) => Promise<boolean>,
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const { org } = await lockMembership(tx, caller, orgId, 'admin')
    const group = await requireGroup(tx, org.id, groupId)
    const member = await requireMember(tx, org.id, memberIdOf(caller, userId))
    const reach = await readReach(tx, org.id, [member.userId])
    if (await change(tx, group, member.userId)) await tellOfChange(tx, group, reach, now)
  })
}

// `reach`: of those who entered or left the group, before the change.
async function tellOfChange(tx: Writer, { id, orgId }: Group, reach: Reach, now: Instant): Promise<void> {
  if (reach.userIds.length === 0) return
  const news = await settleReach(tx, reach, now)
  await announce(tx, orgId, { type: 'org.group_updated', at: now, data: { id } }, reach.userIds, news)
}

// Several groups at once. The caller holds the lock on the organization, and appends the news as its last statement.
export async function enterGroups(
  tx: Writer,
  orgId: OrgId,
  userId: UserId,
  { groups, now }: { groups: readonly Group[]; now: Instant },
): Promise<FeedEntry[]> {
  const reach = await readReach(tx, orgId, [userId])
  const entered: FeedEntry[] = []
  for (const group of groups) {
    const added = await insertSetMembers(tx, group, [userId])
    const event = { type: 'org.group_updated', at: now, data: { id: group.id } } as const
    if (added.length > 0) entered.push({ userId: orgId, event })
  }
  return [...entered, ...(await settleReach(tx, reach, now))]
}

// Looking up ten thousand ids at once would block the event loop.
export async function requireAllMembers(ctx: Context, orgId: OrgId, userIds: string[]): Promise<void> {
  const unknown = new Set<string>()
  for (const some of inSteps(userIds)) {
    const missing = await ctx.slices(orgId, () => listNonMembers(ctx.db.read, orgId, some))
    for (const id of missing) unknown.add(id)
  }
  if (unknown.size === 0) return
  throw targetUnknown(
    userIds.flatMap((id, index) => (unknown.has(id) ? [unknownEntry(`body.user_ids[${index}]`, id)] : [])),
  )
}

const inSteps = (userIds: string[]): string[][] =>
  Array.from({ length: Math.ceil(userIds.length / STEP) }, (_, step) => userIds.slice(step * STEP, (step + 1) * STEP))

// Groups with the number of their members.
export type CountedGroup = { group: Group; memberCount: number }

export async function withCounts(db: Reader, groups: Group[]): Promise<CountedGroup[]> {
  const counts = await countGroupMembers(
    db,
    groups.map(({ id }) => id),
  )
  return groups.map((group) => ({ group, memberCount: counts.get(group.id) ?? 0 }))
}

export const withCount = async (db: Reader, group: Group): Promise<CountedGroup> =>
  (await withCounts(db, [group]))[0] as CountedGroup
