// Stores a notification in the inbox, for requests and schedules alike: charges the quota and writes the rows and the
// event, all in the caller's transaction.
import { Problem } from '../../contract/problems.ts'
import type { QuotaEffect } from '../../domain/accounts/quota.ts'
import { answerableActions, isAnswerable } from '../../domain/answers/answer.ts'
import { type Caller, type Sender, type Shield, senderOf } from '../../domain/caller.ts'
import type { DeviceAddress } from '../../domain/devices.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { Held } from '../../domain/holds/hold.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { type Acknowledgement, acknowledgementOf } from '../../domain/notifications/acknowledge.ts'
import { fileIdsOf } from '../../domain/notifications/attachments.ts'
import { draftNotification } from '../../domain/notifications/draft.ts'
import type {
  DoorRecord,
  Expiry,
  IncomingNotification,
  Notification,
  NotificationDraft,
  NotificationId,
} from '../../domain/notifications/notification.ts'
import { limitOf, openInside } from '../../domain/organizations/limit.ts'
import type { Addressing } from '../../domain/organizations/send.ts'
import { type Receipt, receiptCollapseId } from '../../domain/receipts/receipt.ts'
import { findActivity } from '../../store/activities/activities.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { appendEvents } from '../../store/events/feeds.ts'
import { attachToNotification } from '../../store/files/files.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { insertAnswer } from '../../store/notifications/answers.ts'
import { insertNotification, insertReservedNow } from '../../store/notifications/insert.ts'
import { insertTimeline } from '../../store/notifications/timeline.ts'
import type { Context } from '../context.ts'
import { enqueueEmail, storeEmail } from '../emails/store.ts'
import { recordHeld } from '../holds/hold.ts'
import { countInStorms } from '../holds/storms.ts'
import { charge, chargeAndReport } from '../quota.ts'
import { endReceipts } from '../receipts/end.ts'
import { checkReceipt, openReceipt } from '../receipts/open.ts'

// A request that has passed every rule that needs no database.
// `to`: of an organization, the members whom it reaches. `isFree`: sent by the server itself and not counted. `isRead`: from the start, as what an
// organization sends, which has no inbox. `resolves`: the notification of the alert whose end this one tells, which ends its receipt.
// `shields`: the storm shields that count its push. `reportsQuota`: the sender is told what is left of its quota.
// `addresses`, `reservedId`: the devices of the person and the id of the notification, if they were read before the transaction. `noReceipt`: why an alert that asked for a receipt has none.
export type Message = {
  draft: NotificationDraft
  push: boolean
  to?: Addressing
  collapseId?: string
  acknowledge?: Acknowledgement
  isFree?: boolean
  isRead?: boolean
  door?: DoorRecord
  held?: Held
  shields?: Shield[]
  resolves?: NotificationId
  reportsQuota?: boolean
  expiry?: Expiry
  email?: IncomingNotification['email']
  addresses?: readonly DeviceAddress[]
  reservedId?: NotificationId
  noReceipt?: string
}

// `collapseId` is the one that pushes carry. `quota`: after the charge, if the message reports it and was charged.
export type Stored = {
  notification: Notification
  receipt?: Receipt
  collapseId?: string
  held?: Held
  quota?: QuotaEffect
}

// Makes the events that are appended after that of the notification.
export type Alongside = (id: NotificationId) => NewEvent[]

// For a request. `sender`: unless the caller sends itself. An organization gives a target; its members hold keys of their
// own, which it does not have, so it cannot encrypt.
export function composeRequest(
  ctx: Context,
  caller: Caller,
  input: IncomingNotification,
  sender: Pick<Sender, 'keyId' | 'shield'> = senderOf(caller),
): Message {
  const sounding = withSoundOf(caller, input)
  if (caller.accountKind !== 'organization') return composeMessage(ctx, sender, sounding)
  if (input.encrypted) {
    throw new Problem('notification.encryption_unavailable', 'An organization cannot send encrypted notifications.')
  }
  const { target: _, ...rest } = sounding
  return composeMessage(ctx, sender, rest)
}

// A key may have a sound for what it sends. It does not silence a critical alert.
function withSoundOf(caller: Caller, input: IncomingNotification): IncomingNotification {
  if (caller.kind !== 'key' || caller.sound === null || input.sound) return input
  return caller.sound === 'none' && input.level === 'critical' ? input : { ...input, sound: caller.sound }
}

