// Tells the person, on all their devices, what somebody does with the address of a Bark phone.
import type { NotificationInput } from '../../../contract/notifications/notification.ts'
import type { Sender } from '../../../domain/caller.ts'
import { type Instant, plusSeconds } from '../../../domain/instant.ts'
import type { NotificationId } from '../../../domain/notifications/notification.ts'
import { findUser } from '../../../store/accounts/accounts.ts'
import type { AppLink, Ask } from '../../../store/apps/links.ts'
import { findDevice } from '../../../store/devices/devices.ts'
import type { Writer } from '../../../store/engine/database.ts'
import type { Context } from '../../context.ts'
import { storeMessage } from '../../notifications/account.ts'
import { composeMessage } from '../../notifications/store.ts'

// The answers to the question whether a phone is to be disconnected.
export const KEEP = 'bark-keep'
export const DISCONNECT = 'bark-disconnect'

export const tellOfRemoval = (ctx: Context, tx: Writer, link: AppLink, now: Instant): Promise<NotificationId | null> =>
  tell(ctx, tx, link, now, (name) => ({
    title: `Disconnect ${name}?`,
    body: `The Bark app on ${name} says that this server was removed from it. Without an answer it is disconnected in a day.`,
    actions: [
      { id: DISCONNECT, title: 'Disconnect', destructive: true },
      { id: KEEP, title: 'Keep' },
    ],
  }))

const HOUR_SECONDS = 3600

// `recent`: who has asked within a day. At most one notice an hour, but always one that several phones ask.
export async function tellOfStranger(
  ctx: Context,
  tx: Writer,
  link: AppLink,
  recent: Ask[],
  now: Instant,
): Promise<void> {
  const isTold = recent.some(({ askedAt }) => now < plusSeconds(askedAt, HOUR_SECONDS))
  if (isTold && recent.length !== 1) return
  await tell(ctx, tx, link, now, (name) => ({
    title: `Another phone asks for the messages of ${name}`,
    body:
      recent.length > 0
        ? 'Several phones have asked within a day. Someone else may have your address: allow none that you do not know, under Devices.'
        : 'If it is yours (a new phone, or the Bark app was installed again), allow it under Devices.',
    url: `${ctx.config.publicUrl ?? ''}/app/devices`,
  }))
}

async function tell(
  ctx: Context,
  tx: Writer,
  { userId, deviceId }: AppLink,
  now: Instant,
  text: (name: string) => NotificationInput,
): Promise<NotificationId | null> {
  const user = await findUser(tx, userId)
  const device = await findDevice(tx, userId, deviceId)
  if (!user || !device) return null
  const sender: Sender = { userId, plan: ctx.config.plans.named(user.plan), keyId: null, holdsPushes: user.holdsPushes }
  const { url, ...input } = text(device.name)
  const message = composeMessage(ctx, sender, {
    ...input,
    ...(url?.startsWith('http') && { url }),
    level: 'time-sensitive',
    source: 'heliograph',
    source_display_name: 'Heliograph',
  })
  // Not held by mutes and quiet hours: it is about the way to the person.
  const { notification, pushes } = await storeMessage(tx, sender, { ...message, isFree: true }, now)
  await pushes.enqueue()
  return notification.id
}
