// The ping key of an account: shown to who may write all of its heartbeats, and rolled.
import type { Caller } from '../../domain/caller.ts'
import type { PingKey } from '../../domain/heartbeats/heartbeat.ts'
import { PING_KEY_CHARS } from '../../domain/heartbeats/ping.ts'
import { isLimited, targetDenied } from '../../domain/organizations/limit.ts'
import { hasLevel, requireLevel } from '../../domain/permissions.ts'
import { randomText } from '../../runtime/ids.ts'
import { findPingKey, insertPingKey, replacePingKey } from '../../store/heartbeats/pings.ts'
import type { Context } from '../context.ts'

const newPingKey = () => randomText(PING_KEY_CHARS) as PingKey

// Undefined for who may not see it. It is made when it is first shown: most accounts never need one.
export async function shownPingKey({ db }: Context, caller: Caller): Promise<PingKey | undefined> {
  if (!hasLevel(caller, 'notifications', 'schedule') || isLimited(caller)) return undefined
  const { userId } = caller
  const existing = await findPingKey(db.read, userId)
  if (existing) return existing
  return db.transact(async (tx) => {
    await insertPingKey(tx, userId, newPingKey())
    return findPingKey(tx, userId)
  })
}

// The old key stops working at once.
export async function rollPingKey({ db }: Context, caller: Caller): Promise<PingKey> {
  requireLevel(caller, 'notifications', 'schedule')
  if (isLimited(caller)) {
    throw targetDenied(
      'The ping key reaches all heartbeats of the organization, and this key is limited to a part of it.',
    )
  }
  const key = newPingKey()
  await db.transact((tx) => replacePingKey(tx, caller.userId, key))
  return key
}
