// The inbox as Gotify's apps read it: pages of messages, newest first.

import { isAnswerable } from '../../../domain/answers/answer.ts'
import { makeTicket } from '../../../domain/answers/answer-ticket.ts'
import type { AppCaller, Caller, UserId } from '../../../domain/caller.ts'
import { decodeCursor } from '../../../domain/cursor.ts'
import { type ShownMessage, shownInGotify } from '../../../domain/doors/gotify/shown.ts'
import type { Notification, NotificationId } from '../../../domain/notifications/notification.ts'
import { requireApp } from '../../../domain/permissions.ts'
import { listMessageExtras, type MessageExtras } from '../../../store/apps/messages.ts'
import { listRecordSizes } from '../../../store/doors/gotify.ts'
import type { Context } from '../../context.ts'
import { readNotifications } from '../../notifications/inbox-pages.ts'
import { applicationFinder, filterOfApplication } from './applications.ts'

export type NumberedMessage = ShownMessage & { number: number }

// `next`: the number below which the next page begins; undefined on the last page.
export type MessagePage = { messages: NumberedMessage[]; next: number | undefined }

// `below`: only messages with lower numbers. `application`: only those of this application.
export type WhichMessages = { below: number | undefined; limit: number; application: number | undefined }

// A page with large messages has fewer of them than `limit`, and at least one.
const PAGE_CHARS = 1_000_000

export async function readMessages(
  ctx: Context,
  caller: Caller,
  publicUrl: string,
  { below, limit, application }: WhichMessages,
): Promise<MessagePage> {
  requireApp(caller, 'gotify')
  const { userId } = caller
  const filter = await filterOfApplication(ctx, userId, application)
  const before = below as NotificationId | undefined
  const page = await readNotifications(ctx, userId, filter, { before, limit })
  const shown = await fittingInPage(ctx, userId, page.items)
  const extras = await ctx.slices(userId, () =>
    listMessageExtras(
      ctx.db.read,
      userId,
      shown.map(({ id }) => id),
      'gotify',
    ),
  )
  const show = messageReader(ctx, caller, publicUrl)
  const messages: NumberedMessage[] = []
  for (const notification of shown) {
    const { record, isAlert } = extras.get(notification.id) ?? { record: undefined, isAlert: false }
    messages.push({ ...(await show(notification, { record, isAlert, isSilent: false })), number: notification.id })
  }
  const isCut = shown.length < page.items.length
  return { messages, next: isCut ? shown.at(-1)?.id : decodeCursor(page.nextCursor ?? '') }
}

async function fittingInPage(ctx: Context, userId: UserId, page: Notification[]): Promise<Notification[]> {
  const sizes = await listRecordSizes(
    ctx.db.read,
    userId,
    page.map(({ id }) => id),
  )
  let chars = 0
  const tooMany = page.findIndex(({ id }, index) => {
    chars += sizes.get(id) ?? 0
    return index > 0 && chars > PAGE_CHARS
  })
  return tooMany === -1 ? page : page.slice(0, tooMany)
}

// Turns notifications into messages. `publicUrl`: where the answer page is.
export function messageReader(ctx: Context, { userId, deviceId }: AppCaller, publicUrl: string) {
  const findApplication = applicationFinder(ctx, userId)
  return async (notification: Notification, how: MessageExtras & { isSilent: boolean }): Promise<ShownMessage> => {
    const ticket = isAnswerable(notification) ? makeTicket(ctx.signingKey, notification.id) : undefined
    const answerUrl = ticket && `${publicUrl}/answers/${ticket}?device=${encodeURIComponent(deviceId)}`
    return shownInGotify({
      ...how,
      notification,
      application: await findApplication(notification.keyId),
      answerUrl,
    })
  }
}
