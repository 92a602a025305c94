// Links to apps of other services that are pushed to: how the phone registers, its address (sealed), and who asks to take its
// place. The address is in push_tokens as well while pushes go there.
import type { UserId } from '../../domain/caller.ts'
import type { BarkKind, DeviceId } from '../../domain/devices.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { json, rowsOf } from '../engine/rows.ts'
import { FOR_UPDATE, sql } from '../engine/sql.ts'

// `sealed`: of a token.
export type Ask = { id: string; askedAt: Instant; from: string; sealed: string }

export type AppLink = {
  userId: UserId
  deviceId: DeviceId
  kind: BarkKind
  // The server of another operator; null if pushes go to APNs.
  host: string | null
  // A BarkTarget; null until the phone has registered.
  sealed: string | null
  codeHash: TokenHash | null
  // Until when the phone may register for the first time; null afterwards.
  openUntil: Instant | null
  keyHash: TokenHash | null
  // Pushes in a row that its server has refused.
  refusals: number
  asks: Ask[]
  // The app says that the person has removed the server from it.
  removalAskedAt: Instant | null
  removalNoticeId: NotificationId | null
  // Since the person has said that the phone is to get nothing.
  endedAt: Instant | null
}

const ROWS = rowsOf<AppLink>('app_links', {
  userId: 'user_id',
  deviceId: 'device_id',
  kind: 'kind',
  host: 'host',
  sealed: 'sealed',
  codeHash: 'code_hash',
  openUntil: 'open_until',
  keyHash: 'key_hash',
  refusals: 'refusals',
  asks: json('asks'),
  removalAskedAt: 'removal_asked_at',
  removalNoticeId: 'removal_notice_id',
  endedAt: 'ended_at',
})

export const findLink = (db: Reader, userId: UserId, deviceId: DeviceId): Promise<AppLink | undefined> =>
  ROWS.first(db, sql`where user_id = ${userId} and device_id = ${deviceId}`)

export const findLinkForUpdate = (tx: Writer, userId: UserId, deviceId: DeviceId): Promise<AppLink | undefined> =>
  ROWS.first(tx, sql`where user_id = ${userId} and device_id = ${deviceId} ${FOR_UPDATE}`)

export const findLinkByCode = (db: Reader, codeHash: TokenHash): Promise<AppLink | undefined> =>
  ROWS.first(db, sql`where code_hash = ${codeHash}`)

export const isDeviceKey = async (db: Reader, keyHash: TokenHash): Promise<boolean> =>
  (await ROWS.first(db, sql`where key_hash = ${keyHash}`)) !== undefined

export const findLinkByNotice = (tx: Writer, userId: UserId, id: NotificationId): Promise<AppLink | undefined> =>
  ROWS.first(tx, sql`where user_id = ${userId} and removal_notice_id = ${id} ${FOR_UPDATE}`)

export const listLinks = (db: Reader, userId: UserId): Promise<AppLink[]> =>
  ROWS.all(db, sql`where user_id = ${userId} order by device_id`)

export async function insertLink(tx: Writer, link: AppLink): Promise<void> {
  tx.queue(sql`insert into app_links (user_id, device_id, kind, host, sealed, code_hash, open_until, key_hash, refusals,
      asks, removal_asked_at, removal_notice_id, ended_at)
    values (${link.userId}, ${link.deviceId}, ${link.kind}, ${link.host}, ${link.sealed}, ${link.codeHash},
      ${link.openUntil}, ${link.keyHash}, ${link.refusals}, ${JSON.stringify(link.asks)}, ${link.removalAskedAt},
      ${link.removalNoticeId}, ${link.endedAt})`)
}

export async function updateLink(tx: Writer, link: AppLink): Promise<void> {
  tx.queue(sql`update app_links set kind = ${link.kind}, host = ${link.host}, sealed = ${link.sealed},
      open_until = ${link.openUntil}, key_hash = ${link.keyHash}, refusals = ${link.refusals},
      asks = ${JSON.stringify(link.asks)}, removal_asked_at = ${link.removalAskedAt},
      removal_notice_id = ${link.removalNoticeId}, ended_at = ${link.endedAt}
    where user_id = ${link.userId} and device_id = ${link.deviceId}`)
}

// Counts the refusals of its server in a row. Returns how many there are now.
export async function countRefusal(tx: Writer, userId: UserId, deviceId: DeviceId): Promise<number> {
  const row = await tx.first<{ refusals: number }>(sql`update app_links set refusals = refusals + 1
    where user_id = ${userId} and device_id = ${deviceId} returning refusals`)
  return row?.refusals ?? 0
}

export async function clearRefusals(tx: Writer, userId: UserId, deviceId: DeviceId): Promise<void> {
  tx.queue(sql`update app_links set refusals = 0
    where user_id = ${userId} and device_id = ${deviceId} and refusals > 0`)
}

// Takes some of the withdrawals that a phone gets in an hour. Returns how many it took.
export async function takeWithdrawals(
  tx: Writer,
  userId: UserId,
  deviceId: DeviceId,
  { wanted, most, hour }: { wanted: number; most: number; hour: number },
): Promise<number> {
  const row = await tx.first<{ withdrawals: number; withdrawals_hour: number | null }>(sql`select withdrawals,
      withdrawals_hour from app_links where user_id = ${userId} and device_id = ${deviceId} ${FOR_UPDATE}`)
  if (!row) return 0
  const before = row.withdrawals_hour === hour ? row.withdrawals : 0
  const taken = Math.min(wanted, Math.max(most - before, 0))
  tx.queue(sql`update app_links set withdrawals = ${before + taken}, withdrawals_hour = ${hour}
    where user_id = ${userId} and device_id = ${deviceId}`)
  return taken
}
