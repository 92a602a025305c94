// What the door for Gotify keeps: clients, numbers of repeats, and how large messages are.
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import type { GotifyClient } from '../../domain/doors/gotify/client.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { TokenHash } from '../../domain/token.ts'
import { revocationTopic } from '../accounts/tokens.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { rowsOf } from '../engine/rows.ts'
import { list, sql } from '../engine/sql.ts'

// Clients of Gotify: the tokens that its apps got when they logged in, by number. The secret is a row of `tokens`; the client
// goes with it.

export type StoredClient = GotifyClient & { tokenHash: TokenHash }

const ROWS = rowsOf<StoredClient>('gotify_clients', {
  number: 'number',
  userId: 'user_id',
  deviceId: 'device_id',
  tokenHash: 'token_hash',
  name: 'name',
  createdAt: 'created_at',
})

export async function insertClient(tx: Writer, client: Omit<StoredClient, 'number'>): Promise<number> {
  const { userId, deviceId, tokenHash, name, createdAt } = client
  const row = await tx.first<{ number: number }>(sql`insert into gotify_clients (user_id, device_id, token_hash, name,
      created_at)
    values (${userId}, ${deviceId}, ${tokenHash}, ${name}, ${createdAt}) returning number`)
  if (!row) throw new Error('the client just inserted has no number')
  return row.number
}

// Oldest first.
export const listClients = (db: Reader, userId: UserId, deviceId: DeviceId): Promise<StoredClient[]> =>
  ROWS.all(db, sql`where user_id = ${userId} and device_id = ${deviceId} order by number`)

export async function renameClient(tx: Writer, { userId, number }: GotifyClient, name: string): Promise<void> {
  tx.queue(sql`update gotify_clients set name = ${name} where user_id = ${userId} and number = ${number}`)
}

// Ends the open streams of the client too.
export async function deleteClient(tx: Writer, { userId, tokenHash }: StoredClient): Promise<void> {
  tx.queue(sql`delete from tokens where user_id = ${userId} and hash = ${tokenHash}`)
  tx.signal(revocationTopic(userId))
}

// The numbers under which Gotify's apps know the repeats of an alert. The apps tell messages apart by number and expect
// numbers to grow, so a repeat takes the next id of a notification.

type Repeat = { userId: UserId; notificationId: NotificationId; repeat: number }

export async function findRepeatNumber(
  db: Reader,
  { userId, notificationId, repeat }: Repeat,
): Promise<number | undefined> {
  const row = await db.first<{ number: number }>(sql`select number from gotify_repeats
    where user_id = ${userId} and notification_id = ${notificationId} and repeat = ${repeat}`)
  return row?.number
}

// Two streams of the account may do so at once; both get the number that was stored first.
export async function numberRepeat(tx: Writer, repeat: Repeat, now: Instant): Promise<number> {
  const { userId, notificationId } = repeat
  // A row that is inserted and deleted takes an id on both databases.
  const number =
    await tx.insert<NotificationId>(sql`insert into notifications (user_id, level, pushed, bytes, created_at)
    values (${userId}, 'passive', 0, 0, ${now})`)
  await tx.execute(sql`delete from notifications where user_id = ${userId} and id = ${number}`)
  await tx.execute(sql`insert into gotify_repeats (number, user_id, notification_id, repeat)
    values (${number}, ${userId}, ${notificationId}, ${repeat.repeat}) on conflict (notification_id, repeat) do nothing`)
  return (await findRepeatNumber(tx, repeat)) ?? number
}

export async function findRepeated(db: Reader, userId: UserId, number: number): Promise<NotificationId | undefined> {
  const row = await db.first<{ notification_id: NotificationId }>(sql`select notification_id from gotify_repeats
    where user_id = ${userId} and number = ${number}`)
  return row?.notification_id
}

// How large the messages of Gotify's senders are, by which pages of them are bounded.

// A message of Gotify may have a megabyte, which its record keeps.
export async function listRecordSizes(
  db: Reader,
  userId: UserId,
  ids: NotificationId[],
): Promise<Map<NotificationId, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all<{ id: NotificationId; size: number }>(sql`select n.id, length(c.door_message) as size
    from notifications n join notification_contents c on c.notification_id = coalesce(n.org_notification_id, n.id)
    where n.user_id = ${userId} and n.id in (${list(ids)}) and c.door = 'gotify'`)
  return new Map(rows.map(({ id, size }) => [id, size]))
}
