// Alerts of hooks that last: what was told of one before, and its end.
import type { Hook } from '../../domain/hooks/hook.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { listSequenceRecords } from '../../store/doors/records.ts'
import { listReceiptsForUpdate } from '../../store/receipts.ts'
import type { Context } from '../context.ts'
import { markReadInInbox } from '../notifications/read-marks.ts'
import { enqueueWithdrawal } from '../push/withdraw.ts'
import { endReceipts } from '../receipts/end.ts'

// What was told since the alert began to fire, newest first.
export type FiringAlert = { isFiring: boolean; told: NotificationId[] }

// Older ones have been read or replaced by these.
const MOST_TOLD = 20

export async function findAlert(ctx: Context, hook: Hook, sequence: string | undefined): Promise<FiringAlert> {
  if (sequence === undefined) return { isFiring: false, told: [] }
  const which = { door: 'hooks', channel: hook.id, sequence } as const
  const records = await listSequenceRecords(ctx.db.read, hook.userId, which, MOST_TOLD)
  const end = records.findIndex(({ record }) => record.message.state === 'resolved')
  const told = (end === -1 ? records : records.slice(0, end)).map(({ notificationId }) => notificationId)
  return { isFiring: records[0]?.record.message.state === 'firing', told }
}

// Ends the repeats of the alert and withdraws its banners. `quiet`: a notification that is read from the start.
export async function endAlert(
  ctx: Context,
  { userId }: Hook,
  { told: ids }: FiringAlert,
  { isRead, quiet }: { isRead: boolean; quiet?: NotificationId },
): Promise<void> {
  const now = ctx.clock.now()
  if (ids.length === 0 && quiet === undefined) return
  await ctx.db.transact(async (tx) => {
    const receipts = ids.length === 0 ? [] : await listReceiptsForUpdate(tx, userId, ids)
    const active = receipts.filter(({ status }) => status === 'active')
    const ended = await endReceipts(tx, active, { status: 'canceled', reason: 'superseded' }, now)
    if (isRead) await markReadInInbox(tx, userId, quiet === undefined ? ids : [...ids, quiet], now)
    // A repeated alert may have a banner although it was read.
    const withBanner = isRead ? ended.map(({ notificationId }) => notificationId) : ids
    if (withBanner.length > 0) await enqueueWithdrawal(tx, userId, withBanner, now)
  })
}
