// The full-access tokens of an account as sessions: listed, and ended by their ids.

import type { Session, SessionId } from '../../domain/accounts/session.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { rowsOf } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'
import { revocationTopic } from './tokens.ts'

// An account has few; the cap bounds what a program that signs in again and again can make a request read.
const MOST_LISTED = 500

const ROWS = rowsOf<Session>('tokens t left join devices d on d.user_id = t.user_id and d.id = t.device_id', {
  id: 't.id',
  tokenHash: 't.hash',
  kind: {
    columns: 't.device_id, t.is_console',
    read: (row) => (row.device_id !== null ? 'device' : row.is_console === 1 ? 'console' : 'token'),
  },
  name: 'coalesce(d.name, t.name) as name',
  createdAt: 't.created_at',
  lastUsedAt: 't.last_used_at',
})

// The last used first.
export const listSessions = (db: Reader, userId: UserId): Promise<Session[]> =>
  ROWS.all(
    db,
    sql`where t.user_id = ${userId} and t.kind = 'hla'
    order by coalesce(t.last_used_at, t.created_at) desc, t.id limit ${MOST_LISTED}`,
  )

export async function updateSessionUse(tx: Writer, userId: UserId, hash: TokenHash, at: Instant): Promise<void> {
  tx.queue(sql`update tokens set last_used_at = ${at} where user_id = ${userId} and hash = ${hash}`)
}

// Returns false if there is no such session.
export async function deleteSession(tx: Writer, userId: UserId, id: string): Promise<boolean> {
  tx.signal(revocationTopic(userId))
  return (await tx.execute(sql`delete from tokens where user_id = ${userId} and kind = 'hla' and id = ${id}`)) === 1
}

// Returns the ids of those that were deleted: all, or all but one.
export async function deleteSessions(
  tx: Writer,
  userId: UserId,
  { except }: { except: TokenHash | undefined },
): Promise<SessionId[]> {
  tx.signal(revocationTopic(userId))
  const rows = await tx.all<{ id: SessionId }>(sql`delete from tokens
    where user_id = ${userId} and kind = 'hla' and hash <> ${except ?? ''} returning id`)
  return rows.map(({ id }) => id)
}
