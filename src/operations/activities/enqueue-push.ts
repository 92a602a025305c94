// Enqueues the pushes of an activity to devices.
import type { Activity } from '../../domain/activities/activity.ts'
import type { Instant } from '../../domain/instant.ts'
import { JOB_KEYS } from '../../domain/jobs.ts'
import type { Writer } from '../../store/engine/database.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { type Audience, type AudienceDevice, devicesOf } from './audience.ts'

export async function enqueueActivityPushes(
  tx: Writer,
  activity: Activity,
  audience: Pick<Audience, 'addresses'>,
  now: Instant,
): Promise<void> {
  for (const device of devicesOf(audience)) await enqueueActivityPush(tx, activity, device, now)
}

// At most one push waits per activity and device; it sends the newest state when it runs.
export async function enqueueActivityPush(
  tx: Writer,
  { id, userId }: Pick<Activity, 'id' | 'userId'>,
  device: AudienceDevice,
  now: Instant,
): Promise<void> {
  const recipientId = device.userId === userId ? undefined : device.userId
  const payload = { userId, activityId: id, deviceId: device.deviceId, recipientId }
  await enqueueJob(tx, { kind: 'push-activity', key: JOB_KEYS.activityPush(id, device), payload, runAt: now })
}
