// Cancels schedules: one by request, those of a revoked key, and those of a deleted account.
import type { Caller, KeyId, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { openOwn } from '../../domain/organizations/limit.ts'
import { requireLevel } from '../../domain/permissions.ts'
import type { ScheduleId } from '../../domain/schedules/schedule.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import {
  deleteSchedule,
  failPending,
  findScheduleForUpdate,
  listPendingIds,
  updatePending,
} from '../../store/schedules.ts'
import type { Context } from '../context.ts'
import { requireSchedule } from './read.ts'
import { deleteSendJobs } from './send-jobs.ts'

// Cancels a pending schedule, whose record is kept for a day. Deletes the record of one that was sent or has failed. Leaves
// a canceled one alone.
export async function cancelSchedule(
  ctx: Context,
  caller: Caller,
  id: ScheduleId,
  { purge }: { purge: boolean },
): Promise<void> {
  requireLevel(caller, 'notifications', 'schedule')
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    await requireSchedule(tx, caller, id)
    // Lock order: job, then schedule, as in the job that sends. The other order could deadlock with it.
    await deleteSendJobs(tx, [id])
    const schedule = openOwn(caller, await findScheduleForUpdate(tx, caller.userId, id))
    if (!schedule || (schedule.status === 'canceled' && !purge)) return
    if (schedule.status === 'scheduled' && !purge) {
      await updatePending(tx, schedule, { ...schedule, status: 'canceled', canceledAt: now }, now)
      await appendEvent(tx, caller.userId, { type: 'schedule.canceled', at: now, data: { id } })
      return
    }
    await deleteSchedule(tx, caller.userId, id)
    await appendEvent(tx, caller.userId, { type: 'schedule.deleted', at: now, data: { id } })
  })
}

// Runs in the transaction that revokes the key: its pending schedules fail.
export async function failSchedulesOf(tx: Writer, userId: UserId, keyId: KeyId, now: Instant): Promise<void> {
  const ids = await listPendingIds(tx, { userId, keyId })
  await deleteSendJobs(tx, ids)
  for (const id of await failPending(tx, userId, ids, { reason: 'key_revoked', now })) {
    await appendEvent(tx, userId, { type: 'schedule.failed', at: now, data: { id, failure_reason: 'key_revoked' } })
  }
}

// Runs in the transaction that deletes an account, whose schedules are deleted by cascade. Without this, their jobs would
// stay for up to a year.
export async function deleteScheduledJobs(tx: Writer, userId: UserId): Promise<void> {
  const ids = await listPendingIds(tx, { userId, keyId: null })
  await deleteSendJobs(tx, ids)
}
