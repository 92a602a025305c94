// Turns the events of an account into news for apps of other services.
import {
  type AppMessage,
  type AppNews,
  type AppWithdrawal,
  type MessageName,
  NEWS_EVENTS,
} from '../../domain/apps/news.ts'
import type { UserId } from '../../domain/caller.ts'
import { levelOfAlert } from '../../domain/escalations/progress.ts'
import type { AccountEvent } from '../../domain/event.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Notification, NotificationId } from '../../domain/notifications/notification.ts'
import { isRepeatWanted } from '../../domain/receipts/receipt.ts'
import { findMessageRecord, listMessageNames, listReadAt } from '../../store/doors/app-messages.ts'
import type { Reader } from '../../store/engine/database.ts'
import { listEventsOfTypes } from '../../store/feeds.ts'
import { findNotification } from '../../store/notifications/notifications.ts'
import { findMembership } from '../../store/organizations/memberships.ts'
import { findReceipt } from '../../store/receipts.ts'
import { heldNow } from '../holds/hold.ts'

// An event row has at most about 5 KB.
const PAGE = 50

export const listNewsEvents = (db: Reader, userId: UserId, after: number) =>
  listEventsOfTypes(db, userId, { after, types: NEWS_EVENTS, limit: PAGE })

// Apps show no more messages than these.
const CLEARED_AT_ONCE = 100

// News of a notification that was deleted since are left out; its deletion is an event of its own.
export async function newsOf(db: Reader, userId: UserId, event: AccountEvent, now: Instant): Promise<AppNews[]> {
  switch (event.type) {
    case 'notification.created':
      return messageOf(db, userId, event, { id: event.data.id, repeat: 0 }, now)
    case 'receipt.repeated':
    case 'receipt.escalated':
      return repeated(db, userId, event, now)
    case 'notification.read': {
      const { data } = event
      const ids = 'ids' in data ? data.ids : await listReadAt(db, userId, event.at, CLEARED_AT_ONCE)
      return cleared(event, await listMessageNames(db, userId, ids.slice(0, CLEARED_AT_ONCE)))
    }
    case 'notification.answered':
    case 'receipt.acknowledged':
    case 'receipt.canceled':
      return cleared(event, await listMessageNames(db, userId, [event.data.id]))
    case 'notification.deleted':
      return deleted(db, userId, event)
    default:
      return []
  }
}

type Moment = Pick<AccountEvent, 'number' | 'at'>

async function messageOf(
  db: Reader,
  userId: UserId,
  { number, at }: Moment,
  { id, repeat }: { id: NotificationId; repeat: number },
  now: Instant,
): Promise<AppMessage[]> {
  const notification = await findNotification(db, userId, id)
  if (!notification) return []
  const record = await findMessageRecord(db, notification)
  const sequence = record?.door === 'ntfy' ? record.sequence : undefined
  const name = { notificationId: id, source: notification.source, sequence, repeat }
  const isSilent = !notification.pushed || (await isHeldForMember(db, notification, now))
  return [{ kind: 'message', event: number, at, name, notification, record, isSilent }]
}

// Members who have muted the organization, or whose own mutes or quiet hours hold it, get no push, either.
async function isHeldForMember(db: Reader, entry: Notification, now: Instant): Promise<boolean> {
  const { org, userId } = entry
  if (!org) return false
  const membership = await findMembership(db, org.id, userId)
  if (membership?.mutedUntil != null && membership.mutedUntil > now) return true
  const isAlert = (await findReceiptOf(db, entry)) !== undefined
  return (await heldNow(db, entry, isAlert, now)) !== undefined
}

// A step of an escalation policy is a repeat, too. The message before is deleted even if nobody wants this repeat any more: an app that was offline still shows it.
async function repeated(
  db: Reader,
  userId: UserId,
  event: Extract<AccountEvent, { type: 'receipt.repeated' | 'receipt.escalated' }>,
  now: Instant,
): Promise<AppNews[]> {
  const { id, repeats_sent: repeat } = event.data
  const [name] = await listMessageNames(db, userId, [id])
  if (!name) return []
  const before = withdrawal('delete', event, { ...name, repeat: repeat - 1 })
  const [message] = await messageOf(db, userId, event, { id, repeat }, now)
  const receipt = message && (await findReceiptOf(db, message.notification))
  if (!receipt || !isRepeatWanted(receipt, repeat, now)) return [before]
  const { notification } = message
  return [before, { ...message, notification: { ...notification, level: levelOfAlert(notification.level, receipt) } }]
}

const findReceiptOf = (db: Reader, { org, userId, id }: Notification) =>
  findReceipt(db, org?.id ?? userId, org?.notificationId ?? id)

const cleared = (event: Moment, names: MessageName[]): AppNews[] =>
  names.map((name) => withdrawal('clear', event, name))

// The receipt of a person outlives its notification, so it tells which repeat the phone shows.
async function deleted(
  db: Reader,
  userId: UserId,
  event: Extract<AccountEvent, { type: 'notification.deleted' }>,
): Promise<AppNews[]> {
  const { id, source, sequence } = event.data
  const repeat = (await findReceipt(db, userId, id))?.repeatsSent ?? 0
  const name = { notificationId: id, source, sequence }
  const repeats = repeat > 0 ? [0, repeat] : [0]
  return repeats.map((one) => withdrawal('delete', event, { ...name, repeat: one }))
}

const withdrawal = (kind: AppWithdrawal['kind'], { number, at }: Moment, name: MessageName): AppWithdrawal => ({
  kind,
  event: number,
  at,
  name,
})
