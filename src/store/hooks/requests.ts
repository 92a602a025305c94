// The last requests that a hook got, numbered from 1.
import type { HookOutcome } from '../../contract/hooks.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Hook, HookId } from '../../domain/hooks/hook.ts'
import type { KeptBody, KeptRequest, RequestToKeep } from '../../domain/hooks/request.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, sql } from '../engine/sql.ts'

const COLUMNS = fragment('number, received_at, method, headers, query, body, body_encoding, body_bytes, outcome')

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
export async function listRequests(db: Reader, userId: UserId, hookId: HookId, since: Instant): Promise<KeptRequest[]> {
  const rows = await db.all<RequestRow>(sql`select ${COLUMNS} from hook_requests
    where user_id = ${userId} and hook_id = ${hookId} and received_at > ${since} order by number desc`)
  return rows.map(toRequest)
}

export async function findRequest(
  db: Reader,
  userId: UserId,
  { hookId, number, since }: { hookId: HookId; number: number; since: Instant },
): Promise<KeptRequest | undefined> {
  const row = await db.first<RequestRow>(sql`select ${COLUMNS} from hook_requests
    where user_id = ${userId} and hook_id = ${hookId} and number = ${number} and received_at > ${since}`)
  return row && toRequest(row)
}

export async function deleteRequestsBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from hook_requests where (hook_id, number) in
    (select hook_id, number from hook_requests where received_at < ${at} order by received_at limit ${limit})`)
}

type RequestRow = {
  number: number
  received_at: number
  method: string
  headers: string
  query: string
  body: string
  body_encoding: KeptBody['encoding']
  body_bytes: number
  outcome: string
}

const toRequest = (row: RequestRow): KeptRequest => ({
  number: row.number,
  receivedAt: instant(row.received_at),
  method: row.method,
  headers: JSON.parse(row.headers),
  query: row.query,
  body: { text: row.body, encoding: row.body_encoding, bytes: row.body_bytes },
  outcome: JSON.parse(row.outcome) as HookOutcome,
})
