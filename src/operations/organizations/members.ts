// Lists, reads, changes and removes the members of an organization.
import type { MemberPatch, MemberQuery, OrgRole } from '../../contract/organizations/organization.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import { decodeUuidPlace, encodeUuidPlace, type Page } from '../../domain/cursor.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import { type Member, type Membership, readMute } from '../../domain/organizations/organization.ts'
import { requireMayRemove, requireOtherOwner, requireRole } from '../../domain/organizations/roles.ts'
import { revocationTopic } from '../../store/accounts/tokens.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds } from '../../store/events/feeds.ts'
import { barFromCodes } from '../../store/join-codes.ts'
import { listMembers } from '../../store/organizations/members.ts'
import { countOwners, updateMute, updateRole } from '../../store/organizations/memberships.ts'
import { readReach, settleReach } from '../activities/reach-change.ts'
import type { Context } from '../context.ts'
import { lockMembership, memberIdOf, requireMembership } from '../membership.ts'
import { readCursor, readPage } from '../paging.ts'
import { requireGroup, requireMember } from './find.ts'
import { endMembership, removeFrom } from './memberships.ts'

// `viewer`: the membership of the caller, which decides what of a member it sees.
export type SeenMember = { member: Member; viewer: Membership; now: Instant }

export async function readMemberPage(
  ctx: Context,
  caller: Caller,
  orgId: string,
  { limit, cursor, group_id }: MemberQuery,
): Promise<Page<SeenMember>> {
  const db = ctx.db.read
  const now = ctx.clock.now()
  const viewer = await requireMembership(db, caller, orgId, 'member')
  const { id } = viewer.org
  const group = group_id === undefined ? undefined : await requireGroup(db, id, group_id)
  const after = readCursor(cursor, (text) => decodeUuidPlace('members', text))
  return readPage(limit, {
    find: async (count) => ({ entries: await listMembers(db, id, { after, setId: group?.setId }, count) }),
    load: async (members) => members.map((member) => ({ member, viewer, now })),
    cursorAfter: ({ joinedAt, userId }) => encodeUuidPlace('members', { at: joinedAt, id: userId }),
  })
}

export async function readMember(ctx: Context, caller: Caller, orgId: string, userId: string): Promise<SeenMember> {
  const viewer = await requireMembership(ctx.db.read, caller, orgId, 'member')
  const member = await requireMember(ctx.db.read, viewer.org.id, memberIdOf(caller, userId))
  return { member, viewer, now: ctx.clock.now() }
}

// Owners change roles. Everyone mutes themselves, and nobody else.
export async function changeMember(
  ctx: Context,
  caller: Caller,
  { orgId, userId }: { orgId: string; userId: string },
  patch: MemberPatch,
): Promise<SeenMember> {
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const viewer = await lockMembership(tx, caller, orgId, 'member')
    const { org } = viewer
    if (patch.role !== undefined) requireRole(viewer, 'owner')
    const member = await requireMember(tx, org.id, memberIdOf(caller, userId))
    if (patch.muted_until !== undefined) {
      requireSelf(viewer, member)
      await mute(tx, org.id, member, { until: readMute(patch.muted_until, now), now })
    }
    if (patch.role === undefined) await tellOfChange(tx, org.id, member, { now })
    else await changeRole(tx, org.id, member, { role: patch.role, now })
    const changed = await requireMember(tx, org.id, member.userId)
    return { member: changed, viewer: await requireMembership(tx, caller, org.id, 'member'), now }
  })
}

// Devices dismiss the activities of the organization, or start them again. The member sees them all the same, so there is
// no news of them.
async function mute(
  tx: Writer,
  orgId: OrgId,
  { userId }: Member,
  { until, now }: { until: Instant | null; now: Instant },
): Promise<void> {
  const reach = await readReach(tx, orgId, [userId])
  await updateMute(tx, orgId, userId, until)
  await settleReach(tx, reach, now)
}

// The caller holds the lock on the organization.
export async function changeRole(
  tx: Writer,
  orgId: OrgId,
  member: Pick<Member, 'userId' | 'role'>,
  change: { role: OrgRole; now: Instant },
): Promise<void> {
  if (change.role !== 'owner') requireOtherOwner(member.role, await countOwners(tx, orgId))
  await updateRole(tx, orgId, member.userId, change.role)
  // Admins see the codes by which others become admins. A former one must not leave and come back by such a code.
  if (change.role === 'member' && member.role !== 'member') {
    await barFromCodes(tx, { userId: orgId }, member.userId, { roles: ['admin'], now: change.now })
  }
  // Requests that this person holds open as the organization are checked again.
  tx.signal(revocationTopic(orgId))
  await tellOfChange(tx, orgId, member, change)
}

async function tellOfChange(
  tx: Writer,
  orgId: OrgId,
  { userId }: Pick<Member, 'userId'>,
  { role, now: at }: { role?: OrgRole; now: Instant },
): Promise<void> {
  await appendToFeeds(tx, [
    { userId: orgId, event: { type: 'org.member_updated', at, data: { id: userId, role } } },
    { userId, event: { type: 'org.updated', at, data: { id: orgId, role } } },
  ])
}

function requireSelf({ userId }: Membership, member: Member): void {
  if (member.userId === userId) return
  throw new Problem('org.role_denied', 'Members mute themselves; nobody mutes another member.')
}

// Leaving, if the member is the caller.
export async function removeMember(ctx: Context, caller: Caller, orgId: string, userId: string): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const remover = await lockMembership(tx, caller, orgId, 'member')
    const id = memberIdOf(caller, userId)
    if (id !== remover.userId) requireRole(remover, 'admin')
    const member = await requireMember(tx, remover.org.id, id)
    requireMayRemove(remover, member)
    const end = id === remover.userId ? endMembership : removeFrom
    await end(tx, remover.org.id, member, now)
  })
}
