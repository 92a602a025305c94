// Messages for Gotify's apps as they arrive.
import type { AppMessage, AppNews } from '../../../domain/apps/news.ts'
import type { AppCaller, UserId } from '../../../domain/caller.ts'
import type { NotificationId } from '../../../domain/notifications/notification.ts'
import { listMessageExtras } from '../../../store/apps/messages.ts'
import { findRepeatNumber, numberRepeat } from '../../../store/doors/gotify.ts'
import { findFeedBounds } from '../../../store/events/feeds.ts'
import { type AppFollower, followNews } from '../../apps/follow.ts'
import type { Context } from '../../context.ts'
import { messageReader, type NumberedMessage } from './messages.ts'

// `after`: the number of the event after which the stream begins. `publicUrl`: where the answer page is.
export type GotifyStream = { caller: AppCaller; after: number; publicUrl: string }

// Messages instead of the news that they are made of.
export type GotifyFollower = Omit<AppFollower, 'begin' | 'write'> & {
  write(messages: NumberedMessage[], flushed: () => void): boolean
}

export const newestEvent = async (ctx: Context, { userId }: AppCaller): Promise<number> =>
  (await findFeedBounds(ctx.db.read, userId)).newest

// Gotify has no word for messages that were read or deleted, so its apps get new ones only.
export async function streamMessages(
  ctx: Context,
  { caller, after, publicUrl }: GotifyStream,
  follower: GotifyFollower,
): Promise<void> {
  const show = arrivedMessages(ctx, caller, publicUrl)
  await followNews(ctx, caller, after, {
    ...follower,
    begin() {},
    async write(news, flushed) {
      const messages: NumberedMessage[] = []
      for (const one of news) if (isMessage(one)) messages.push(await show(one))
      return follower.write(messages, flushed)
    },
  })
}

const isMessage = (news: AppNews): news is AppMessage => news.kind === 'message'

// A repeat has a number of its own, so that the app takes it for a new message.
function arrivedMessages(ctx: Context, caller: AppCaller, publicUrl: string) {
  const { userId } = caller
  const show = messageReader(ctx, caller, publicUrl)
  return async ({ notification, record, isSilent, name }: AppMessage): Promise<NumberedMessage> => {
    const { id } = notification
    const isAlert = (await listMessageExtras(ctx.db.read, userId, [id], 'gotify')).get(id)?.isAlert === true
    const number = name.repeat === 0 ? id : await repeatNumber(ctx, userId, id, name.repeat)
    return { ...(await show(notification, { record, isAlert, isSilent })), number }
  }
}

async function repeatNumber(ctx: Context, userId: UserId, notificationId: NotificationId, repeat: number) {
  const which = { userId, notificationId, repeat }
  const known = await findRepeatNumber(ctx.db.read, which)
  return known ?? ctx.db.transact((tx) => numberRepeat(tx, which, ctx.clock.now()))
}
