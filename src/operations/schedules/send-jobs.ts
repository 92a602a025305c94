// The job that sends a schedule. Each send has a job of its own, so that the failed attempts of one do not count for the
// next.
import { JOB_KEYS } from '../../domain/jobs.ts'
import type { Schedule, ScheduleId } from '../../domain/schedules/schedule.ts'
import type { Writer } from '../../store/engine/database.ts'
import { deleteWaitingJobs, enqueueJob } from '../../store/jobs.ts'

export async function enqueueSendJob(tx: Writer, { userId, id, sendAt }: Schedule): Promise<void> {
  const payload = { userId, scheduleId: id, dueAt: sendAt }
  await enqueueJob(tx, { kind: 'send-schedule', key: JOB_KEYS.scheduleSend(id), payload, runAt: sendAt })
}

export const deleteSendJobs = (tx: Writer, ids: ScheduleId[]): Promise<void> =>
  deleteWaitingJobs(tx, ids.map(JOB_KEYS.scheduleSend))
