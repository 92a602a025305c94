// Open event streams of all nodes. A row is a lease that the node of the stream renews, so the streams of a node that
// died stop counting when their leases lapse.
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { lockUser } from '../accounts/accounts.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

// `deviceId`: the device that reads the stream, if it said so. `beginsAfter`: the stream delivers every later event.
export type EventStream = {
  id: string
  node: string
  userId: UserId
  deviceId: DeviceId | undefined
  beginsAfter: number
}

// Three renewals may fail before the lease lapses.
export const STREAM_RENEWAL_SECONDS = 10
const STREAM_LEASE_SECONDS = 40
// Lapsed rows are kept for a while: a node that was disconnected from the database renews them when it is back.
const LAPSED_KEPT_SECONDS = 3600

// Sent to every node when a device’s stream has written events, or has ended.
export const streamTopic = (userId: UserId, deviceId: DeviceId) => `stream:${userId}:${deviceId}`

// Returns false if the account already has `limit` open streams.
export async function insertEventStream(
  tx: Writer,
  { id, node, userId, deviceId, beginsAfter }: EventStream,
  limit: number,
  now: Instant,
): Promise<boolean> {
  await lockUser(tx, userId)
  tx.queue(sql`delete from event_streams
    where user_id = ${userId} and expires_at <= ${plusSeconds(now, -LAPSED_KEPT_SECONDS)}`)
  const open = await tx.first<{ count: number }>(
    sql`select count(*) as count from event_streams where user_id = ${userId} and expires_at > ${now}`,
  )
  if ((open?.count ?? 0) >= limit) return false
  tx.queue(sql`insert into event_streams (id, node, user_id, device_id, begins_after, written, expires_at)
    values (${id}, ${node}, ${userId}, ${deviceId ?? null}, ${beginsAfter}, ${beginsAfter},
      ${plusSeconds(now, STREAM_LEASE_SECONDS)})`)
  return true
}

export async function renewEventStreams(tx: Writer, node: string, now: Instant): Promise<void> {
  tx.queue(sql`update event_streams set expires_at = ${plusSeconds(now, STREAM_LEASE_SECONDS)} where node = ${node}`)
}

export async function updateWritten(tx: Writer, { id, userId, deviceId }: EventStream, written: number): Promise<void> {
  tx.queue(sql`update event_streams set written = ${written} where user_id = ${userId} and id = ${id}`)
  if (deviceId) tx.signal(streamTopic(userId, deviceId))
}

export async function deleteEventStream(tx: Writer, { id, userId, deviceId }: EventStream): Promise<void> {
  tx.queue(sql`delete from event_streams where user_id = ${userId} and id = ${id}`)
  if (deviceId) tx.signal(streamTopic(userId, deviceId))
}

// The newest event written to those streams of the device that deliver this event; undefined if there is none.
export async function findWritten(
  db: Reader,
  { userId, deviceId, event }: { userId: UserId; deviceId: DeviceId; event: number },
  now: Instant,
): Promise<number | undefined> {
  const row = await db.first<{ written: number | null }>(sql`select max(written) as written from event_streams
    where user_id = ${userId} and device_id = ${deviceId} and begins_after < ${event} and expires_at > ${now}`)
  return row?.written ?? undefined
}
