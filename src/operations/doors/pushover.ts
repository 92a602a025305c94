// Pushover: sends its messages, shows its glances, and answers about users and receipts. The application is the integration
// key of the caller.
import { Problem } from '../../contract/problems.ts'
import type { WidgetContentPatch } from '../../contract/widgets.ts'
import type { QuotaEffect } from '../../domain/accounts/quota.ts'
import { forbiddenUrlReason } from '../../domain/address-rules.ts'
import type { Caller, KeyCaller } from '../../domain/caller.ts'
import type { Device, DeviceId } from '../../domain/devices.ts'
import { GLANCE_SLUG } from '../../domain/doors/pushover/glance.ts'
import { fromPushover, type PushoverApplication, type PushoverAttachment } from '../../domain/doors/pushover/mapping.ts'
import { type PushoverMessage, PushoverRefusal } from '../../domain/doors/pushover/message.ts'
import { notificationOfReceipt } from '../../domain/doors/pushover/receipt.ts'
import type { DoorRecord, NotificationId } from '../../domain/notifications/notification.ts'
import { requireLevel } from '../../domain/permissions.ts'
import type { Receipt } from '../../domain/receipts/receipt.ts'
import { listDevices } from '../../store/devices/devices.ts'
import { findDoorRecord } from '../../store/doors/records.ts'
import { findDefaultKey } from '../../store/keys.ts'
import type { Context } from '../context.ts'
import { sendNotification } from '../notifications/send.ts'
import { cancelReceipt, readReceipt } from '../receipts/receipts.ts'
import { patchWidget, putWidget } from '../widgets/widgets.ts'

// `quota`: undefined if the message was not charged.
export type SentFromPushover = { notificationId: NotificationId; quota?: QuotaEffect }

export async function sendFromPushover(
  ctx: Context,
  caller: Caller,
  message: PushoverMessage,
  attachment: PushoverAttachment | undefined,
): Promise<SentFromPushover> {
  requireLevel(caller, 'notifications', 'send')
  requireCallback(ctx, message)
  const application = caller.kind === 'key' ? applicationOf(caller) : await findDefaultApplication(ctx, caller)
  const onlyDevices = await findNamedDevices(ctx, caller, message.device)
  const sent = await sendNotification(ctx, caller, {
    ...fromPushover(message, application, attachment),
    onlyDevices,
  })
  if (!('result' in sent)) throw new Error('a send without an Idempotency-Key was replayed')
  const { notification, quota } = sent.result
  return { notificationId: notification.id, quota }
}

// Unlike ours it may be plain http, which reaches only addresses that the operator has opened.
function requireCallback({ config }: Context, { callback }: PushoverMessage): void {
  const reason = callback === undefined ? undefined : forbiddenUrlReason(callback, config.outboundAllow, false)
  if (reason !== undefined) throw new PushoverRefusal('callback', 'is invalid', `callback ${reason}`)
}

const applicationOf = ({ keyId, keyName }: KeyCaller): PushoverApplication => ({ id: keyId, name: keyName })

// A person sends as their default key.
async function findDefaultApplication({ db }: Context, { userId }: Caller): Promise<PushoverApplication> {
  const key = await findDefaultKey(db.read, userId)
  return { id: key?.id ?? userId, name: key?.name ?? 'Pushover' }
}

// Shows a glance of Pushover as a widget, which the first glance creates.
export async function showGlance(ctx: Context, caller: Caller, content: WidgetContentPatch): Promise<void> {
  try {
    await patchWidget(ctx, caller, GLANCE_SLUG, { patch: { content }, mode: 'commit' })
  } catch (error) {
    if (!(error instanceof Problem && error.problem === 'widget.not_found')) throw error
    const whole = { template: 'value', ...content } as Parameters<typeof putWidget>[2]['content']
    await putWidget(ctx, caller, { slug: GLANCE_SLUG, name: 'Glance', content: whole }, 'commit')
  }
}

// Receipts of emergency messages for their senders.
const NO_WAIT = { seconds: 0, gone: new AbortController().signal }

// `record` is undefined once the notification has been deleted.
export async function findPushoverReceipt(
  ctx: Context,
  caller: Caller,
  receiptId: string,
): Promise<{ receipt: Receipt; record?: DoorRecord }> {
  const id = requireNotification(receiptId)
  const receipt = await readReceipt(ctx, caller, id, NO_WAIT)
  return { receipt, record: await findDoorRecord(ctx.db.read, receipt.userId, id) }
}

export async function cancelPushoverReceipt(ctx: Context, caller: Caller, receiptId: string): Promise<void> {
  await cancelReceipt(ctx, caller, requireNotification(receiptId))
}

function requireNotification(receiptId: string): NotificationId {
  const id = notificationOfReceipt(receiptId)
  if (id !== undefined) return id
  throw new Problem('notification_receipt.not_found', 'There is no such receipt.')
}

// The devices that senders of Pushover name: the token decides the account.
export async function validateUser(ctx: Context, caller: Caller, device: string | undefined): Promise<Device[]> {
  requireLevel(caller, 'notifications', 'send')
  const devices = await listDevices(ctx.db.read, caller.userId)
  if (!device || devicesNamed(devices, device).length > 0) return devices
  throw new PushoverRefusal('device', 'invalid for this user', 'device name is not valid for this user')
}

// Undefined for all: the sender names none, or none that the account has.
export async function findNamedDevices(
  ctx: Context,
  { userId }: Caller,
  names: string | undefined,
): Promise<DeviceId[] | undefined> {
  const named = names ? devicesNamed(await listDevices(ctx.db.read, userId), names) : []
  return named.length > 0 ? named.map(({ id }) => id) : undefined
}

// `names`: separated by commas, in upper or lower case.
function devicesNamed(devices: Device[], names: string): Device[] {
  const wanted = names.split(',').map((name) => name.trim().toLowerCase())
  return devices.filter(({ name }) => wanted.includes(name.toLowerCase()))
}
