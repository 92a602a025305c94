// Holds back the pushes that mutes and quiet hours do not let through, and records why.
import type { Sender, UserId } from '../../domain/caller.ts'
import { type Held, heldBy, heldDetail } from '../../domain/holds/hold.ts'
import { quietUntil } from '../../domain/holds/quiet-hours.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { insertHeld } from '../../store/holds/held-notifications.ts'
import { holdsPushes, readHoldRules } from '../../store/holds/hold-rules.ts'
import { findQuietHours } from '../../store/holds/quiet-hours.ts'
import { insertTimeline } from '../../store/notifications/timeline.ts'
import { enqueueDigest } from './digest-job.ts'
import { countHeld, holdableOf, type Sendable } from './storms.ts'

// The message as it is sent: one that is held is stored only, and costs nothing.
export async function withHolds<Message extends Sendable>(
  db: Reader,
  sender: Sender,
  message: Message,
  now: Instant,
): Promise<Message> {
  if (!message.push || !sender.holdsPushes) return message
  const held = heldBy(holdableOf(sender, message), await readHoldRules(db, sender.userId), now)
  return held ? { ...message, push: false, held } : message
}

// For a notification that is in the inbox already: an entry of a member, or one whose snooze has ended.
export async function heldNow(
  db: Reader,
  { userId, keyId, level, source, threadId }: Notification,
  isAlert: boolean,
  now: Instant,
): Promise<Held | undefined> {
  if (!(await holdsPushes(db, userId))) return undefined
  return heldBy({ level, source, threadId, keyId, isAlert, push: true }, await readHoldRules(db, userId), now)
}

// `device`: the one that was not pushed to, if not all of the account.
export async function recordHeld(
  tx: Writer,
  { userId, id, level }: Pick<Notification, 'userId' | 'id' | 'level'>,
  held: Held,
  now: Instant,
  device?: string,
): Promise<void> {
  await insertTimeline(tx, userId, id, { at: now, event: held.reason, device, detail: heldDetail(held, now) })
  if (held.reason === 'storm') await countHeld(tx, { userId, id, level }, held.shield, now)
  if (held.reason !== 'quiet_hours' || !held.isTold) return
  await insertHeld(tx, userId, id)
  await enqueueDigest(tx, userId, held.until)
}

// For what has no level, such as the sound of an activity.
export async function isQuiet(db: Reader, userId: UserId, now: Instant): Promise<boolean> {
  const hours = (await holdsPushes(db, userId)) ? await findQuietHours(db, userId) : undefined
  return hours !== undefined && quietUntil(hours, now) !== undefined
}
