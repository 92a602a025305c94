// The accounts of people, and the one-time codes with which they sign in. Organizations are accounts too: what finds people
// by name, or lists them, leaves those out.

import type { Plan } from '../../contract/limits.ts'
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

// Returns false if the name is taken.
export async function insertUser(tx: Writer, user: Omit<User, 'kind' | 'holdsPushes'>): Promise<boolean> {
  const inserted = await tx.execute(sql`insert into users (id, name, nickname, plan, is_operator, created_at)
    values (${user.id}, ${user.name}, ${user.nickname}, ${user.plan}, ${user.isOperator ? 1 : 0}, ${user.createdAt})
    on conflict (name) do nothing`)
  return inserted === 1
}

// Finds the account of a person or of an organization.
export const findUser = (db: Reader, id: UserId): Promise<User | undefined> => ROWS.first(db, sql`where id = ${id}`)

export const findUserByName = (db: Reader, name: string): Promise<User | undefined> =>
  ROWS.first(db, sql`where name = ${name} and kind = 'person'`)

export const listUsers = (db: Reader): Promise<User[]> =>
  ROWS.all(db, sql`where kind = 'person' order by created_at, id`)

export async function hasUsers(db: Reader): Promise<boolean> {
  return (await db.first(sql`select id from users limit 1`)) !== undefined
}

export async function updateNickname(tx: Writer, id: UserId, nickname: string | null): Promise<void> {
  tx.queue(sql`update users set nickname = ${nickname} where id = ${id}`)
}

export async function updatePlan(tx: Writer, id: UserId, plan: Plan): Promise<void> {
  tx.queue(sql`update users set plan = ${plan} where id = ${id}`)
}

export async function updateOperator(tx: Writer, id: UserId, isOperator: boolean): Promise<void> {
  tx.queue(sql`update users set is_operator = ${isOperator ? 1 : 0} where id = ${id}`)
}

// All rows of the user are deleted by cascade.
export async function deleteUser(tx: Writer, id: UserId): Promise<void> {
  tx.queue(sql`delete from users where id = ${id}`)
}

// Locks the account until the transaction ends, so that a count stays valid until the insert.
export async function lockUser(tx: Writer, id: UserId): Promise<void> {
  await tx.lock(sql`select id from users where id = ${id}`)
}

export async function insertSignInCode(tx: Writer, hash: TokenHash, userId: UserId, expiresAt: Instant): Promise<void> {
  tx.queue(sql`insert into sign_in_codes (hash, user_id, expires_at) values (${hash}, ${userId}, ${expiresAt})`)
}

// Deletes the code: the second of two concurrent callers finds none.
export async function takeSignInCode(tx: Writer, hash: TokenHash, now: Instant): Promise<UserId | undefined> {
  const row = await tx.first<{ user_id: UserId }>(
    sql`delete from sign_in_codes where hash = ${hash} and expires_at > ${now} returning user_id`,
  )
  return row?.user_id
}

export async function deleteExpiredSignInCodes(tx: Writer, now: Instant): Promise<number> {
  return tx.execute(sql`delete from sign_in_codes where expires_at <= ${now}`)
}
