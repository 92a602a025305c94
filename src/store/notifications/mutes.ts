// Mutes of an account. A target has at most one.
import type { UserId } from '../../domain/caller.ts'
import type { Mute, MuteTarget } from '../../domain/holds/hold.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { type Row, rowsOf } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'

const ROWS = rowsOf<Mute>('mutes', { id: 'id', kind: 'kind', value: 'value', until: 'until', createdAt: 'created_at' })

// Cached, because every send reads them. Includes those that have ended and are not deleted yet.
export const listMutes = (db: Reader, userId: UserId): Promise<readonly Mute[]> =>
  db.cached(sql`select ${ROWS.columns} from mutes where user_id = ${userId} order by until, id`, (rows: Row[]) =>
    rows.map(ROWS.make),
  )

// Returns the mute as it is now: a target that is muted already keeps its id.
export async function saveMute(tx: Writer, userId: UserId, mute: Mute): Promise<Mute> {
  const row = await tx.first<Row>(sql`insert into mutes (id, user_id, kind, value, until, created_at)
    values (${mute.id}, ${userId}, ${mute.kind}, ${mute.value}, ${mute.until}, ${mute.createdAt})
    on conflict (user_id, kind, value) do update set until = excluded.until
    returning ${ROWS.columns}`)
  if (!row) throw new Error('upsert returned no mute')
  return ROWS.make(row)
}

// How many other targets are muted.
export const countOtherMutes = (db: Reader, userId: UserId, { kind, value }: MuteTarget): Promise<number> =>
  ROWS.count(db, sql`where user_id = ${userId} and not (kind = ${kind} and value = ${value})`)

// Returns false if there is none.
export async function deleteMute(tx: Writer, userId: UserId, id: string): Promise<boolean> {
  return (await tx.execute(sql`delete from mutes where user_id = ${userId} and id = ${id}`)) === 1
}

export async function deleteEndedMutesOf(tx: Writer, userId: UserId, now: Instant): Promise<void> {
  tx.queue(sql`delete from mutes where user_id = ${userId} and until <= ${now}`)
}

// Accounts with mutes that have ended, in the order of their ids.
export async function listWithEndedMutes(db: Reader, now: Instant, limit: number): Promise<UserId[]> {
  const rows = await db.all<{ user_id: UserId }>(
    sql`select distinct user_id from mutes where until <= ${now} order by user_id limit ${limit}`,
  )
  return rows.map(({ user_id }) => user_id)
}
