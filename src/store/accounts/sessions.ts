// The full-access tokens of an account as sessions: listed, and ended by their ids.

import type { Session, SessionId } from '../../domain/accounts/session.ts'
import type { UserId } from '../../domain/caller.ts'
import { type Instant, instant, instantOrNull } from '../../domain/instant.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'
import { revocationTopic } from './tokens.ts'

// An account has few; the cap bounds what a program that signs in again and again can make a request read.
const MOST_LISTED = 500

// The last used first.
export async function listSessions(db: Reader, userId: UserId): Promise<Session[]> {
  const rows =
    await db.all<SessionRow>(sql`select t.id, t.hash, t.device_id, t.is_console, t.created_at, t.last_used_at,
      coalesce(d.name, t.name) as name
    from tokens t left join devices d on d.user_id = t.user_id and d.id = t.device_id
    where t.user_id = ${userId} and t.kind = 'hla'
    order by coalesce(t.last_used_at, t.created_at) desc, t.id limit ${MOST_LISTED}`)
  return rows.map(toSession)
}

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

type SessionRow = {
  id: SessionId
  hash: TokenHash
  device_id: string | null
  is_console: number
  created_at: number
  last_used_at: number | null
  name: string | null
}

const toSession = (row: SessionRow): Session => ({
  id: row.id,
  tokenHash: row.hash,
  kind: row.device_id !== null ? 'device' : row.is_console === 1 ? 'console' : 'token',
  name: row.name,
  createdAt: instant(row.created_at),
  lastUsedAt: instantOrNull(row.last_used_at),
})
