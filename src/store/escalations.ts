// Escalation policies of an account, by slug.
import type { Escalation } from '../domain/escalations.ts'
import { type Targeted, targeted } from '../domain/organizations/limit.ts'
import { collection, NEWEST_FIRST } from './collection.ts'
import type { Writer } from './engine/database.ts'
import { json, rowsOf } from './engine/rows.ts'
import { sql } from './engine/sql.ts'

export type TargetedEscalation = Targeted<Escalation>

const ROWS = rowsOf<Escalation>('escalations', {
  id: 'id',
  userId: 'user_id',
  slug: 'slug',
  name: 'name',
  steps: json('steps'),
  createdAt: 'created_at',
  updatedAt: 'updated_at',
}).as((escalation): TargetedEscalation => {
  return targeted(
    escalation,
    escalation.steps.flatMap(({ targetIds }) => targetIds ?? []),
  )
})

export async function insertEscalation(tx: Writer, escalation: Escalation): Promise<void> {
  const { id, userId, slug, name, steps, createdAt, updatedAt } = escalation
  tx.queue(sql`insert into escalations (id, user_id, slug, name, steps, created_at, updated_at)
    values (${id}, ${userId}, ${slug}, ${name}, ${JSON.stringify(steps)}, ${createdAt}, ${updatedAt})`)
}

export const {
  find: findEscalation,
  list: listEscalations,
  count: countEscalations,
  remove: deleteEscalation,
} = collection(ROWS, { name: 'slug', order: NEWEST_FIRST })

// The caller has locked the account.
export async function updateEscalation(tx: Writer, escalation: Escalation): Promise<void> {
  const { id, userId, name, steps, updatedAt } = escalation
  tx.queue(sql`update escalations set name = ${name}, steps = ${JSON.stringify(steps)}, updated_at = ${updatedAt}
    where user_id = ${userId} and id = ${id}`)
}
