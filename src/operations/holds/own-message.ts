// Sends a message about notifications that were held. It costs no quota, and it is read from the start: the notifications it
// tells of are what is unread.
import type { User } from '../../domain/accounts/account.ts'
import type { Instant } from '../../domain/instant.ts'
import type { IncomingNotification } from '../../domain/notifications/notification.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { Context } from '../context.ts'
import { enqueueNotificationPushes } from '../notifications/enqueue-pushes.ts'
import { composeMessage, storeNotification } from '../notifications/store.ts'

export async function sendOwnMessage(
  ctx: Context,
  tx: Writer,
  { id: userId, plan, holdsPushes }: User,
  input: IncomingNotification,
  now: Instant,
): Promise<void> {
  const sender = { userId, plan, keyId: null, holdsPushes }
  const message = { ...composeMessage(ctx, sender, input), isFree: true, isRead: true }
  const { notification, collapseId } = await storeNotification(tx, sender, message, now)
  await enqueueNotificationPushes(tx, { userId, notificationId: notification.id, collapseId }, now)
}
