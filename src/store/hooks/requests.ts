// The last requests that a hook got, numbered from 1.
import { LIMITS } from '../../contract/limits.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Hook, HookId } from '../../domain/hooks/hook.ts'
import type { KeptBody, KeptRequest, RequestToKeep } from '../../domain/hooks/request.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { json, nested, rowsOf } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'

const ROWS = rowsOf<KeptRequest>('hook_requests', {
  number: 'number',
  receivedAt: 'received_at',
  method: 'method',
  headers: json('headers'),
  query: 'query',
  body: nested<KeptBody>({ text: 'body', encoding: 'body_encoding', bytes: 'body_bytes' }),
  outcome: json('outcome'),
})

// Returns the number of the request; undefined if the hook has been deleted.
export async function insertRequest(
  tx: Writer,
  { id, userId }: Hook,
  { receivedAt, method, headers, query, body, outcome }: RequestToKeep,
): Promise<number | undefined> {
  // Locks the hook, so no other request gets this number.
  const row = await tx.first<{ requests: number }>(sql`update hooks set requests = requests + 1,
      last_received_at = ${receivedAt} where user_id = ${userId} and id = ${id} returning requests`)
  if (!row) return undefined
  const number = row.requests
  tx.queue(sql`insert into hook_requests (hook_id, number, user_id, received_at, method, headers, query, body,
      body_encoding, body_bytes, outcome)
    values (${id}, ${number}, ${userId}, ${receivedAt}, ${method}, ${JSON.stringify(headers)}, ${query}, ${body.text},
      ${body.encoding}, ${body.bytes}, ${JSON.stringify(outcome)})`)
  tx.queue(sql`delete from hook_requests where hook_id = ${id} and user_id = ${userId}
    and number <= ${number - LIMITS.hook.keptRequests}`)
  return number
}

// Newest first.
export const listRequests = (db: Reader, userId: UserId, hookId: HookId, since: Instant): Promise<KeptRequest[]> =>
  ROWS.all(db, sql`where user_id = ${userId} and hook_id = ${hookId} and received_at > ${since} order by number desc`)

export const findRequest = (
  db: Reader,
  userId: UserId,
  { hookId, number, since }: { hookId: HookId; number: number; since: Instant },
): Promise<KeptRequest | undefined> =>
  ROWS.first(
    db,
    sql`where user_id = ${userId} and hook_id = ${hookId} and number = ${number} and received_at > ${since}`,
  )

export async function deleteRequestsBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from hook_requests where (hook_id, number) in
    (select hook_id, number from hook_requests where received_at < ${at} order by received_at limit ${limit})`)
}
