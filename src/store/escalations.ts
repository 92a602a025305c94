// Escalation policies of an account, by slug.
import type { UserId } from '../domain/caller.ts'
import type { Escalation, EscalationId } from '../domain/escalations.ts'
import { instant } from '../domain/instant.ts'
import { type Targeted, targeted } from '../domain/organizations/limit.ts'
import type { Reader, Writer } from './engine/database.ts'
import { fragment, sql } from './engine/sql.ts'

const COLUMNS = fragment('id, user_id, slug, name, steps, created_at, updated_at')

export async function insertEscalation(tx: Writer, escalation: Escalation): Promise<void> {
  const { id, userId, slug, name, steps, createdAt, updatedAt } = escalation
  tx.queue(sql`insert into escalations (id, user_id, slug, name, steps, created_at, updated_at)
    values (${id}, ${userId}, ${slug}, ${name}, ${JSON.stringify(steps)}, ${createdAt}, ${updatedAt})`)
}

export type TargetedEscalation = Targeted<Escalation>

export async function findEscalation(
  db: Reader,
  userId: UserId,
  slug: string,
): Promise<TargetedEscalation | undefined> {
  const row = await db.first<EscalationRow>(
    sql`select ${COLUMNS} from escalations where user_id = ${userId} and slug = ${slug}`,
  )
  return row && toTargeted(row)
}

// Newest first.
export async function listEscalations(db: Reader, userId: UserId): Promise<TargetedEscalation[]> {
  const rows = await db.all<EscalationRow>(
    sql`select ${COLUMNS} from escalations where user_id = ${userId} order by created_at desc, id desc`,
  )
  return rows.map(toTargeted)
}

export async function countEscalations(db: Reader, userId: UserId): Promise<number> {
  const row = await db.first<{ count: number }>(
    sql`select count(*) as count from escalations where user_id = ${userId}`,
  )
  return row?.count ?? 0
}

// The caller has locked the account.
export async function updateEscalation(tx: Writer, escalation: Escalation): Promise<void> {
  const { id, userId, name, steps, updatedAt } = escalation
  tx.queue(sql`update escalations set name = ${name}, steps = ${JSON.stringify(steps)}, updated_at = ${updatedAt}
    where user_id = ${userId} and id = ${id}`)
}

export async function deleteEscalation(tx: Writer, userId: UserId, id: EscalationId): Promise<void> {
  tx.queue(sql`delete from escalations where user_id = ${userId} and id = ${id}`)
}

type EscalationRow = {
  id: EscalationId
  user_id: UserId
  slug: string
  name: string
  steps: string
  created_at: number
  updated_at: number
}

function toTargeted(row: EscalationRow): TargetedEscalation {
  const escalation = toEscalation(row)
  return targeted(
    escalation,
    escalation.steps.flatMap(({ targetIds }) => targetIds ?? []),
  )
}

const toEscalation = (row: EscalationRow): Escalation => ({
  id: row.id,
  userId: row.user_id,
  slug: row.slug,
  name: row.name,
  steps: JSON.parse(row.steps),
  createdAt: instant(row.created_at),
  updatedAt: instant(row.updated_at),
})
