// The topics that ntfy's apps have asked for, with the address of the topic as the app knows it.
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

export type AppTopic = { topic: string; url: string }

export async function listAppTopics(db: Reader, userId: UserId, deviceId: DeviceId): Promise<AppTopic[]> {
  return db.all<AppTopic>(
    sql`select topic, url from app_topics where user_id = ${userId} and device_id = ${deviceId} order by topic, url`,
  )
}

// Does nothing if the device has it already.
export async function insertAppTopic(
  tx: Writer,
  userId: UserId,
  deviceId: DeviceId,
  { topic, url }: AppTopic,
): Promise<void> {
  tx.queue(sql`insert into app_topics (user_id, device_id, topic, url)
    values (${userId}, ${deviceId}, ${topic}, ${url}) on conflict do nothing`)
}
