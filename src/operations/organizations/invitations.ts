// Invitations: codes that owners and admins give out.
import type { InvitationInput } from '../../contract/organizations/invitation.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import {
  type Invitation,
  type InvitationId,
  type InvitationTerms,
  invitationTerms,
  isInvitationId,
} from '../../domain/organizations/invitation.ts'
import { requireMayInvite, requireRoomForInvitation } from '../../domain/organizations/roles.ts'
import { targetUnknown, unknownEntry } from '../../domain/organizations/target.ts'
import { newJoinCode, newUuid } from '../../runtime/ids.ts'
import type { Reader } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import { listGroups } from '../../store/organizations/groups.ts'
import {
  countOpenInvitations,
  deleteInvitation,
  insertInvitation,
  listOpenInvitations,
} from '../../store/organizations/invitations.ts'
import type { Context } from '../context.ts'
import { lockMembership, requireMembership } from '../membership.ts'

export async function createInvitation(
  ctx: Context,
  caller: Caller,
  orgId: string,
  input: InvitationInput,
): Promise<Invitation> {
  const now = ctx.clock.now()
  const terms = invitationTerms(input, now)
  return ctx.db.transact(async (tx) => {
    const inviter = await lockMembership(tx, caller, orgId, 'admin')
    requireMayInvite(inviter, terms.role)
    const { org } = inviter
    await requireGroups(tx, org.id, terms)
    requireRoomForInvitation(await countOpenInvitations(tx, org.id, now))
    const invitation: Invitation = {
      id: newUuid() as InvitationId,
      orgId: org.id,
      code: newJoinCode(),
      ...terms,
      useCount: 0,
      createdAt: now,
      createdBy: inviter.userId,
    }
    await insertInvitation(tx, invitation)
    await appendEvent(tx, org.id, { type: 'org.invitation_created', at: now, data: { id: invitation.id } })
    return invitation
  })
}

export async function openInvitations(ctx: Context, caller: Caller, orgId: string): Promise<Invitation[]> {
  const { org } = await requireMembership(ctx.db.read, caller, orgId, 'admin')
  return listOpenInvitations(ctx.db.read, org.id, ctx.clock.now())
}

// Who has joined by it stays.
export async function removeInvitation(ctx: Context, caller: Caller, orgId: string, id: string): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const { org } = await lockMembership(tx, caller, orgId, 'admin')
    if (!isInvitationId(id) || !(await deleteInvitation(tx, org.id, id))) {
      throw new Problem('org_invitation.not_found', `There is no invitation ${id}.`)
    }
    await appendEvent(tx, org.id, { type: 'org.invitation_deleted', at: now, data: { id } })
  })
}

async function requireGroups(db: Reader, orgId: OrgId, { groupIds }: InvitationTerms): Promise<void> {
  const known = new Set((await listGroups(db, orgId)).map(({ id }) => id))
  const errors = groupIds.flatMap((id, index) => (known.has(id) ? [] : [unknownEntry(`body.group_ids[${index}]`, id)]))
  if (errors.length > 0) throw targetUnknown(errors)
}
