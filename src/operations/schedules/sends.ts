// What every send of a schedule does, whether it is due or a person sends it now: stores the notification, pushes it, and
// reports the delivery on the schedule.
import type { Sender } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { Held } from '../../domain/holds/hold.ts'
import type { Instant } from '../../domain/instant.ts'
import { deliveryOf } from '../../domain/notifications/delivery.ts'
import type { IncomingNotification, Notification, NotificationId } from '../../domain/notifications/notification.ts'
import type { Organization } from '../../domain/organizations/organization.ts'
import type { Due, Schedule } from '../../domain/schedules/schedule.ts'
import { findActivity } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { listAddresses } from '../../store/push-tokens.ts'
import type { ClaimedJob, Context } from '../context.ts'
import { withHolds } from '../holds/hold.ts'
import { enqueueClaimedPushes } from '../notifications/enqueue-pushes.ts'
import { PUSH_PATIENCE_MS } from '../notifications/patience.ts'
import { type Message, storeNotification } from '../notifications/store.ts'
import { targetWhenSent } from '../organizations/sends/schedules.ts'
import { enqueueFirstPushes } from '../organizations/sends/send.ts'
import { type Addressing, type OrgSender, storeOrgSend } from '../organizations/sends/store.ts'
import { writeReport } from './report.ts'

// What the transaction did, for the pushes and the report after it.
// `sentAs`: undefined if nothing was sent.
export type Done = Due & { schedule: Schedule; pushes: ClaimedJob[]; sentAs?: 'sent' | Held['reason']; sentAt: Instant }

export type StoredWithPushes = { notification: Notification; pushes: ClaimedJob[]; held?: Held }
export type Alongside = (id: NotificationId) => NewEvent[]
// Stores the notification of a schedule and enqueues its pushes.
export type Store = (
  tx: Writer,
  sender: Sender,
  message: Message,
  now: Instant,
  alongside: Alongside,
) => Promise<StoredWithPushes>

const storeForPerson: Store = async (tx, sender, message, now, alongside) => {
  const heard = await withHolds(tx, sender, message, now)
  const stored = await storeNotification(tx, sender, heard, now, alongside)
  const { notification, held } = stored
  const addresses = heard.push ? await listAddresses(tx, sender.userId) : []
  return { notification, held, pushes: await enqueueClaimedPushes(tx, stored, addresses, now) }
}

const storerFor =
  (addressing: Addressing): Store =>
  async (tx, sender, message, now, alongside) => {
    const sent = await storeOrgSend(tx, sender as OrgSender, message, addressing, now, alongside)
    return { notification: sent.stored.notification, pushes: await enqueueFirstPushes(tx, sent, now) }
  }

export const storeOf = async (tx: Writer, schedule: Schedule, org: Organization | undefined): Promise<Store> =>
  org ? storerFor(await addressingOf(tx, schedule)) : storeForPerson

async function addressingOf(tx: Writer, schedule: Schedule): Promise<Addressing> {
  return { target: schedule.input.target ?? null, targetIds: await targetWhenSent(tx, schedule) }
}

export function sentEvent({ id }: Schedule, notificationId: NotificationId, due: Due, at: Instant): NewEvent {
  const data = { id, notification_id: notificationId, ...(due.skipped > 0 && { skipped: due.skipped }) }
  return { type: 'schedule.sent', at, data }
}

export async function pushAndReport(
  ctx: Context,
  { schedule, pushes, skipped, sentAs: outcome, sentAt }: Done,
): Promise<void> {
  const { userId, keyId, id, notificationId, input } = schedule
  if (outcome) ctx.dailyCounts.noteSent({ userId, keyId, source: input.source }, outcome, sentAt)
  if (skipped > 0) ctx.log.warn({ schedule: id, skipped }, 'not everything a schedule was due for was sent')
  if (pushes.length === 0 || notificationId === null) return
  const delivery = deliveryOf(await ctx.runNow(pushes, PUSH_PATIENCE_MS), true)
  await ctx.db.transact((tx) => writeReport(tx, { userId, id, notificationId }, delivery))
}

// The activity was there when the schedule was created. If it has been deleted since, the notification is sent without the
// link.
export async function withoutLostActivity(tx: Writer, { userId, input }: Schedule): Promise<IncomingNotification> {
  const { activity_slug, ...rest } = input
  return activity_slug && (await findActivity(tx, userId, activity_slug)) ? input : rest
}
