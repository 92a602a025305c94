// Whom an activity goes to: the only statement that decides it.
import type { Activity } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId, PushTokenKind } from '../../domain/device.ts'
import type { Reader } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

// `kind`: what the device can be reached by for this activity.
export type AudienceAddress = { userId: UserId; deviceId: DeviceId; kind: PushTokenKind }
// An account, and one address of one of its devices, if it has any.
export type AudienceMember = { userId: UserId; address?: AudienceAddress }

// The owner, and everyone with a share of the activity or of a pattern that covers it; sorted by account and device.
export async function listAudience(
  db: Reader,
  { id, userId, slug }: Pick<Activity, 'id' | 'userId' | 'slug'>,
): Promise<AudienceMember[]> {
  const rows = await db.all<AudienceRow>(sql`select m.user_id, t.device_id, t.kind
    from (select cast(${userId} as text) as user_id
      union select recipient_id from shares where user_id = ${userId} and (activity_id = ${id}
        or substr(cast(${slug} as text), 1, length(slug_prefix)) = slug_prefix)) m
    left join push_tokens t on t.user_id = m.user_id
      and (t.kind in ('push_to_start', 'web_push') or (t.kind = 'activity' and t.activity_id = ${id}))
    order by m.user_id, t.device_id`)
  return rows.map(toMember)
}

type AudienceRow = { user_id: UserId } & (
  | { device_id: DeviceId; kind: PushTokenKind }
  | { device_id: null; kind: null }
)

function toMember(row: AudienceRow): AudienceMember {
  const userId = row.user_id
  return row.device_id === null ? { userId } : { userId, address: { userId, deviceId: row.device_id, kind: row.kind } }
}
