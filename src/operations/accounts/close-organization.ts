// Deletes an organization. Its keys, invitations and schedules are gone with the request, and nobody is a member any more;
// a job then tells the members in steps and deletes the rows.
import { LIMITS } from '../../contract/limits.ts'
import type { Caller } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Organization } from '../../domain/organizations/organization.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { deleteAccess } from '../../store/accounts/removal.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds } from '../../store/events/feeds.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { deleteCodesOf } from '../../store/join-codes.ts'
import { deleteMembership, listMemberIdsAfter } from '../../store/organizations/memberships.ts'
import { updateToClosed } from '../../store/organizations/organizations.ts'
import { deleteSomeRecipients } from '../../store/organizations/sends.ts'
import { listActiveReceipts } from '../../store/receipts.ts'
import { readReach, settleReach } from '../activities/reach-change.ts'
import type { Context, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { lockMembership } from '../membership.ts'
import { endReceipts } from '../receipts/end.ts'
import { deleteScheduledJobs } from '../schedules/cancel.ts'
import { removeAccount } from './remove-account.ts'

export async function closeOrganization(ctx: Context, caller: Caller, orgId: string): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const { org } = await lockMembership(tx, caller, orgId, 'owner')
    await close(tx, org.id, now)
  })
}

// For an operator, who is no member. A job of the server tells the members and deletes the rows.
export async function deleteOrganization(ctx: Context, org: Pick<Organization, 'id'>): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    await lockUser(tx, org.id)
    await close(tx, org.id, now)
  })
}

// The caller holds the lock on the organization.
export async function close(tx: Writer, orgId: OrgId, now: Instant): Promise<void> {
  await updateToClosed(tx, orgId)
  await deleteCodesOf(tx, orgId)
  await deleteAccess(tx, orgId)
  await deleteScheduledJobs(tx, orgId)
  await enqueueJob(tx, { kind: 'close-organization', payload: { userId: orgId }, runAt: now })
  // Canceled receipts have no callback.
  await endReceipts(tx, await listActiveReceipts(tx, orgId), { status: 'canceled', reason: 'deleted' }, now)
}

const STEP = LIMITS.organization.membersPerStep
const RECIPIENTS_AT_ONCE = 500

export async function finishClosing(
  ctx: JobContext,
  { payload: { userId: orgId } }: Job<'close-organization'>,
): Promise<JobResult> {
  const now = ctx.clock.now()
  if ((await listMemberIdsAfter(ctx.db.read, orgId, undefined, 1)).length > 0) {
    return { again: now, record: (tx) => dismissMembers(tx, orgId, now) }
  }
  while (await ctx.db.transact((tx) => deleteSomeRecipients(tx, { orgId }, RECIPIENTS_AT_ONCE)));
  await removeAccount(ctx, orgId)
  return { done: true }
}

async function dismissMembers(tx: Writer, orgId: OrgId, now: Instant): Promise<void> {
  const ids = await listMemberIdsAfter(tx, orgId, undefined, STEP)
  const reach = await readReach(tx, orgId, ids)
  for (const userId of ids) await deleteMembership(tx, orgId, userId)
  // Dismisses the activities. The feeds need not tell of each of them: everything of the organization is gone.
  await settleReach(tx, reach, now)
  await appendToFeeds(
    tx,
    ids.map((userId) => ({ userId, event: { type: 'org.left', at: now, data: { id: orgId } } })),
  )
}
