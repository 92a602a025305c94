// Changes a pending schedule: content, times, and pausing it.
import type { SchedulePatch } from '../../contract/schedules.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { openOwn } from '../../domain/organizations/limit.ts'
import { requireLevel } from '../../domain/permissions.ts'
import { changedSchedule, requirePending } from '../../domain/schedules/change.ts'
import type { Schedule, ScheduleId } from '../../domain/schedules/schedule.ts'
import type { Reader } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { findScheduleForUpdate, updatePlanned } from '../../store/schedules.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../notifications/send.ts'
import { composeRequest, requireActivity } from '../notifications/store.ts'
import { requireEscalationFor } from '../receipts/escalation.ts'
import { attachFiles, withFiles } from './files.ts'
import { readSchedule, requireSchedule } from './read.ts'
import { deleteSendJobs, enqueueSendJob } from './send-jobs.ts'
import { targetToKeep } from './target.ts'

export async function changeSchedule(
  ctx: Context,
  caller: Caller,
  id: ScheduleId,
  patch: SchedulePatch,
  publicUrl: string,
): Promise<Schedule> {
  requireLevel(caller, 'notifications', 'schedule')
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    await requireSchedule(tx, caller, id)
    // Lock order: job, then schedule, as in the job that sends.
    await deleteSendJobs(tx, [id])
    const pending = openOwn(caller, await findScheduleForUpdate(tx, caller.userId, id))
    requirePending(pending)
    const checked = await checkedChange(ctx, tx, caller, { pending, patch }, now)
    const given = patch.attachments === null ? [] : patch.attachments
    const changed = await withFiles(tx, pending, checked, given, publicUrl)
    await updatePlanned(tx, changed)
    if (given) await attachFiles(tx, changed)
    if (!changed.isPaused) await enqueueSendJob(tx, changed)
    await appendEvent(tx, caller.userId, { type: 'schedule.updated', at: now, data: { id } })
  })
  return readSchedule(ctx, caller, id)
}

// The result must pass every rule that a new schedule passes. It is sent by whoever made it, not by who changes it.
async function checkedChange(
  ctx: Context,
  db: Reader,
  caller: Caller,
  { pending, patch }: { pending: Schedule; patch: SchedulePatch },
  now: Instant,
): Promise<Schedule> {
  const changed = changedSchedule(pending, patch, now)
  const { target, acknowledge } = changed.input
  requirePermission(caller, changed.input, 'schedule')
  composeRequest(ctx, caller, changed.input, pending)
  if (patch.acknowledge) await requireEscalationFor(db, pending, acknowledge)
  if (patch.activity_slug) await requireActivity(db, caller, patch.activity_slug)
  const targetIds = patch.target === undefined ? pending.targetIds : await targetToKeep(db, caller, target)
  return { ...changed, targetIds }
}
