// Records whether a device without a push channel got a notification over its event stream. The stream sends the event;
// this job waits until it is written. It is not repeated: a device resumes its stream when it reconnects.
import { isApp } from '../../domain/devices.ts'
import { PUSH_DEADLINE_MS } from '../../domain/push.ts'
import { findDevice, recordPush } from '../../store/devices/devices.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { insertTimeline, type NewTimelineEntry } from '../../store/notifications/timeline.ts'
import { recordDelivery } from '../../store/receipts.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { untilWritten } from './stream-written.ts'

// What the timeline says of the app of another service.
const DELIVERED_TO_APP = 'delivered to the app'
const APP_NOT_CONNECTED = 'the app was not connected'
const STALLED = 'the device does not read its event stream'

export async function confirmStream(ctx: JobContext, { payload }: Job<'confirm-stream'>): Promise<JobResult> {
  const { userId, notificationId, deviceId, repeat } = payload
  const sentAt = ctx.clock.now()
  const written = await untilWritten(ctx, payload, PUSH_DEADLINE_MS)
  const device = await findDevice(ctx.db.read, userId, deviceId)
  if (!device) return { done: true, outcome: 'left_out' }
  const at = ctx.clock.now()
  const outcome = written === 'stalled' ? 'refused' : written === 'written' ? 'accepted' : 'not_connected'
  ctx.dailyCounts.noteDelivery({ userId, deviceId }, outcome, at)
  if (written === 'not_connected') {
    const detail = isApp(device) ? APP_NOT_CONNECTED : undefined
    const entry: NewTimelineEntry = { at, event: 'not_connected', device: device.name, detail }
    return {
      done: true,
      outcome: 'left_out',
      record: async (tx) => {
        // The timeline says so once, not with every repeat of an alert.
        if (!repeat) await insertTimeline(tx, userId, notificationId, entry)
        // It may be an iPhone, which is never connected.
        if (ctx.config.ntfyUpstream && device.platform === 'ntfy') {
          await enqueueJob(tx, { kind: 'request-poll', payload: { userId, notificationId, deviceId }, runAt: at })
        }
      },
    }
  }
  const isWritten = written === 'written'
  const entry: NewTimelineEntry = isWritten
    ? {
        at,
        event: 'push_accepted',
        device: device.name,
        sentAt,
        detail: isApp(device) ? DELIVERED_TO_APP : undefined,
      }
    : { at, event: 'push_rejected', device: device.name, sentAt, detail: STALLED }
  return {
    done: true,
    outcome: isWritten ? 'accepted' : 'refused',
    record: async (tx) => {
      if (isWritten && repeat !== undefined) await recordDelivery(tx, userId, notificationId, at)
      await insertTimeline(tx, userId, notificationId, entry)
      await recordPush(tx, userId, deviceId, { at, error: isWritten ? null : STALLED })
    },
  }
}
