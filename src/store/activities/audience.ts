// Whose devices an activity goes to: the only statement that decides it.
import type { Activity } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId, PushTokenKind } from '../../domain/device.ts'
import type { Reader } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

// `kind`: what the device can be reached by for this activity.
export type AudienceAddress = { userId: UserId; deviceId: DeviceId; kind: PushTokenKind }

export async function listAudience(
  db: Reader,
  { id, userId }: Pick<Activity, 'id' | 'userId'>,
): Promise<AudienceAddress[]> {
  const rows = await db.all<AudienceRow>(sql`select user_id, device_id, kind from push_tokens
    where user_id = ${userId} and (kind in ('push_to_start', 'web_push') or (kind = 'activity' and activity_id = ${id}))
    order by user_id, device_id`)
  return rows.map((row) => ({ userId: row.user_id, deviceId: row.device_id, kind: row.kind }))
}

type AudienceRow = { user_id: UserId; device_id: DeviceId; kind: PushTokenKind }
