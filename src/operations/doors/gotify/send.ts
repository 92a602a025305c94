// Sends a message for Gotify: its application is the integration key of the caller.
import { Problem } from '../../../contract/problems.ts'
import type { Caller, KeyId } from '../../../domain/caller.ts'
import { fromGotify, type GotifyApplication, type GotifyMessage } from '../../../domain/doors/gotify/message.ts'
import type { Notification } from '../../../domain/notifications/notification.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import { findKeyByNumber } from '../../../store/doors/key-numbers.ts'
import { findDefaultKey, findKeyName } from '../../../store/integration-keys.ts'
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
  const keyId = caller.kind === 'key' ? caller.keyId : await findNamedKey(ctx, caller, number)
  const name = keyId && (await findKeyName(ctx.db.read, userId, keyId))
  if (!keyId || name === undefined) throw new Problem('notification.invalid', 'appid not found')
  return { name, number: await numberOf(ctx, userId, keyId) }
}

async function findNamedKey(ctx: Context, { userId }: Caller, number: number | undefined): Promise<KeyId | undefined> {
  if (number !== undefined) return findKeyByNumber(ctx.db.read, userId, number)
  return (await findDefaultKey(ctx.db.read, userId))?.id
}
