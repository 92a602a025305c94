// Records whether a device without a push channel got a notification over its event stream. The stream writes by itself;
// this job only waits for it, and is not repeated: the device resumes its stream when it comes back.

import { untilWritten } from '../../operations/events/stream-written.ts'
import type { StreamDelivery } from '../../operations/notifications/store.ts'
import { findDevice, recordPush } from '../../store/devices.ts'
import type { Job } from '../../store/jobs.ts'
import { insertTimeline, type NewTimelineEntry } from '../../store/notifications/timeline.ts'
import { recordDelivery } from '../../store/receipts.ts'
import { type Delivery, type JobResult, PUSH_DEADLINE_MS } from '../job.ts'

const STALLED = 'the device does not read its event stream'

export async function confirmStream({ ctx }: Delivery, job: Job): Promise<JobResult> {
  const delivery = job.payload as StreamDelivery
  const { userId, notificationId, deviceId, repeat } = delivery
  const sentAt = ctx.clock.now()
  const outcome = await untilWritten(ctx, delivery, PUSH_DEADLINE_MS)
  const device = await findDevice(ctx.db.read, userId, deviceId)
  if (!device) return { done: true, isLeftOut: true }
  const at = ctx.clock.now()
  if (outcome === 'not_connected') {
    // Said once, and not again with every repeat of an alert.
    if (repeat) return { done: true, isLeftOut: true }
    const entry: NewTimelineEntry = { at, event: 'not_connected', device: device.name }
    return { done: true, isLeftOut: true, record: (tx) => insertTimeline(tx, userId, notificationId, entry) }
  }
  const isWritten = outcome === 'written'
  const entry: NewTimelineEntry = isWritten
    ? { at, event: 'push_accepted', device: device.name, sentAt }
    : { at, event: 'push_rejected', device: device.name, sentAt, detail: STALLED }
  return {
    done: true,
    accepted: isWritten,
    record: async (tx) => {
      if (isWritten && repeat !== undefined) await recordDelivery(tx, userId, notificationId, at)
      await insertTimeline(tx, userId, notificationId, entry)
      await recordPush(tx, userId, deviceId, { at, error: isWritten ? null : STALLED })
    },
  }
}
