// Sends a message for Gotify: its application is the integration key of the caller.
import { Problem } from '../../../contract/problems.ts'
import type { Caller, KeyId, UserId } from '../../../domain/caller.ts'
import { fromGotify, type GotifyApplication, type GotifyMessage } from '../../../domain/doors/gotify/message.ts'
import type { Notification } from '../../../domain/notifications/notification.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import { findDefaultKey, findKey, findKeyByNumber } from '../../../store/keys.ts'
import type { Context } from '../../context.ts'
import { sendNotification } from '../../notifications/send.ts'
import { numberOf } from './applications.ts'

type NamedKey = { id: KeyId; name: string }
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
  if (caller.kind === 'key') return applicationOf(ctx, caller.userId, { id: caller.keyId, name: caller.keyName })
  const key = await findNamedKey(ctx, caller, number)
  if (!key) throw new Problem('notification.invalid', 'appid not found')
  return applicationOf(ctx, caller.userId, key)
}

async function applicationOf(ctx: Context, userId: UserId, { id, name }: NamedKey): Promise<GotifyApplication> {
  return { name, number: await numberOf(ctx, userId, id) }
}

async function findNamedKey({ db }: Context, { userId }: Caller, number?: number): Promise<NamedKey | undefined> {
  if (number === undefined) return findDefaultKey(db.read, userId)
  const id = await findKeyByNumber(db.read, userId, number)
  return id && findKey(db.read, userId, id)
}
