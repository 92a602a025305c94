// Spreads a notification of an organization to the members after the first, a step at a time: one transaction of at most a
// hundred members.
import type { Instant } from '../../../domain/instant.ts'
import { lockUser } from '../../../store/accounts/accounts.ts'
import type { Writer } from '../../../store/engine/database.ts'
import type { Job } from '../../../store/jobs.ts'
import { findNotificationForUpdate } from '../../../store/notifications/notifications.ts'
import { findSend, listOpenRecipients } from '../../../store/organizations/sends.ts'
import { findReceipt } from '../../../store/receipts.ts'
import type { JobContext } from '../../context.ts'
import type { JobResult } from '../../job-result.ts'
import { writeEntries } from './entries.ts'
import { enqueueEntryPushes } from './pushes.ts'

export async function spreadNotification(
  ctx: JobContext,
  { payload: { userId: orgId, notificationId: headId } }: Job<'spread-notification'>,
): Promise<JobResult> {
  const now = ctx.clock.now()
  const open = await listOpenRecipients(ctx.db.read, headId, 1)
  if (open.length === 0) return { done: true }
  return { again: now, record: (tx) => spreadStep(tx, orgId, headId, now) }
}

type Head = Job<'spread-notification'>['payload']

// Locks the organization, as everyone who leaves it does, and the head, as its recall does: no entry is written after
// either.
async function spreadStep(
  tx: Writer,
  orgId: Head['userId'],
  headId: Head['notificationId'],
  now: Instant,
): Promise<void> {
  await lockUser(tx, orgId)
  const head = await findNotificationForUpdate(tx, orgId, headId)
  const send = head && (await findSend(tx, headId))
  if (!send) return
  const entries = await writeEntries(tx, head, send, now)
  if (!head.pushed) return
  const hasReceipt = (await findReceipt(tx, orgId, headId)) !== undefined
  const push = { collapseId: send.collapseId, repeat: hasReceipt ? 0 : undefined }
  await enqueueEntryPushes(tx, send, entries, push, now)
}
