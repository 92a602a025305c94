// Repeats an alert of an organization: pushes it again to everyone who still has it, a step at a time.
import { LIMITS } from '../../../contract/limits.ts'
import type { Instant } from '../../../domain/instant.ts'
import { isRepeatWanted, receiptCollapseId } from '../../../domain/receipts/receipt.ts'
import type { Job } from '../../../store/jobs.ts'
import { findSend, listLiveEntries } from '../../../store/organizations/sends.ts'
import { findReceipt } from '../../../store/receipts.ts'
import type { JobContext } from '../../context.ts'
import type { JobResult } from '../../job-result.ts'
import { enqueueAlertPushes } from './added-members.ts'

const STEP = LIMITS.organization.membersPerStep

export async function spreadRepeat(
  ctx: JobContext,
  { payload }: Job<'spread-repeat'>,
): Promise<JobResult<'spread-repeat'>> {
  const { userId: orgId, notificationId: headId, repeat, after } = payload
  const now: Instant = ctx.clock.now()
  const receipt = await findReceipt(ctx.db.read, orgId, headId)
  const send = await findSend(ctx.db.read, headId)
  if (!send || !receipt || !isRepeatWanted(receipt, repeat, now)) return { done: true }
  const entries = await listLiveEntries(ctx.db.read, send, { after }, STEP)
  const push = { collapseId: receiptCollapseId(receipt), repeat }
  const record: JobResult['record'] = (tx) => enqueueAlertPushes(tx, { send, receipt }, entries, push, now)
  const last = entries.at(-1)
  if (!last || entries.length < STEP) return { done: true, record }
  return { again: now, payload: { ...payload, after: last.userId }, record }
}
