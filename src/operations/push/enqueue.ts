// Enqueues the jobs that bring a notification to the devices, one for each: a push, or the wait for the device's event
// stream.
import type { UserId } from '../../domain/caller.ts'
import {
  type DeviceAddress,
  type DeviceId,
  isPushAddress,
  isStreamAddress,
  type PushAddress,
} from '../../domain/devices.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationPushKind, PreparedPush } from '../../domain/jobs.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { listAddresses, readForPush } from '../../store/devices/push-tokens.ts'
import type { Writer } from '../../store/engine/database.ts'
import { extendFeedsNow, findFeed } from '../../store/events/feeds.ts'
import { deleteJobs, enqueueClaimedJob, enqueueJob, type Job } from '../../store/jobs.ts'
import type { ClaimedJob } from '../context.ts'

// For a sender that waits: the jobs are claimed by this process, which runs the first attempt after the commit. The
// addresses may have been read before the transaction; a token that another account has registered since gets no push.
export async function enqueueClaimedPushes(
  tx: Writer,
  { notification, record }: Pick<PreparedPush, 'notification' | 'record'>,
  push: PushToAll,
  addresses: readonly DeviceAddress[],
  now: Instant,
): Promise<ClaimedJob[]> {
  if (addresses.length === 0) return []
  const { userId } = notification
  const tokens = addresses.filter(isPushAddress)
  extendFeedsNow(tx)
  const [{ unread, newest, areCurrent }, ...pushes] = await Promise.all([
    readForPush(tx, userId, tokens),
    ...tokens.map(async (address) => ({ address, job: await enqueueClaimedJob(tx, pushJob(push, address), now) })),
  ])
  const ours = areCurrent ? pushes : await atCurrentAddresses(tx, userId, pushes)
  const claimed: ClaimedJob[] = ours.map(({ address, job }) => ({
    job,
    prepared: { notification, address, unread, record },
  }))
  for (const { deviceId } of addresses.filter(isStreamAddress)) {
    claimed.push({ job: await enqueueClaimedJob(tx, streamJob(push, deviceId, newest), now) })
  }
  return claimed
}

type EnqueuedPush = { address: PushAddress; job: Job<NotificationPushKind> }

// A device that has registered again since gets its push at the new address.
async function atCurrentAddresses(tx: Writer, userId: UserId, pushes: EnqueuedPush[]): Promise<EnqueuedPush[]> {
  const slotOf = ({ deviceId, kind }: PushAddress) => `${kind} ${deviceId}`
  const addresses = (await listAddresses(tx, userId)).filter(isPushAddress)
  const current = new Map(addresses.map((address) => [slotOf(address), address]))
  const [ours, lost]: [EnqueuedPush[], Job[]] = [[], []]
  for (const { job, address: former } of pushes) {
    const address = current.get(slotOf(former))
    if (address) ours.push({ job, address })
    else lost.push(job)
  }
  await deleteJobs(tx, lost)
  return ours
}

// For a sender that does not wait: the workers claim the jobs. A stream is done once it has written the newest event, so that of
// the notification must have been appended.
export async function enqueueNotificationPushes(tx: Writer, push: PushToAll, now: Instant): Promise<void> {
  const addresses = await listAddresses(tx, push.userId)
  for (const address of addresses.filter(isPushAddress)) {
    await enqueueJob(tx, { ...pushJob(push, address), runAt: now })
  }
  const streams = addresses.filter(isStreamAddress)
  if (streams.length === 0) return
  extendFeedsNow(tx)
  const { newest } = await findFeed(tx, push.userId)
  for (const { deviceId } of streams) await enqueueJob(tx, { ...streamJob(push, deviceId, newest), runAt: now })
}

// `repeat` is 0 for the first push of an alert that repeats, and absent if the alert does not repeat.
type PushToAll = {
  userId: UserId
  notificationId: NotificationId
  collapseId?: string
  repeat?: number
  wokenAt?: Instant
}

export const pushJob = (push: PushToAll, { deviceId, kind }: Pick<PushAddress, 'deviceId' | 'kind'>) => ({
  kind: kind === 'bark' ? ('push-bark' as const) : ('push-notification' as const),
  payload: { deviceId, kind, ...push },
})

const streamJob = ({ userId, notificationId, repeat }: PushToAll, deviceId: DeviceId, event: number) =>
  ({ kind: 'confirm-stream', payload: { userId, notificationId, repeat, deviceId, event } }) as const
