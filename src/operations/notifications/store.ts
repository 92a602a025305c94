// Puts a notification into the inbox, whoever sends it and whenever: paid for, stored, announced, and with one push job
// per device, all in the caller's transaction.

import type { NotificationInput } from '../../contract/notification.ts'
import { Problem } from '../../contract/problems.ts'
import type { Sender, UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/device.ts'
import type { NewEvent } from '../../domain/event.ts'
import type { Instant } from '../../domain/instant.ts'
import {
  answerableActions,
  draftNotification,
  isAnswerable,
  type Notification,
  type NotificationDraft,
  type NotificationId,
} from '../../domain/notifications/notification.ts'
import { type Acknowledgement, acknowledgementOf } from '../../domain/receipts/acknowledge.ts'
import { type Receipt, receiptCollapseId } from '../../domain/receipts/receipt.ts'
import { findActivity } from '../../store/activities/activities.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { appendEvents, findFeed } from '../../store/feeds.ts'
import { deleteJobs, enqueueClaimedJob, enqueueJob, type Job, type NewJob } from '../../store/jobs.ts'
import { insertAnswer } from '../../store/notifications/answers.ts'
import { insertNotification } from '../../store/notifications/notifications.ts'
import {
  type Address,
  type DeviceToken,
  isPushAddress,
  isStreamAddress,
  listAddresses,
  readForPush,
} from '../../store/push-tokens.ts'
import type { Context } from '../context.ts'
import { charge } from '../quota.ts'
import { endReceipts } from '../receipts/end.ts'
import { admitReceipt, openReceipt } from '../receipts/open.ts'

// A request that has passed every rule which needs no database.
// `isFree`: sent by ourselves, and not counted.
export type Message = {
  draft: NotificationDraft
  push: boolean
  collapseId?: string
  acknowledge?: Acknowledgement
  isFree?: boolean
}

// `collapseId` is the one to push with.
export type Stored = {
  notification: Notification
  receipt?: Receipt
  collapseId?: string
}

// What the first attempt to push need not read again. `unread` is shown on the app's badge.
export type KnownToPush = { notification: Notification; address: DeviceToken; unread: number }

export function composeMessage(ctx: Context, { keyId }: Sender, input: NotificationInput): Message {
  const { config } = ctx
  if (input.acknowledge && !(config.acknowledge && config.answers)) {
    throw new Problem('notification_receipt.disabled', 'This server records no acknowledgements; send it without.')
  }
  const draft = draftNotification(input, { isKey: keyId !== null, outboundAllow: config.outboundAllow })
  if (!config.answers && isAnswerable(draft)) {
    throw new Problem(
      'notification.answer_url_unavailable',
      'This server does not record answers; give every action a url.',
    )
  }
  if (draft.encrypted && !ctx.push.fits(draft)) {
    throw new Problem('notification.encrypted_too_large', 'The envelope and the rest do not fit into a push of 4 KB.')
  }
  return {
    draft,
    push: input.push ?? true,
    collapseId: input.collapse_id || undefined,
    acknowledge: acknowledgementOf(input),
  }
}

export async function requireActivity(db: Reader, userId: UserId, slug: string | undefined): Promise<void> {
  if (slug === undefined || (await findActivity(db, userId, slug))) return
  throw new Problem('notification.activity_not_found', `There is no activity "${slug}".`)
}

// Pays before it writes: whoever plans ahead goes on in the same transaction when there is no quota left. `alongside` are
// events of the same step, told after that of the notification.
export async function storeNotification(
  tx: Writer,
  sender: Sender,
  { draft, push, collapseId, acknowledge, isFree }: Message,
  now: Instant,
  alongside: (id: NotificationId) => NewEvent[] = () => [],
): Promise<Stored> {
  const { userId, keyId } = sender
  const admission = acknowledge && (await admitReceipt(tx, sender, collapseId))
  if (push && !isFree) await charge(tx, sender, 'notifications', now)
  const row = { userId, keyId, pushed: push, createdAt: now, ...draft }
  const { id, bytes } = await insertNotification(tx, row)
  const notification = { id, readAt: null, ...row }
  const actions = answerableActions(draft)
  if (actions.length > 0) await insertAnswer(tx, { notificationId: id, userId, keyId, actions }, now)
  if (admission) await endReceipts(tx, admission.superseded, { status: 'canceled', reason: 'superseded' }, now)
  const created: NewEvent = { type: 'notification.created', at: now, data: { id } }
  await appendEvents(tx, userId, [created, ...alongside(id)], { unread: 1, bytes })
  if (!acknowledge) return { notification, collapseId }
  const receipt = await openReceipt(tx, notification, { acknowledge, collapseId, keyHash: admission?.keyHash })
  return { notification, receipt, collapseId: receiptCollapseId(receipt) }
}

// Claimed by us: the first attempt runs while the sender waits. The addresses may have been read before the transaction:
// one that another account has registered since gets nothing.
export async function enqueuePushes(
  tx: Writer,
  { notification, receipt, collapseId }: Stored,
  addresses: readonly Address[],
  now: Instant,
): Promise<Job[]> {
  if (addresses.length === 0) return []
  const { id: notificationId, userId } = notification
  const push = { userId, notificationId, collapseId, repeat: receipt?.repeatsSent }
  const tokens = addresses.filter(isPushAddress)
  const [{ unread, newest, areCurrent }, ...pushes] = await Promise.all([
    readForPush(tx, userId, tokens),
    ...tokens.map(async (address) => ({
      address,
      job: await enqueueClaimedJob(tx, pushJob(push, address), now),
    })),
  ])
  const ours = areCurrent ? pushes : await atCurrentAddresses(tx, userId, pushes)
  const jobs: Job[] = ours.map(({ address, job }) => {
    const known: KnownToPush = { notification, address, unread }
    return { known, ...job }
  })
  for (const { deviceId } of addresses.filter(isStreamAddress)) {
    jobs.push(await enqueueClaimedJob(tx, streamJob(push, deviceId, newest), now))
  }
  return jobs
}

type EnqueuedPush = { address: DeviceToken; job: Job }

// A device that has registered anew since gets its push at its new address.
async function atCurrentAddresses(tx: Writer, userId: UserId, pushes: EnqueuedPush[]): Promise<EnqueuedPush[]> {
  const slotOf = ({ deviceId, kind }: DeviceToken) => `${kind} ${deviceId}`
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

// For senders that do not wait. The event that tells of it has been appended: streams are done once they have written it.
export async function enqueuePushesLater(tx: Writer, push: Push, now: Instant): Promise<void> {
  const addresses = await listAddresses(tx, push.userId)
  const streams = addresses.filter(isStreamAddress)
  const { newest } = streams.length > 0 ? await findFeed(tx, push.userId) : { newest: 0 }
  const jobs = [
    ...addresses.filter(isPushAddress).map((address) => pushJob(push, address)),
    ...streams.map(({ deviceId }) => streamJob(push, deviceId, newest)),
  ]
  for (const job of jobs) await enqueueJob(tx, { ...job, runAt: now })
}

// `repeat` is 0 for the first push of an alert that repeats, and absent where nothing does.
type Push = { userId: UserId; notificationId: NotificationId; collapseId?: string; repeat?: number }

const pushJob = (push: Push, { deviceId, kind }: DeviceToken): Pick<NewJob, 'kind' | 'payload'> => ({
  kind: 'push-notification',
  payload: { deviceId, kind, ...push },
})

// `event`: the number of the event that tells of the notification.
export type StreamDelivery = Pick<Push, 'userId' | 'notificationId' | 'repeat'> & { deviceId: DeviceId; event: number }

function streamJob(
  { userId, notificationId, repeat }: Push,
  deviceId: DeviceId,
  event: number,
): Pick<NewJob, 'kind' | 'payload'> {
  const payload: StreamDelivery = { userId, notificationId, repeat, deviceId, event }
  return { kind: 'confirm-stream', payload }
}
