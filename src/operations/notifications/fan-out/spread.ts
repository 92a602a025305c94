// Spreads a notification of an organization to the members after the first, and the repeats of an alert to everyone who
// still has it. Both go a step at a time, and each step is a transaction.

import { LIMITS } from '../../../contract/limits.ts'
import type { OrgId } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { OrgSendNews } from '../../../domain/jobs.ts'
import type { NotificationId } from '../../../domain/notifications/notification.ts'
import type { OrgSend } from '../../../domain/organizations/send.ts'
import { isRepeatWanted, type Receipt, receiptCollapseId } from '../../../domain/receipts/receipt.ts'
import { lockUser } from '../../../store/accounts/accounts.ts'
import type { Writer } from '../../../store/engine/database.ts'
import type { Job } from '../../../store/jobs.ts'
import { findAnswer } from '../../../store/notifications/answers.ts'
import { findNotificationForUpdate } from '../../../store/notifications/notifications.ts'
import { findOrganization } from '../../../store/organizations/organizations.ts'
import { findSend, isSpreading, listLiveEntries } from '../../../store/organizations/sends.ts'
import { findReceipt, listReceiptsForUpdate } from '../../../store/receipts.ts'
import type { JobContext } from '../../context.ts'
import type { JobResult } from '../../job-result.ts'
import { eventMaker } from '../../push/tell-recipients.ts'
import { writeEntries } from './entries.ts'
import { enqueueAlertPushes } from './pushes.ts'

// Fewer than in the request: a step of a hundred takes 15 ms, which everyone else's requests would wait for.
const MEMBERS_PER_STEP = 20

export async function spreadNotification(
  ctx: JobContext,
  { payload: { userId, notificationId: headId } }: Job<'spread-notification'>,
): Promise<JobResult> {
  const orgId = userId as OrgId
  const now = ctx.clock.now()
  if (!(await isSpreading(ctx.db.read, orgId, headId))) return { done: true }
  return { again: now, record: (tx) => spreadStep(tx, orgId, headId, now) }
}

// Locks the organization, as those do who leave it, answer it or delete it, and the head, as its recall does: no entry is
// written after any of them.
async function spreadStep(tx: Writer, orgId: OrgId, headId: NotificationId, now: Instant): Promise<void> {
  await lockUser(tx, orgId)
  const [receipt] = await listReceiptsForUpdate(tx, orgId, [headId])
  const head = await findNotificationForUpdate(tx, orgId, headId)
  const send = head && (await findOrganization(tx, orgId)) && (await findSend(tx, headId))
  if (!send) return
  const news = await newsSince(tx, send, receipt)
  const makers = await Promise.all(
    news.map((one) => eventMaker(tx, { userId: orgId, notificationId: headId, news: one }, now)),
  )
  const entries = await writeEntries(tx, head, send, now, {
    most: MEMBERS_PER_STEP,
    news: (entry) => makers.flatMap((make) => make?.(entry) ?? []),
  })
  // What was accepted goes out whole, also if the key was revoked since; only its repeats end.
  const isPushed = head.pushed && (news.length === 0 || receipt?.cancelReason === 'key_revoked')
  if (!isPushed) return
  const repeat = receipt?.status === 'active' ? receipt.repeatsSent : undefined
  await enqueueAlertPushes(tx, { send, receipt }, entries, { collapseId: send.collapseId, repeat }, now)
}

// What those who got the notification before have been told of it.
async function newsSince(tx: Writer, { orgId, headId }: OrgSend, receipt: Receipt | undefined): Promise<OrgSendNews[]> {
  const answer = await findAnswer(tx, orgId, headId)
  const ending = receipt && receipt.status !== 'active' ? [receipt.status] : []
  return answer?.given ? ['answered', ...ending] : ending
}

const REPEATED_PER_STEP = LIMITS.organization.membersPerStep

export async function spreadRepeat(
  ctx: JobContext,
  { payload }: Job<'spread-repeat'>,
): Promise<JobResult<'spread-repeat'>> {
  const { userId: orgId, notificationId: headId, repeat, after } = payload
  const now = ctx.clock.now()
  const receipt = await findReceipt(ctx.db.read, orgId, headId)
  const send = await findSend(ctx.db.read, headId)
  if (!send || !receipt || !isRepeatWanted(receipt, repeat, now)) return { done: true }
  const entries = await listLiveEntries(ctx.db.read, send, { after }, REPEATED_PER_STEP)
  const push = { collapseId: receiptCollapseId(receipt), repeat }
  const record: JobResult['record'] = (tx) => enqueueAlertPushes(tx, { send, receipt }, entries, push, now)
  const last = entries.at(-1)
  if (!last || entries.length < REPEATED_PER_STEP) return { done: true, record }
  return { again: now, payload: { ...payload, after: last.userId }, record }
}
