// What every send of a schedule does, whether it is due or a person sends it now: composes the notification, pushes it, and
// reports the delivery on the schedule.
import type { Sender } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { Held } from '../../domain/holds/hold.ts'
import type { Instant } from '../../domain/instant.ts'
import { attached } from '../../domain/notifications/attachments.ts'
import { deliveryOf } from '../../domain/notifications/delivery.ts'
import type { IncomingNotification, NotificationId } from '../../domain/notifications/notification.ts'
import type { Organization } from '../../domain/organizations/organization.ts'
import type { Due, Schedule } from '../../domain/schedules/schedule.ts'
import { findActivity } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { ClaimedJob, Context } from '../context.ts'
import { PUSH_PATIENCE_MS } from '../notifications/account.ts'
import { composeMessage, type Message } from '../notifications/store.ts'
import { writeReport } from './report.ts'
import { targetWhenSent } from './target.ts'

// What the transaction did, for the pushes and the report after it.
// `sentAs`: undefined if nothing was sent.
export type Done = Due & { schedule: Schedule; pushes: ClaimedJob[]; sentAs?: 'sent' | Held['reason']; sentAt: Instant }

// If an organization sends it, with the target that it has now.
export async function composeScheduled(
  ctx: Context,
  tx: Writer,
  sender: Sender,
  schedule: Schedule,
  org: Organization | undefined,
): Promise<Message> {
  const { target = null, ...input } = await withoutLostActivity(tx, schedule)
  const composed = composeMessage(ctx, sender, input)
  // Files that were deleted since are left out.
  const files = input.files?.filter(({ expiresAt = Infinity }) => expiresAt > ctx.clock.now())
  const message = { ...composed, draft: attached(composed.draft, files) }
  return org ? { ...message, to: { target, targetIds: await targetWhenSent(tx, schedule) } } : message
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
async function withoutLostActivity(tx: Writer, { userId, input }: Schedule): Promise<IncomingNotification> {
  const { activity_slug, ...rest } = input
  return activity_slug && (await findActivity(tx, userId, activity_slug)) ? input : rest
}
