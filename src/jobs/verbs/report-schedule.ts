// Writes on a schedule what became of its pushes. The node that sends it does so as soon as it knows; the job is for the
// case that it dies before. By then another node has made the pushes, and the timeline says how they went.
import type { UserId } from '../../domain/caller.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { type Delivery as DeliveryView, deliveryOf, type PushOutcome } from '../../domain/notifications/delivery.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { ScheduleId } from '../../domain/schedules/schedule.ts'
import type { Writer } from '../../store/engine/database.ts'
import { deleteWaitingJobs, enqueueJob, type Job, LEASE_SECONDS } from '../../store/jobs.ts'
import { listTimeline } from '../../store/notifications/timeline.ts'
import { updateDelivery } from '../../store/schedules.ts'
import { type Delivery, type JobResult, PUSH_DEADLINE_MS } from '../job.ts'

export type SentSchedule = { userId: UserId; id: ScheduleId; notificationId: NotificationId }
type Payload = SentSchedule & { pushes: number }

// After the leases of the pushes have lapsed, another node has claimed them, and the slowest has ended.
const AFTER_SECONDS = LEASE_SECONDS + PUSH_DEADLINE_MS / 1000 + 2

const keyOf = ({ id, notificationId }: SentSchedule) => `report:${id}:${notificationId}`

// In the transaction that sends it.
export async function expectReport(tx: Writer, sent: SentSchedule, pushes: number, now: Instant): Promise<void> {
  const payload: Payload = { ...sent, pushes }
  await enqueueJob(tx, {
    kind: 'report-schedule',
    key: keyOf(sent),
    payload,
    runAt: plusSeconds(now, AFTER_SECONDS),
  })
}

export async function writeReport(tx: Writer, sent: SentSchedule, delivery: DeliveryView): Promise<void> {
  await deleteWaitingJobs(tx, [keyOf(sent)])
  await updateDelivery(tx, sent, delivery)
}

export async function reportSchedule({ ctx }: Delivery, job: Job): Promise<JobResult> {
  const { pushes, ...sent } = job.payload as Payload
  const timeline = await listTimeline(ctx.db.read, sent.userId, sent.notificationId)
  const accepted = timeline.filter(({ event }) => event === 'push_accepted').length
  const outcomes = Array.from(
    { length: pushes },
    (_, index): PushOutcome => (index < accepted ? 'accepted' : 'refused'),
  )
  return { done: true, record: (tx) => updateDelivery(tx, sent, deliveryOf(outcomes, true)) }
}
