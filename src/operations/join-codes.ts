// Codes by which people join: share codes, which an owner gives out, and invitations, which owners and admins of an
// organization give out. Those who have joined by a code that is deleted stay.
import { LIMITS } from '../contract/limits.ts'
import type { InvitationInput } from '../contract/organizations/invitation.ts'
import { Problem } from '../contract/problems.ts'
import type { PatternCodeInput, ShareCodeInput } from '../contract/shares.ts'
import type { Caller, UserCaller } from '../domain/caller.ts'
import { type GroupId, isUuid, type OrgId } from '../domain/ids.ts'
import type { Instant } from '../domain/instant.ts'
import { type JoinCodeId, newTerms } from '../domain/join-code.ts'
import type { Invitation } from '../domain/organizations/organization.ts'
import { requireMayInvite, requireRoomForInvitation } from '../domain/organizations/roles.ts'
import { targetUnknown, unknownEntry } from '../domain/organizations/target.ts'
import { requireUser } from '../domain/permissions.ts'
import { shareLimit } from '../domain/shares/join.ts'
import { prefixOf, type ShareCode, type SharedSubject } from '../domain/shares/share.ts'
import { newJoinCode, newUuid } from '../runtime/ids.ts'
import { lockUser } from '../store/accounts/accounts.ts'
import type { Reader, Writer } from '../store/engine/database.ts'
import { appendEvent } from '../store/events/feeds.ts'
import {
  countOpenCodes,
  deleteJoinCode,
  insertInvitation,
  insertShareCode,
  listOpenCodes,
} from '../store/join-codes.ts'
import { listGroups } from '../store/organizations/groups.ts'
import { activityNotFound, findOwnForUpdate } from './activities/seen.ts'
import type { Context } from './context.ts'
import { lockMembership, requireMembership } from './membership.ts'

// `name`: the slug or the id of an own activity.
export async function createActivityCode(
  ctx: Context,
  caller: Caller,
  name: string,
  input: ShareCodeInput,
): Promise<ShareCode> {
  requireUser(caller)
  return createShareCode(ctx, caller, input, async (tx) => {
    // Locked, so that the activity cannot be deleted before the code is inserted.
    const activity = await findOwnForUpdate(tx, caller, name)
    if (!activity) throw activityNotFound(name)
    return { kind: 'activity', activityId: activity.id, slug: activity.slug }
  })
}

export async function createPatternCode(
  ctx: Context,
  caller: Caller,
  { slug_pattern: pattern, ...input }: PatternCodeInput,
): Promise<ShareCode> {
  requireUser(caller)
  return createShareCode(ctx, caller, input, async () => ({ kind: 'pattern', slugPrefix: prefixOf(pattern) }))
}

async function createShareCode(
  ctx: Context,
  caller: UserCaller,
  input: ShareCodeInput,
  findSubject: (tx: Writer) => Promise<SharedSubject>,
): Promise<ShareCode> {
  const { userId } = caller
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    await lockUser(tx, userId)
    const subject = await findSubject(tx)
    requirePaidOwner(caller)
    const { maxOpenCodes } = LIMITS.share
    if ((await countOpenCodes(tx, userId, now)) >= maxOpenCodes) {
      throw shareLimit('codes', maxOpenCodes, `An account has at most ${maxOpenCodes} open codes; delete one first.`)
    }
    const code: ShareCode = { ...makeTerms(input, now), userId, role: input.role ?? 'viewer', subject }
    await insertShareCode(tx, code)
    return code
  })
}

function requirePaidOwner({ plan }: UserCaller): void {
  if (plan.isPaid) return
  throw new Problem('subscription.required', 'Sharing needs a paid plan; joining what others share does not.')
}

export async function createInvitation(
  ctx: Context,
  caller: Caller,
  orgId: string,
  input: InvitationInput,
): Promise<Invitation> {
  const now = ctx.clock.now()
  const role = input.role ?? 'member'
  const groupIds = [...new Set(input.group_ids)] as GroupId[]
  return ctx.db.transact(async (tx) => {
    const inviter = await lockMembership(tx, caller, orgId, 'admin')
    requireMayInvite(inviter, role)
    const { org, userId: createdBy } = inviter
    await requireGroups(tx, org.id, groupIds)
    requireRoomForInvitation(await countOpenCodes(tx, org.id, now))
    const invitation: Invitation = { ...makeTerms(input, now), orgId: org.id, createdBy, role, groupIds }
    await insertInvitation(tx, invitation)
    await appendEvent(tx, org.id, { type: 'org.invitation_created', at: now, data: { id: invitation.id } })
    return invitation
  })
}

async function requireGroups(db: Reader, orgId: OrgId, groupIds: GroupId[]): Promise<void> {
  const known = new Set((await listGroups(db, orgId)).map(({ id }) => id))
  const errors = groupIds.flatMap((id, index) => (known.has(id) ? [] : [unknownEntry(`body.group_ids[${index}]`, id)]))
  if (errors.length > 0) throw targetUnknown(errors)
}

const makeTerms = (input: { max_uses?: number; expires_in?: number }, now: Instant) =>
  newTerms({ id: newUuid() as JoinCodeId, code: newJoinCode() }, input, now)

export async function openShareCodes(ctx: Context, caller: Caller): Promise<ShareCode[]> {
  requireUser(caller)
  return listOpenCodes(ctx.db.read, 'share', caller.userId, ctx.clock.now())
}

export async function openInvitations(ctx: Context, caller: Caller, orgId: string): Promise<Invitation[]> {
  const { org } = await requireMembership(ctx.db.read, caller, orgId, 'admin')
  return listOpenCodes(ctx.db.read, 'invitation', org.id, ctx.clock.now())
}

export async function removeShareCode(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireUser(caller)
  const isDeleted = isCodeId(id) && (await ctx.db.transact((tx) => deleteJoinCode(tx, caller.userId, id)))
  if (!isDeleted) throw new Problem('share.not_found', 'You have no share code with this id.')
}

export async function removeInvitation(ctx: Context, caller: Caller, orgId: string, id: string): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const { org } = await lockMembership(tx, caller, orgId, 'admin')
    if (!isCodeId(id) || !(await deleteJoinCode(tx, org.id, id))) {
      throw new Problem('org_invitation.not_found', `There is no invitation ${id}.`)
    }
    await appendEvent(tx, org.id, { type: 'org.invitation_deleted', at: now, data: { id } })
  })
}

const isCodeId = (text: string): text is JoinCodeId => isUuid(text)
