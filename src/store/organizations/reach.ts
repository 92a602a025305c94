// Who is reached by a target, in SQL: the rules of domain/organizations/target.ts, for organizations of ten thousand members.
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId, PushTokenKind } from '../../domain/devices.ts'
import type { OrgId, TargetIds } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { FOR_NOTIFICATIONS } from '../devices/push-tokens.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { eachText, type Sql, sql } from '../engine/sql.ts'

// Writes the list of reached members. Returns their number.
export async function insertRecipients(
  tx: Writer,
  headId: NotificationId,
  orgId: OrgId,
  target: TargetIds,
): Promise<number> {
  return tx.execute(sql`insert into org_recipients (head_id, org_id, user_id)
    select ${headId}, m.org_id, m.user_id from memberships m where m.org_id = ${orgId} ${isReached(target)}`)
}

// Adds reached members who do not have the notification yet, in the order of their ids and at most `limit` of them. `step`:
// of the escalation policy, whose target this is. Returns their number.
export async function insertAddedRecipients(
  tx: Writer,
  { headId, orgId }: { headId: NotificationId; orgId: OrgId },
  { step, target }: { step: number; target: TargetIds },
  limit: number,
): Promise<number> {
  return tx.execute(sql`insert into org_recipients (head_id, org_id, user_id, step)
    select cast(${headId} as bigint), m.org_id, m.user_id, cast(${step} as bigint) from memberships m
    where m.org_id = ${orgId} ${isReached(target)}
      and not exists (select 1 from org_recipients r where r.head_id = ${headId} and r.user_id = m.user_id)
    order by m.user_id limit ${limit}`)
}

export async function countReached(db: Reader, orgId: OrgId, target: TargetIds): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select count(*) as count from memberships m
    where m.org_id = ${orgId} ${isReached(target)}`)
  return row?.count ?? 0
}

// How many devices of the reached members a push would go to.
export async function countReachedDevices(db: Reader, orgId: OrgId, target: TargetIds, now: Instant): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select count(*) as count
    from memberships m join push_tokens t on t.user_id = m.user_id and t.kind in ${FOR_NOTIFICATIONS}
    where m.org_id = ${orgId} ${isReached(target)} and ${isHeard(now)} ${isAllowed(target)}`)
  return row?.count ?? 0
}

// The same for the members whom a step of an escalation policy has added.
export async function countAddedDevices(
  db: Reader,
  { headId, orgId }: { headId: NotificationId; orgId: OrgId },
  { step, target }: { step: number; target: TargetIds },
  now: Instant,
): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select count(*) as count
    from org_recipients r join memberships m on m.org_id = r.org_id and m.user_id = r.user_id
      join push_tokens t on t.user_id = m.user_id and t.kind in ${FOR_NOTIFICATIONS}
    where r.head_id = ${headId} and r.org_id = ${orgId} and r.step = ${step} and ${isHeard(now)} ${isAllowed(target)}`)
  return row?.count ?? 0
}

export type ReachedAddress = { userId: UserId; deviceId: DeviceId; kind: PushTokenKind }

// The devices of these members that a push goes to now: of those who still are members and not muted.
export async function listReachedAddresses(
  db: Reader,
  orgId: OrgId,
  target: TargetIds,
  userIds: readonly UserId[],
  now: Instant,
): Promise<ReachedAddress[]> {
  const rows = await db.all<{ user_id: UserId; device_id: DeviceId; kind: PushTokenKind }>(sql`select t.user_id,
      t.device_id, t.kind
    from memberships m join push_tokens t on t.user_id = m.user_id and t.kind in ${FOR_NOTIFICATIONS}
    where m.org_id = ${orgId} and m.user_id in (select value from ${eachText(JSON.stringify(userIds))})
      and ${isHeard(now)} ${isAllowed(target)}
    order by t.user_id, t.device_id`)
  return rows.map((row) => ({ userId: row.user_id, deviceId: row.device_id, kind: row.kind }))
}

function isReached({ groupIds, tagIds, memberIds }: TargetIds): Sql {
  const inGroups = groupIds
    ? sql`and exists (select 1 from group_members g where g.org_id = m.org_id and g.user_id = m.user_id
        and g.group_id in (select value from ${eachText(JSON.stringify(groupIds))}))`
    : sql``
  const inMembers = memberIds ? sql`and m.user_id in (select value from ${eachText(JSON.stringify(memberIds))})` : sql``
  const hasDevice = tagIds
    ? sql`and exists (select 1 from device_tags d where d.user_id = m.user_id and d.tag in (${namesOf(tagIds)}))`
    : sql``
  return sql`${inGroups} ${inMembers} ${hasDevice}`
}

const isHeard = (now: Instant): Sql => sql`(m.muted_until is null or m.muted_until <= ${now})`

// With tags, only devices that carry one of them.
function isAllowed({ tagIds }: TargetIds): Sql {
  if (!tagIds) return sql``
  return sql`and exists (select 1 from device_tags d
    where d.user_id = t.user_id and d.device_id = t.device_id and d.tag in (${namesOf(tagIds)}))`
}

// A tag that was deleted has no name, so no device carries it.
const namesOf = (tagIds: readonly string[]): Sql =>
  sql`select name from org_tags o where o.org_id = m.org_id and o.id in (select value from ${eachText(JSON.stringify(tagIds))})`
