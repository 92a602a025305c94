// Devices of an account, by the id that the device chose.
import type { UserId } from '../../domain/caller.ts'
import type { Device, DeviceId, Platform, PushTokenKind } from '../../domain/devices.ts'
import { type Instant, instant, instantOrNull } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, sql } from '../engine/sql.ts'

// A device has at most one address for notifications, whose kind determines its channel.
const COLUMNS = fragment(`d.user_id, d.id, d.name, d.platform, d.tags, d.created_at, d.last_seen_at,
  p.at as last_push_at, p.error as last_push_error,
  (select min(kind) from push_tokens t
    where t.user_id = d.user_id and t.device_id = d.id and kind in ('alert', 'web_push')) as address`)
const JOINED = fragment('devices d left join device_pushes p on p.user_id = d.user_id and p.device_id = d.id')

export async function findDevice(db: Reader, userId: UserId, id: DeviceId): Promise<Device | undefined> {
  const row = await db.first<DeviceRow>(
    sql`select ${COLUMNS} from ${JOINED} where d.user_id = ${userId} and d.id = ${id}`,
  )
  return row && toDevice(row)
}

export async function listDevices(db: Reader, userId: UserId): Promise<Device[]> {
  const rows = await db.all<DeviceRow>(
    sql`select ${COLUMNS} from ${JOINED} where d.user_id = ${userId} order by d.created_at, d.id`,
  )
  return rows.map(toDevice)
}

export async function countDevices(db: Reader, userId: UserId): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select count(*) as count from devices where user_id = ${userId}`)
  return row?.count ?? 0
}

export type DeviceFields = Pick<Device, 'userId' | 'id' | 'name' | 'platform' | 'tags'>

export async function insertDevice(tx: Writer, device: DeviceFields, now: Instant): Promise<void> {
  tx.queue(sql`insert into devices (user_id, id, name, platform, tags, created_at, last_seen_at)
    values (${device.userId}, ${device.id}, ${device.name}, ${device.platform}, ${JSON.stringify(device.tags)},
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

type DeviceRow = {
  user_id: UserId
  id: DeviceId
  name: string
  platform: Platform
  tags: string
  created_at: number
  last_seen_at: number
  last_push_at: number | null
  last_push_error: string | null
  address: Extract<PushTokenKind, 'alert' | 'web_push'> | null
}

const toDevice = (row: DeviceRow): Device => ({
  userId: row.user_id,
  id: row.id,
  name: row.name,
  platform: row.platform,
  channel: toChannel(row.address),
  tags: JSON.parse(row.tags),
  createdAt: instant(row.created_at),
  lastSeenAt: instant(row.last_seen_at),
  lastPushAt: instantOrNull(row.last_push_at),
  lastPushError: row.last_push_error,
})

function toChannel(address: DeviceRow['address']): Device['channel'] {
  if (address === null) return 'stream'
  return address === 'alert' ? 'apns' : 'web_push'
}
