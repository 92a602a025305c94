// Entries: the notification of an organization in the inbox of a member.
import { Buffer } from 'node:buffer'
import type { UserId } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Entry, EntryOrigin } from '../../domain/organizations/send.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { rowsOf } from '../engine/rows.ts'
import { eachText, sql } from '../engine/sql.ts'

// Someone who has left keeps the entry and can do nothing with it but read and delete it.
const ROWS = rowsOf<EntryOrigin>(
  `notifications n join memberships m on m.org_id = n.org_id and m.user_id = n.user_id
  join users o on o.id = n.org_id and o.kind = 'organization'`,
  { userId: 'n.user_id', entryId: 'n.id', orgId: 'n.org_id', headId: 'n.org_notification_id' },
)

// Undefined if it is no entry of this person, or they are not a member (any more).
export const findOrigin = (db: Reader, userId: UserId, entryId: NotificationId): Promise<EntryOrigin | undefined> =>
  ROWS.first(db, sql`where n.user_id = ${userId} and n.id = ${entryId}`)

// By the ticket in a push, which identifies the entry by itself.
export const findOriginByTicket = (db: Reader, entryId: NotificationId): Promise<EntryOrigin | undefined> =>
  ROWS.first(db, sql`where n.id = ${entryId}`)

// What all entries of a head have in common, made once.
export type EntryTemplate = {
  orgId: OrgId
  headId: NotificationId
  level: string
  threadId: string | null
  source: string | null
  pushed: boolean
  createdAt: number
  searchText: string
  content: string
}

export const entryBytes = ({ content, searchText }: EntryTemplate): number =>
  Buffer.byteLength(content) + Buffer.byteLength(searchText)

// Adds the notification to the inbox of each of these members. Few statements, however many they are.
export async function insertEntries(
  tx: Writer,
  userIds: readonly UserId[],
  template: EntryTemplate,
  bytes: number,
): Promise<Entry[]> {
  if (userIds.length === 0) return []
  const { orgId, headId, level, threadId, source, pushed, createdAt, searchText, content } = template
  const rows = await tx.all<{
    user_id: UserId
    id: NotificationId
  }>(sql`insert into notifications (user_id, key_id, level,
      thread_id, source, pushed, bytes, created_at, read_at, org_id, org_notification_id, collapse_id)
    select value, null, ${level}, ${threadId}, ${source}, ${pushed ? 1 : 0}, ${bytes}, ${createdAt}, null, ${orgId},
      ${headId}, (select h.collapse_id from notifications h where h.id = ${headId})
    from ${eachText(JSON.stringify(userIds))} returning user_id, id`)
  tx.queue(sql`insert into notification_contents (notification_id, search_text, content)
    select cast(value as bigint), ${searchText}, ${content} from ${eachText(JSON.stringify(rows.map(({ id }) => id)))}`)
  return rows.map(({ user_id, id }) => ({ userId: user_id, id }))
}
