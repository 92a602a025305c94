// Devices of an account, by the id that the device chose.
import type { UserId } from '../../domain/caller.ts'
import type { Device, DeviceId } from '../../domain/devices.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { json, rowsOf, stored } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'

// A device has at most one address for notifications, whose kind determines its channel.
// A link to an app has one even while nothing is pushed there.
const ADDRESS = `coalesce((select min(kind) from push_tokens t
  where t.user_id = d.user_id and t.device_id = d.id and kind in ('alert', 'web_push')),
  (select kind from app_links l where l.user_id = d.user_id and l.device_id = d.id)) as address`

const CHANNELS = { alert: 'apns', bark: 'apns', bark_server: 'http', web_push: 'web_push' } as const

const ROWS = rowsOf<Device>('devices d left join device_pushes p on p.user_id = d.user_id and p.device_id = d.id', {
  userId: 'd.user_id',
  id: 'd.id',
  name: 'd.name',
  platform: 'd.platform',
  channel: stored(ADDRESS, (kind: keyof typeof CHANNELS | null) => (kind === null ? 'stream' : CHANNELS[kind])),
  tags: json('d.tags'),
  options: json('d.options'),
  createdAt: 'd.created_at',
  lastSeenAt: 'd.last_seen_at',
  lastPushAt: 'p.at as last_push_at',
  lastPushError: 'p.error as last_push_error',
})

export const findDevice = (db: Reader, userId: UserId, id: DeviceId): Promise<Device | undefined> =>
  ROWS.first(db, sql`where d.user_id = ${userId} and d.id = ${id}`)

export const listDevices = (db: Reader, userId: UserId): Promise<Device[]> =>
  ROWS.all(db, sql`where d.user_id = ${userId} order by d.created_at, d.id`)

export const countDevices = (db: Reader, userId: UserId): Promise<number> =>
  ROWS.count(db, sql`where d.user_id = ${userId}`)

export type DeviceFields = Pick<Device, 'userId' | 'id' | 'name' | 'platform' | 'tags'>

export async function insertDevice(tx: Writer, device: DeviceFields, now: Instant): Promise<void> {
  tx.queue(sql`insert into devices (user_id, id, name, platform, tags, options, created_at, last_seen_at)
    values (${device.userId}, ${device.id}, ${device.name}, ${device.platform}, ${JSON.stringify(device.tags)}, '{}',
      ${now}, ${now})`)
  tx.queue(sql`insert into device_pushes (user_id, device_id) values (${device.userId}, ${device.id})`)
  replaceTags(tx, device)
}

// Returns false if there is no such device.
export async function updateDevice(tx: Writer, device: DeviceFields, now: Instant): Promise<boolean> {
  const changed = await tx.execute(sql`update devices set name = ${device.name}, platform = ${device.platform},
      tags = ${JSON.stringify(device.tags)}, last_seen_at = ${now}
    where user_id = ${device.userId} and id = ${device.id}`)
  if (changed === 1) replaceTags(tx, device)
  return changed === 1
}

// The device itself did not call, so last_seen_at stays.
export async function updateDeviceNames(tx: Writer, device: DeviceFields): Promise<void> {
  tx.queue(sql`update devices set name = ${device.name}, tags = ${JSON.stringify(device.tags)}
    where user_id = ${device.userId} and id = ${device.id}`)
  replaceTags(tx, device)
}

export async function updateDeviceOptions(tx: Writer, { userId, id, options }: Device): Promise<void> {
  tx.queue(sql`update devices set options = ${JSON.stringify(options)} where user_id = ${userId} and id = ${id}`)
}

// The rows by which organizations find devices. No tag occurs twice.
function replaceTags(tx: Writer, { userId, id, tags }: DeviceFields): void {
  tx.queue(sql`delete from device_tags where user_id = ${userId} and device_id = ${id}`)
  for (const tag of tags) {
    tx.queue(sql`insert into device_tags (user_id, device_id, tag) values (${userId}, ${id}, ${tag})`)
  }
}

// Returns false if there is no such device. Otherwise its row is locked until the transaction ends.
export async function updateLastSeen(tx: Writer, userId: UserId, id: DeviceId, now: Instant): Promise<boolean> {
  const changed = await tx.execute(
    sql`update devices set last_seen_at = ${now} where user_id = ${userId} and id = ${id}`,
  )
  return changed === 1
}

// Outcomes may be recorded out of order; only a newer push is recorded.
export async function recordPush(
  tx: Writer,
  userId: UserId,
  id: DeviceId,
  { at, error }: { at: Instant; error: string | null },
): Promise<void> {
  tx.queue(sql`update device_pushes set at = ${at}, error = ${error}
    where user_id = ${userId} and device_id = ${id} and coalesce(at, 0) <= ${at}`)
}

// Returns false if there is no such device. Its push tokens are deleted by cascade.
export async function deleteDevice(tx: Writer, userId: UserId, id: DeviceId): Promise<boolean> {
  return (await tx.execute(sql`delete from devices where user_id = ${userId} and id = ${id}`)) === 1
}
