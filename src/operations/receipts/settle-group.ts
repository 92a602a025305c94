// What the end of an alert means for those that share its receipt: if it was acknowledged, so are they. If the alert that
// repeats for all of them has ended otherwise, the oldest of the others repeats from now on.
import type { Instant } from '../../domain/instant.ts'
import type { Jobs } from '../../domain/jobs.ts'
import type { Receipt } from '../../domain/receipts/receipt.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { Job } from '../../store/jobs.ts'
import { listGroupForUpdate, setGroup } from '../../store/receipts.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { endReceipts } from './end.ts'
import { startRinging } from './open.ts'

export async function settleReceiptGroup(
  ctx: JobContext,
  { payload }: Job<'settle-receipt-group'>,
): Promise<JobResult> {
  const now = ctx.clock.now()
  return { done: true, record: (tx) => settle(tx, payload, now) }
}

async function settle(tx: Writer, { userId, groupId }: Jobs['settle-receipt-group'], now: Instant): Promise<void> {
  const group = await listGroupForUpdate(tx, userId, groupId)
  const active = group.filter(({ status }) => status === 'active')
  const acknowledged = group.find(({ status }) => status === 'acknowledged')
  if (acknowledged) {
    await endReceipts(tx, active, sameEnding(acknowledged), now)
    return
  }
  const [next] = active
  if (!next || active.some(({ notificationId }) => notificationId === groupId)) return
  const ids = active.map(({ notificationId }) => notificationId)
  await setGroup(tx, userId, ids, next.notificationId)
  await startRinging(tx, { ...next, groupId: next.notificationId }, now)
}

const sameEnding = ({ userId, acknowledgedBy, acknowledgedByDevice, actionId }: Receipt) => ({
  status: 'acknowledged' as const,
  by: acknowledgedBy ?? userId,
  device: acknowledgedByDevice,
  actionId: actionId ?? '',
})
