// Writes the delivery of its pushes on a schedule. The node that sends the schedule does so once the pushes have ended.
// The job does it if that node dies: by then another node has run the pushes, and the timeline has their results.
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { JOB_KEYS, type SentSchedule } from '../../domain/jobs.ts'
import { type Delivery, deliveryOf, type PushOutcome } from '../../domain/notifications/delivery.ts'
import { PUSH_DEADLINE_MS } from '../../domain/push.ts'
import type { Writer } from '../../store/engine/database.ts'
import { deleteWaitingJobs, enqueueJob, type Job, LEASE_SECONDS } from '../../store/jobs.ts'
import { listTimeline } from '../../store/notifications/timeline.ts'
import { updateDelivery } from '../../store/schedules.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'

// The leases of the pushes have lapsed by then, another node has claimed them, and the slowest push has timed out.
const REPORT_AFTER_SECONDS = LEASE_SECONDS + PUSH_DEADLINE_MS / 1000 + 2

// To be called in the transaction that sends the schedule.
export async function enqueueReport(tx: Writer, sent: SentSchedule, pushes: number, now: Instant): Promise<void> {
  const runAt = plusSeconds(now, REPORT_AFTER_SECONDS)
  const key = JOB_KEYS.scheduleReport(sent)
  await enqueueJob(tx, { kind: 'report-schedule', key, payload: { ...sent, pushes }, runAt })
}

export async function writeReport(tx: Writer, sent: SentSchedule, delivery: Delivery): Promise<void> {
  await deleteWaitingJobs(tx, [JOB_KEYS.scheduleReport(sent)])
  await updateDelivery(tx, sent, delivery)
}

export async function reportSchedule(ctx: JobContext, { payload }: Job<'report-schedule'>): Promise<JobResult> {
  const { pushes, ...sent } = payload
  const timeline = await listTimeline(ctx.db.read, sent.userId, sent.notificationId)
  const accepted = timeline.filter(({ event }) => event === 'push_accepted').length
  const outcomes = Array.from(
    { length: pushes },
    (_, index): PushOutcome => (index < accepted ? 'accepted' : 'refused'),
  )
  return { done: true, record: (tx) => updateDelivery(tx, sent, deliveryOf(outcomes, true)) }
}
