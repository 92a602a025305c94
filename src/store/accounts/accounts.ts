// The accounts of people, and the one-time codes with which they sign in. Organizations are accounts too: what finds people
// by name, or lists them, leaves those out.

import type { PlanName } from '../../contract/plans.ts'
import type { User } from '../../domain/accounts/account.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { TokenHash } from '../../domain/token.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { flag, rowsOf } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'

const ROWS = rowsOf<User>('users', {
  id: 'id',
  kind: 'kind',
  name: 'name',
  nickname: 'nickname',
  plan: 'plan',
  isOperator: flag('is_operator'),
  holdsPushes: flag('holds_pushes'),
  createdAt: 'created_at',
})

// Returns false if the name is taken. `sponsorId`: the person whose invitations brought the account.
export async function insertUser(
  tx: Writer,
  user: Omit<User, 'kind' | 'holdsPushes'>,
  sponsorId: UserId | null = null,
): Promise<boolean> {
  const inserted = await tx.execute(sql`insert into users
      (id, name, nickname, plan, is_operator, sponsor_id, created_at)
    values (${user.id}, ${user.name}, ${user.nickname}, ${user.plan}, ${user.isOperator ? 1 : 0}, ${sponsorId},
      ${user.createdAt})
    on conflict (name) do nothing`)
  return inserted === 1
}

// The person against whose limit the accounts count that this person invites: themselves, unless they came by an invitation.
export async function findSponsorId(db: Reader, id: UserId): Promise<UserId | undefined> {
  const row = await db.first<{ sponsor: UserId }>(
    sql`select coalesce(sponsor_id, id) as sponsor from users where id = ${id}`,
  )
  return row?.sponsor
}

export async function countSponsored(db: Reader, sponsorId: UserId): Promise<number> {
  const row = await db.first<{ count: number }>(
    sql`select count(*) as count from users where sponsor_id = ${sponsorId}`,
  )
  return row?.count ?? 0
}

// Finds the account of a person or of an organization.
export const findUser = (db: Reader, id: UserId): Promise<User | undefined> => ROWS.first(db, sql`where id = ${id}`)

export const findUserByName = (db: Reader, name: string): Promise<User | undefined> =>
  ROWS.first(db, sql`where name = ${name} and kind = 'person'`)

export const listUsers = (db: Reader): Promise<User[]> =>
  ROWS.all(db, sql`where kind = 'person' order by created_at, id`)

// With the number of accounts on each.
export const listPlansInUse = (db: Reader): Promise<{ plan: PlanName; count: number }[]> =>
  db.all(sql`select plan, count(*) as count from users where kind <> 'closed-organization' group by plan order by plan`)

export async function hasUsers(db: Reader): Promise<boolean> {
  return (await db.first(sql`select id from users limit 1`)) !== undefined
}

export async function updateNickname(tx: Writer, id: UserId, nickname: string | null): Promise<void> {
  tx.queue(sql`update users set nickname = ${nickname} where id = ${id}`)
}

export async function updatePlan(tx: Writer, id: UserId, plan: PlanName): Promise<void> {
  tx.queue(sql`update users set plan = ${plan} where id = ${id}`)
}

export async function updateOperator(tx: Writer, id: UserId, isOperator: boolean): Promise<void> {
  tx.queue(sql`update users set is_operator = ${isOperator ? 1 : 0} where id = ${id}`)
}

// All rows of the user are deleted by cascade. People who came by their invitations stay, in their own right.
export async function deleteUser(tx: Writer, id: UserId): Promise<void> {
  tx.queue(sql`update users set sponsor_id = null where sponsor_id = ${id}`)
  tx.queue(sql`delete from users where id = ${id}`)
}

// Locks the account until the transaction ends, so that a count stays valid until the insert.
export async function lockUser(tx: Writer, id: UserId): Promise<void> {
  await tx.lock(sql`select id from users where id = ${id}`)
}

// `expiresAt`: null for the code of the link that the person keeps.
export async function insertSignInCode(
  tx: Writer,
  hash: TokenHash,
  userId: UserId,
  expiresAt: Instant | null,
): Promise<void> {
  tx.queue(sql`insert into sign_in_codes (hash, user_id, expires_at) values (${hash}, ${userId}, ${expiresAt})
    on conflict (hash) do nothing`)
}

// Deletes the code: the second of two concurrent callers finds none.
export async function takeSignInCode(
  tx: Writer,
  hash: TokenHash,
  now: Instant,
): Promise<{ userId: UserId; isKept: boolean } | undefined> {
  const row = await tx.first<{ user_id: UserId; expires_at: Instant | null }>(sql`delete from sign_in_codes
    where hash = ${hash} and (expires_at is null or expires_at > ${now}) returning user_id, expires_at`)
  return row && { userId: row.user_id, isKept: row.expires_at === null }
}

export async function deleteKeptCode(tx: Writer, userId: UserId): Promise<void> {
  tx.queue(sql`delete from sign_in_codes where user_id = ${userId} and expires_at is null`)
}

export async function deleteSignInCodes(tx: Writer, userId: UserId): Promise<void> {
  tx.queue(sql`delete from sign_in_codes where user_id = ${userId}`)
}

export async function deleteExpiredSignInCodes(tx: Writer, now: Instant): Promise<number> {
  return tx.execute(sql`delete from sign_in_codes where expires_at <= ${now}`)
}
