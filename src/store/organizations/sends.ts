// What an organization has sent, and to whom.
import type { UserId } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Entry, OrgSend, SpreadProgress } from '../../domain/organizations/send.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { json, optional, rowsOf } from '../engine/rows.ts'
import { list, sql } from '../engine/sql.ts'

const ROWS = rowsOf<OrgSend>('org_sends', {
  headId: 'head_id',
  orgId: 'org_id',
  target: json('target'),
  targetIds: json('target_ids'),
  collapseId: optional('collapse_id'),
  members: 'members',
  devices: 'devices',
})

export async function insertSend(tx: Writer, send: OrgSend, now: Instant): Promise<void> {
  tx.queue(sql`insert into org_sends (head_id, org_id, target, target_ids, collapse_id, members, devices,
      created_at)
    values (${send.headId}, ${send.orgId}, ${send.target && JSON.stringify(send.target)},
      ${JSON.stringify(send.targetIds)}, ${send.collapseId ?? null}, ${send.members}, ${send.devices}, ${now})`)
}

// Undefined if the notification is not one of an organization.
export const findSend = (db: Reader, headId: NotificationId): Promise<OrgSend | undefined> =>
  ROWS.first(db, sql`where head_id = ${headId}`)

export async function findProgress(db: Reader, headId: NotificationId): Promise<SpreadProgress> {
  const row = await db.first<{
    listed: number
    stored: number
  }>(sql`select count(*) as listed, count(entry_id) as stored
    from org_recipients where head_id = ${headId}`)
  return { stored: row?.stored ?? 0, isDone: row?.stored === row?.listed }
}

// Whether a step of the fan-out has something to do: someone has no entry yet, and neither was the notification recalled
// nor the organization deleted.
export async function isSpreading(db: Reader, orgId: OrgId, headId: NotificationId): Promise<boolean> {
  const row = await db.first(sql`select 1 as open from org_recipients r
      join notifications h on h.id = r.head_id and h.user_id = ${orgId}
      join users o on o.id = h.user_id and o.kind = 'organization'
    where r.org_id = ${orgId} and r.head_id = ${headId} and r.entry_id is null limit 1`)
  return row !== undefined
}

// The next recipients without an entry, in the order of their ids.
export async function listOpenRecipients(
  db: Reader,
  { orgId, headId }: Pick<OrgSend, 'orgId' | 'headId'>,
  limit: number,
): Promise<UserId[]> {
  const rows = await db.all<{ user_id: UserId }>(sql`select user_id from org_recipients
    where org_id = ${orgId} and head_id = ${headId} and entry_id is null order by user_id limit ${limit}`)
  return rows.map(({ user_id }) => user_id)
}

// Notes which entry each of these members has got. `list` rather than `eachText`: PostgreSQL then finds the notifications by
// their ids, and does not join all of them.
export async function setEntries(tx: Writer, headId: NotificationId, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  tx.queue(sql`update org_recipients set entry_id = n.id from notifications n
    where org_recipients.head_id = ${headId} and org_recipients.user_id = n.user_id
      and n.id in (${list(entries.map(({ id }) => id))})`)
}

// The next recipients who have got an entry, in the order of their ids, whether or not they still have it.
export async function listEntries(db: Reader, headId: NotificationId, limit: number): Promise<Entry[]> {
  const rows = await db.all<EntryRow>(sql`select user_id, entry_id from org_recipients
    where head_id = ${headId} and entry_id is not null order by user_id limit ${limit}`)
  return rows.map(toEntry)
}

// The next entries that are still in the inbox of someone who still is a member, in the order of the members' ids.
export async function listLiveEntries(
  db: Reader,
  { headId, orgId }: Pick<OrgSend, 'headId' | 'orgId'>,
  { after, upTo }: { after?: UserId | undefined; upTo?: UserId | undefined },
  limit: number,
): Promise<Entry[]> {
  const rows = await db.all<EntryRow>(sql`select r.user_id, r.entry_id
    from org_recipients r join memberships m on m.org_id = r.org_id and m.user_id = r.user_id
      join notifications n on n.id = r.entry_id
    where r.head_id = ${headId} and r.org_id = ${orgId} and r.user_id > ${after ?? ''} and r.user_id <= ${upTo ?? AFTER_ALL}
    order by r.user_id limit ${limit}`)
  return rows.map(toEntry)
}

// Ids are UUIDs.
const AFTER_ALL = 'g'

// The last member who has got an entry: entries are written in the order of the members' ids.
export async function findLastRecipient(db: Reader, headId: NotificationId): Promise<UserId | undefined> {
  const row = await db.first<{ user_id: UserId | null }>(sql`select max(user_id) as user_id from org_recipients
    where head_id = ${headId} and entry_id is not null`)
  return row?.user_id ?? undefined
}

// Members whom steps of an escalation policy have added, by id, and the step of each.
export async function listAddedSteps(
  db: Reader,
  headId: NotificationId,
  userIds: readonly UserId[],
): Promise<Map<UserId, number>> {
  const rows = await db.all<{ user_id: UserId; step: number }>(sql`select user_id, step from org_recipients
    where head_id = ${headId} and step is not null and user_id in (${list(userIds)})`)
  return new Map(rows.map(({ user_id, step }) => [user_id, step]))
}

export async function addToSend(
  tx: Writer,
  headId: NotificationId,
  { members, devices }: Pick<OrgSend, 'members' | 'devices'>,
): Promise<void> {
  tx.queue(sql`update org_sends set members = members + ${members}, devices = devices + ${devices}
    where head_id = ${headId}`)
}

// For a member who leaves: what has not been written for them never is.
export async function deleteOpenRecipient(tx: Writer, orgId: OrgId, userId: UserId): Promise<void> {
  tx.queue(sql`delete from org_recipients where org_id = ${orgId} and user_id = ${userId} and entry_id is null`)
}

export async function deleteRecipients(tx: Writer, headId: NotificationId, userIds: readonly UserId[]): Promise<void> {
  if (userIds.length === 0) return
  tx.queue(sql`delete from org_recipients where head_id = ${headId} and user_id in (${list(userIds)})`)
}

export async function deleteOpenRecipients(tx: Writer, headId: NotificationId): Promise<void> {
  tx.queue(sql`delete from org_recipients where head_id = ${headId} and entry_id is null`)
}

export async function deleteSend(tx: Writer, headId: NotificationId): Promise<void> {
  tx.queue(sql`delete from org_sends where head_id = ${headId}`)
}

// Deletes a part of the recipients of one send that is old, or of a closed organization; the send with the last part.
// Returns whether there was anything to delete.
export async function deleteSomeRecipients(
  tx: Writer,
  which: { createdBefore: Instant } | { orgId: OrgId },
  limit: number,
): Promise<boolean> {
  const condition = 'orgId' in which ? sql`org_id = ${which.orgId}` : sql`created_at < ${which.createdBefore}`
  const row = await tx.first<{ head_id: NotificationId }>(sql`select head_id from org_sends where ${condition} limit 1`)
  if (!row) return false
  const deleted = await tx.execute(sql`delete from org_recipients where (head_id, user_id) in
    (select head_id, user_id from org_recipients where head_id = ${row.head_id} limit ${limit})`)
  if (deleted < limit) tx.queue(sql`delete from org_sends where head_id = ${row.head_id}`)
  return true
}

type EntryRow = { user_id: UserId; entry_id: NotificationId }

const toEntry = (row: EntryRow): Entry => ({ userId: row.user_id, id: row.entry_id })