export function composeMessage(
  ctx: Context,
  { keyId, shield }: Pick<Sender, 'keyId' | 'shield'>,
  input: IncomingNotification,
): Message {
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
    noReceipt: input.noReceipt,
    door: input.door,
    reportsQuota: input.reportsQuota,
    expiry: input.expiry,
    email: input.email,
    // That of the hook comes first: it is the one that its own messages reach.
    shields: [input.shield, shield].filter((one) => one !== undefined),
  }
}

export async function requireActivity(db: Reader, caller: Caller, slug: string | undefined): Promise<void> {
  if (slug === undefined || openInside(limitOf(caller), await findActivity(db, caller.userId, slug))) return
  throw new Problem('notification.activity_not_found', `There is no activity "${slug}".`)
}

// Checks the escalation policy, the receipt cap and the quota before its first write, so a caller can catch each of these
// problems and continue the transaction, unless the message has an e-mail.
export async function storeNotification(
  tx: Writer,
  sender: Sender,
  message: Message,
  now: Instant,
  alongside: Alongside = () => [],
): Promise<Stored> {
  const { userId, keyId } = sender
  const { draft, collapseId, acknowledge, isFree, isRead = false, door, resolves, expiry, email, reservedId } = message
  const { noReceipt } = message
  const checked = acknowledge && (await checkReceipt(tx, sender, acknowledge, collapseId))
  if (email) await enqueueEmail(tx, await storeEmail(tx, sender, email, now), now)
  const { push, held } = await countInStorms(tx, sender, message, now)
  const quota = push && !isFree ? await pay(tx, sender, message, now) : undefined
  // V8 copies an object quickly only if the literal begins with it.
  const row = { ...draft, userId, keyId, pushed: push, createdAt: now, readAt: isRead ? now : null }
  const { id, bytes } = await insertNotification(tx, row, { door, collapseId, reservedId })
  const notification = { ...row, id }
  const files = fileIdsOf(draft.attachments)
  const actions = answerableActions(draft)
  const hasMore = files.length + actions.length > 0 || checked || held || noReceipt !== undefined
  // What follows refers to its row.
  if (hasMore) insertReservedNow(tx)
  if (files.length > 0) await attachToNotification(tx, userId, files, id)
  if (actions.length > 0) {
    const hasReceipt = acknowledge !== undefined
    await insertAnswer(tx, { notificationId: id, userId, keyId, actions }, { hasReceipt }, now)
  }
  if (checked) await endReceipts(tx, checked.superseded, { status: 'canceled', reason: 'superseded' }, now)
  if (resolves !== undefined) {
    await endReceipts(tx, [{ userId, notificationId: resolves }], { status: 'canceled', reason: 'resolved' }, now)
  }
  if (expiry) await enqueueExpiry(tx, notification, expiry, now)
  if (noReceipt !== undefined) await insertTimeline(tx, userId, id, { at: now, event: 'no_receipt', detail: noReceipt })
  // Enqueues a job with a key, which is locked before the feed.
  if (held) await recordHeld(tx, notification, held, now)
  const created: NewEvent = { type: 'notification.created', at: now, data: { id } }
  await appendEvents(tx, userId, [created, ...alongside(id)], { unread: isRead ? 0 : 1, bytes })
  if (!acknowledge || !checked) return { notification, collapseId, held, quota }
  const receipt = await openReceipt(tx, notification, { ...checked, acknowledge, collapseId })
  return { notification, receipt, collapseId: receiptCollapseId(receipt), quota }
}

async function enqueueExpiry(
  tx: Writer,
  { userId, id: notificationId }: Notification,
  { afterSeconds, keepsBanners }: Expiry,
  now: Instant,
): Promise<void> {
  const payload = { userId, notificationId, keepsBanners }
  await enqueueJob(tx, { kind: 'delete-notification', payload, runAt: plusSeconds(now, afterSeconds) })
}

async function pay(
  tx: Writer,
  sender: Sender,
  { reportsQuota }: Message,
  now: Instant,
): Promise<QuotaEffect | undefined> {
  if (reportsQuota) return chargeAndReport(tx, sender, 'notifications', now)
  await charge(tx, sender, 'notifications', now)
}
