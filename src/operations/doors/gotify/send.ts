// Sends a message for Gotify: its application is the integration key of the caller.
import { Problem } from '../../../contract/problems.ts'
import type { Caller } from '../../../domain/caller.ts'
import { fromGotify, type GotifyApplication, type GotifyMessage } from '../../../domain/doors/gotify/message.ts'
import type { Notification } from '../../../domain/notifications/notification.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import { findDefaultKey, findKey } from '../../../store/integration-keys.ts'
import { findKeyByNumber } from '../../../store/key-numbers.ts'
import type { Context } from '../../context.ts'
import { sendNotification } from '../../notifications/send.ts'
import { numberOf } from './applications.ts'

export type SentToGotify = { notification: Notification; application: GotifyApplication }

// `number`: the application that a person names, who has several.
export async function sendFromGotify(
  ctx: Context,
  caller: Caller,
  message: GotifyMessage,
  number: number | undefined,
): Promise<SentToGotify> {
  requireLevel(caller, 'notifications', 'send')
  const application = await findApplication(ctx, caller, number)
  const sent = await sendNotification(ctx, caller, fromGotify(message, application))
  if (!('result' in sent)) throw new Error('a send without an Idempotency-Key was replayed')
  return { notification: sent.result.notification, application }
}

async function findApplication(ctx: Context, caller: Caller, number: number | undefined): Promise<GotifyApplication> {
  const { userId } = caller
  const { read } = ctx.db
  const key =
    caller.kind === 'key'
      ? await findKey(read, userId, caller.keyId)
      : number === undefined
        ? await findDefaultKey(read, userId)
        : await findKey(read, userId, (await findKeyByNumber(read, userId, number)) ?? '')
  if (!key) throw new Problem('notification.invalid', 'appid not found')
  return { name: key.name, number: await numberOf(ctx, userId, key.id) }
}
