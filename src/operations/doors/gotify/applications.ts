// The applications of Gotify: the integration keys of the account, by number. What no key of the account has sent, such as
// notifications of an organization, belongs to an application of its own.
import { Problem } from '../../../contract/problems.ts'
import type { Caller, KeyId, UserId } from '../../../domain/caller.ts'
import type { GotifyApplication } from '../../../domain/doors/gotify/message.ts'
import { type Instant, instant } from '../../../domain/instant.ts'
import { requireApp } from '../../../domain/permissions.ts'
import { findKey, findKeyByNumber, findKeyNumber, listKeys, numberKey } from '../../../store/keys.ts'
import type { InboxFilter } from '../../../store/notifications/inbox-list.ts'
import type { Context } from '../../context.ts'

export type ListedApplication = GotifyApplication & { createdAt: Instant; lastUsedAt: Instant | null }

// The largest number that every client can read.
const OTHER: GotifyApplication = { number: 2 ** 31 - 1, name: 'Heliograph' }

// At most a few dozen: an account has a bounded number of keys.
export async function allApplications(ctx: Context, caller: Caller): Promise<ListedApplication[]> {
  requireApp(caller, 'gotify')
  const listed: ListedApplication[] = []
  for (const { id, name, createdAt, lastUsedAt } of await listKeys(ctx.db.read, caller.userId)) {
    listed.push({ number: await numberOf(ctx, caller.userId, id), name, createdAt, lastUsedAt })
  }
  return [...listed.sort((a, b) => a.number - b.number), { ...OTHER, createdAt: instant(0), lastUsedAt: null }]
}

// Looks applications up by the key of a notification, each key once.
export function applicationFinder(ctx: Context, userId: UserId): (keyId: KeyId | null) => Promise<GotifyApplication> {
  const known = new Map<KeyId, Promise<GotifyApplication>>()
  return async (keyId) => {
    if (keyId === null) return OTHER
    const application = known.get(keyId) ?? applicationOf(ctx, userId, keyId)
    known.set(keyId, application)
    return application
  }
}

async function applicationOf(ctx: Context, userId: UserId, keyId: KeyId): Promise<GotifyApplication> {
  const key = await findKey(ctx.db.read, userId, keyId)
  return key ? { number: await numberOf(ctx, userId, keyId), name: key.name } : OTHER
}

// The notifications of an application; all of them without one.
export async function filterOfApplication(
  ctx: Context,
  userId: UserId,
  number: number | undefined,
): Promise<InboxFilter> {
  if (number === undefined) return {}
  if (number === OTHER.number) return { isOfNoKey: true }
  const keyId = await findKeyByNumber(ctx.db.read, userId, number)
  if (!keyId) throw new Problem('integration_key.not_found', 'application does not exist')
  return { keyId }
}

export async function numberOf(ctx: Context, userId: UserId, keyId: KeyId): Promise<number> {
  const known = await findKeyNumber(ctx.db.read, userId, keyId)
  return known ?? ctx.db.transact((tx) => numberKey(tx, userId, keyId))
}
