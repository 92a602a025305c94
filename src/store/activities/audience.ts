// Whom the activity of a person goes to, and by which addresses.
import type { Activity, ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId, PushTokenKind } from '../../domain/devices.ts'
import type { Reader } from '../engine/database.ts'
import { eachText, type Sql, sql } from '../engine/sql.ts'

// `kind`: what the device can be reached by for this activity.
export type AudienceAddress = { userId: UserId; deviceId: DeviceId; kind: PushTokenKind }
// An account, and one address of one of its devices, if it has any.
export type AudienceMember = { userId: UserId; address?: AudienceAddress }

// The owner, and everyone with a share of the activity or of a pattern that covers it; sorted by account and device.
export async function listAudience(
  db: Reader,
  { id, userId, slug }: Pick<Activity, 'id' | 'userId' | 'slug'>,
): Promise<AudienceMember[]> {
  const rows = await db.all<AudienceRow>(selectAudience(userId, slug, sql`${id}`))
  return rows.map(toMember)
}

// For a caller that reads the activity in the same round trip and does not know its id yet.
export async function listAudienceOfSlug(db: Reader, userId: UserId, slug: string): Promise<AudienceMember[]> {
  const id = sql`(select id from activities where user_id = ${userId} and slug = ${slug})`
  const rows = await db.all<AudienceRow>(selectAudience(userId, slug, id))
  return rows.map(toMember)
}

const selectAudience = (userId: UserId, slug: string, id: Sql): Sql => sql`select m.user_id, t.device_id, t.kind
  from (select cast(${userId} as text) as user_id
    union select recipient_id from shares where user_id = ${userId} and (activity_id = ${id}
      or substr(cast(${slug} as text), 1, length(slug_prefix)) = slug_prefix)) m
  left join push_tokens t on t.user_id = m.user_id and ${isForActivity(id)}
  order by m.user_id, t.device_id`

// The addresses of these accounts for the activity; sorted by account and device.
export async function listActivityAddresses(
  db: Reader,
  id: ActivityId,
  userIds: readonly UserId[],
): Promise<AudienceAddress[]> {
  const rows = await db.all<AddressRow>(sql`select t.user_id, t.device_id, t.kind from push_tokens t
    where t.user_id in (select value from ${eachText(JSON.stringify(userIds))}) and ${isForActivity(sql`${id}`)}
    order by t.user_id, t.device_id`)
  return rows.map(toAddress)
}

export type ShowingAddress = AudienceAddress & { activityId: ActivityId }

// Where these accounts show the activities: a phone has the token of an activity until its end was pushed; a browser has
// none of its own.
export async function listShowingAddresses(
  db: Reader,
  activityIds: readonly ActivityId[],
  userIds: readonly UserId[],
): Promise<ShowingAddress[]> {
  const [ids, accounts] = [eachText(JSON.stringify(activityIds)), eachText(JSON.stringify(userIds))]
  const rows = await db.all<AddressRow & { activity_id: ActivityId }>(sql`select t.user_id, t.device_id, t.kind,
      t.activity_id
    from push_tokens t where t.kind = 'activity' and t.user_id in (select value from ${accounts})
      and t.activity_id in (select value from ${ids})
    union all select t.user_id, t.device_id, t.kind, s.activity_id
    from activity_screens s join push_tokens t on t.user_id = s.user_id and t.device_id = s.device_id
      and t.kind = 'web_push'
    where s.user_id in (select value from ${accounts}) and s.activity_id in (select value from ${ids})`)
  return rows.map((row) => ({ ...toAddress(row), activityId: row.activity_id }))
}

const isForActivity = (id: Sql): Sql =>
  sql`(t.kind in ('push_to_start', 'web_push') or (t.kind = 'activity' and t.activity_id = ${id}))`

type AddressRow = { user_id: UserId; device_id: DeviceId; kind: PushTokenKind }
type AudienceRow = AddressRow | { user_id: UserId; device_id: null; kind: null }

const toMember = (row: AudienceRow): AudienceMember =>
  row.device_id === null ? { userId: row.user_id } : { userId: row.user_id, address: toAddress(row) }

const toAddress = ({ user_id, device_id, kind }: AddressRow): AudienceAddress => ({
  userId: user_id,
  deviceId: device_id,
  kind,
})
