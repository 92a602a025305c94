// Browsers that wait until the person approves them on a device where they are signed in.
import type { SignInRequest, SignInRequestId } from '../../domain/accounts/sign-in-request.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { rowsOf } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'

const ROWS = rowsOf<SignInRequest>('sign_in_requests', {
  id: 'id',
  code: 'code',
  browser: 'browser',
  address: 'address',
  approvedBy: 'user_id',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
})

// Returns false if another request has the code.
export async function insertSignInRequest(tx: Writer, request: SignInRequest, secret: TokenHash): Promise<boolean> {
  const inserted = await tx.execute(sql`insert into sign_in_requests
      (id, code, secret_hash, browser, address, created_at, expires_at)
    values (${request.id}, ${request.code}, ${secret}, ${request.browser}, ${request.address}, ${request.createdAt},
      ${request.expiresAt})
    on conflict (code) do nothing`)
  return inserted === 1
}

const WAITS = (now: Instant) => sql`user_id is null and expires_at > ${now}`

// By the code that the person types. Not limited to an account: the approval decides whose it is.
export const findWaitingRequest = (db: Reader, code: string, now: Instant): Promise<SignInRequest | undefined> =>
  ROWS.first(db, sql`where code = ${code} and ${WAITS(now)}`)

// Returns false if it no longer waits. The browser has until `expiresAt` to fetch its session.
export async function approveRequest(
  tx: Writer,
  id: string,
  { approvedBy, now, expiresAt }: { approvedBy: UserId; now: Instant; expiresAt: Instant },
): Promise<boolean> {
  const approved = await tx.execute(sql`update sign_in_requests set user_id = ${approvedBy}, expires_at = ${expiresAt}
    where id = ${id} and ${WAITS(now)}`)
  return approved === 1
}

// Returns false if it no longer waits.
export async function deleteWaitingRequest(tx: Writer, id: string, now: Instant): Promise<boolean> {
  return (await tx.execute(sql`delete from sign_in_requests where id = ${id} and ${WAITS(now)}`)) === 1
}

export const findOwnRequest = (
  db: Reader,
  id: string,
  secret: TokenHash,
  now: Instant,
): Promise<SignInRequest | undefined> =>
  ROWS.first(db, sql`where id = ${id} and secret_hash = ${secret} and expires_at > ${now}`)

// The second of two concurrent callers finds none.
export async function takeApprovedRequest(tx: Writer, id: SignInRequestId): Promise<UserId | undefined> {
  const row = await tx.first<{ user_id: UserId }>(
    sql`delete from sign_in_requests where id = ${id} and user_id is not null returning user_id`,
  )
  return row?.user_id
}

export async function deleteApprovedRequests(tx: Writer, userId: UserId): Promise<void> {
  tx.queue(sql`delete from sign_in_requests where user_id = ${userId}`)
}

export async function deleteExpiredRequests(tx: Writer, now: Instant): Promise<number> {
  return tx.execute(sql`delete from sign_in_requests where expires_at <= ${now}`)
}
