// Escalation policies of an account, by slug.
import type { UserId } from '../domain/caller.ts'
import type { Escalation, EscalationId } from '../domain/escalations.ts'
import { instant } from '../domain/instant.ts'
import { type Targeted, targeted } from '../domain/organizations/limit.ts'
import { collection, NEWEST_FIRST } from './collection.ts'
import type { Writer } from './engine/database.ts'
import { fragment, sql } from './engine/sql.ts'

const COLUMNS = fragment('id, user_id, slug, name, steps, created_at, updated_at')

export async function insertEscalation(tx: Writer, escalation: Escalation): Promise<void> {
  const { id, userId, slug, name, steps, createdAt, updatedAt } = escalation
  tx.queue(sql`insert into escalations (id, user_id, slug, name, steps, created_at, updated_at)
    values (${id}, ${userId}, ${slug}, ${name}, ${JSON.stringify(steps)}, ${createdAt}, ${updatedAt})`)
}

export type TargetedEscalation = Targeted<Escalation>

export const {
  find: findEscalation,
  list: listEscalations,
  count: countEscalations,
  remove: deleteEscalation,
} = collection({ table: 'escalations', columns: COLUMNS, name: 'slug', order: NEWEST_FIRST }, toTargeted)

// The caller has locked the account.
export async function updateEscalation(tx: Writer, escalation: Escalation): Promise<void> {
  const { id, userId, name, steps, updatedAt } = escalation
  tx.queue(sql`update escalations set name = ${name}, steps = ${JSON.stringify(steps)}, updated_at = ${updatedAt}
    where user_id = ${userId} and id = ${id}`)
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

function toEscalation(row: EscalationRow): Escalation {
  return {
    id: row.id,
    userId: row.user_id,
    slug: row.slug,
    name: row.name,
    steps: JSON.parse(row.steps),
    createdAt: instant(row.created_at),
    updatedAt: instant(row.updated_at),
  }
}
