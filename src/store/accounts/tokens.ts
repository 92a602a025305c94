// Full-access tokens (hla_), widget tokens (hlw_) and passwords of phone apps, by the hash of the secret.
import type { AppKind } from '../../contract/devices.ts'
import type { PlanName } from '../../contract/plans.ts'
import type { SessionId } from '../../domain/accounts/session.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import type { Instant } from '../../domain/instant.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { list, sql } from '../engine/sql.ts'

// Tells held requests and open streams of the account to look whether their token still stands.
export const revocationTopic = (userId: UserId) => `revoked:${userId}`

export type StoredTokenKind = 'hla' | 'hlw'
export type NewStoredToken = {
  id: SessionId
  hash: TokenHash
  kind: StoredTokenKind | AppKind
  userId: UserId
  deviceId: string | null
  // What signed in.
  name?: string | null
  isConsole?: boolean
  createdAt: Instant
}

export async function insertToken(tx: Writer, token: NewStoredToken): Promise<void> {
  tx.queue(sql`insert into tokens (id, hash, kind, user_id, device_id, name, is_console, created_at)
    values (${token.id}, ${token.hash}, ${token.kind}, ${token.userId}, ${token.deviceId}, ${token.name ?? null},
      ${token.isConsole ? 1 : 0}, ${token.createdAt})`)
}

// Cached, because every request with a token reads it.
export const findTokenOwner = (
  db: Reader,
  hash: TokenHash,
  kind: StoredTokenKind,
): Promise<(TokenAccount & { deviceId: DeviceId | undefined }) | undefined> =>
  db.cached(
    sql`select t.user_id, t.device_id, u.plan, u.holds_pushes
      from tokens t join users u on u.id = t.user_id where t.hash = ${hash} and t.kind = ${kind}`,
    ([row]: OwnerRow[]) => row && { ...accountOf(row), deviceId: row.device_id ?? undefined },
  )

// The device whose app has this password.
export const findAppOwner = (
  db: Reader,
  hash: TokenHash,
): Promise<(TokenAccount & { app: AppKind; deviceId: DeviceId }) | undefined> =>
  db.cached(
    sql`select t.user_id, t.device_id, t.kind, u.plan, u.holds_pushes
      from tokens t join users u on u.id = t.user_id
      where t.hash = ${hash} and t.kind in ('ntfy', 'gotify') and t.device_id is not null`,
    ([row]: AppRow[]) => row && { ...accountOf(row), app: row.kind, deviceId: row.device_id },
  )

// Those of the tokens that still stand, with the number of the newest event of their account.
export async function listStanding(db: Reader, hashes: TokenHash[]): Promise<Map<TokenHash, number>> {
  const rows = await db.all<{ hash: TokenHash; last_event: number | null }>(sql`select t.hash, f.last_event
    from tokens t left join feeds f on f.user_id = t.user_id where t.hash in (${list(hashes)})`)
  return new Map(rows.map(({ hash, last_event }) => [hash, last_event ?? 0]))
}

// False: the old token had already gone, so its bearer gets no new one.
export async function replaceToken(tx: Writer, userId: UserId, old: TokenHash, fresh: TokenHash): Promise<boolean> {
  tx.signal(revocationTopic(userId))
  return (await tx.execute(sql`update tokens set hash = ${fresh} where user_id = ${userId} and hash = ${old}`)) === 1
}

export async function deleteToken(tx: Writer, userId: UserId, hash: TokenHash): Promise<void> {
  tx.queue(sql`delete from tokens where user_id = ${userId} and hash = ${hash}`)
  tx.signal(revocationTopic(userId))
}

// The full-access token that the device got by Sign in with Apple, and the one of its widgets.
export async function deleteTokensOfDevice(tx: Writer, userId: UserId, deviceId: DeviceId): Promise<void> {
  tx.queue(sql`delete from tokens where user_id = ${userId} and device_id = ${deviceId}`)
  tx.signal(revocationTopic(userId))
}

// A device has at most one token of each kind.
export async function deleteDeviceToken(
  tx: Writer,
  userId: UserId,
  deviceId: DeviceId,
  kind: StoredTokenKind,
): Promise<void> {
  tx.queue(sql`delete from tokens where user_id = ${userId} and device_id = ${deviceId} and kind = ${kind}`)
  tx.signal(revocationTopic(userId))
}

type AccountRow = { user_id: UserId; plan: PlanName; holds_pushes: number }
type AppRow = AccountRow & { device_id: DeviceId; kind: AppKind }
type OwnerRow = AccountRow & { device_id: DeviceId | null }

type TokenAccount = { userId: UserId; plan: PlanName; holdsPushes: boolean }
const accountOf = ({ user_id, plan, holds_pushes }: AccountRow): TokenAccount => ({
  userId: user_id,
  plan,
  holdsPushes: holds_pushes === 1,
})
