// The escalation policy that an alert, a heartbeat, a schedule or a hook names.
import { Problem } from '../../contract/problems.ts'
import type { Sender } from '../../domain/caller.ts'
import type { Escalation } from '../../domain/escalations/escalation.ts'
import { isInsideLimit } from '../../domain/organizations/target.ts'
import type { Reader } from '../../store/engine/database.ts'
import { findEscalation } from '../../store/escalations.ts'
import { findKey } from '../../store/integration-keys.ts'

// A key that is limited to a part of the organization may not reach others by way of a policy.
export async function requireEscalation(
  db: Reader,
  { userId, keyId }: Pick<Sender, 'userId' | 'keyId'>,
  slug: string,
): Promise<Escalation> {
  const escalation = await findEscalation(db, userId, slug)
  if (!escalation) throw new Problem('escalation.unknown', `There is no escalation policy "${slug}".`)
  const targets = escalation.steps.flatMap(({ targetIds }) => targetIds ?? [])
  const key = keyId !== null && targets.length > 0 ? await findKey(db, userId, keyId) : undefined
  const limit = key?.target ?? null
  if (targets.every((target) => isInsideLimit(target, limit))) return escalation
  throw new Problem(
    'integration_key.target_denied',
    `A step of the escalation policy "${slug}" reaches groups, tags or members outside those that this key is limited to.`,
  )
}
