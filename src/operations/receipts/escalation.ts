// The escalation policy that an alert, a heartbeat, a schedule or a hook names.
import type { NotificationInput } from '../../contract/notifications/notification.ts'
import { Problem } from '../../contract/problems.ts'
import type { Sender } from '../../domain/caller.ts'
import type { Escalation } from '../../domain/escalations.ts'
import { openUsable, targetDenied } from '../../domain/organizations/limit.ts'
import { lifeSeconds } from '../../domain/receipts/escalation.ts'
import type { Reader } from '../../store/engine/database.ts'
import { findEscalation } from '../../store/escalations.ts'
import { limitOfKey } from '../targets.ts'

// For an alert that is sent later: its policy must exist, and its last step must come before the alert expires.
export async function requireEscalationFor(
  db: Reader,
  sender: Pick<Sender, 'userId' | 'keyId'>,
  acknowledge: NotificationInput['acknowledge'],
): Promise<void> {
  if (acknowledge?.escalation === undefined) return
  const { steps } = await requireEscalation(db, sender, acknowledge.escalation)
  lifeSeconds({ expireSeconds: acknowledge.expire_seconds, repeatSeconds: 0 }, steps)
}

// A key that is limited to a part of the organization may not reach others by way of a policy.
export async function requireEscalation(
  db: Reader,
  { userId, keyId }: Pick<Sender, 'userId' | 'keyId'>,
  slug: string,
): Promise<Escalation> {
  const found = await findEscalation(db, userId, slug)
  if (!found) throw new Problem('escalation.unknown', `There is no escalation policy "${slug}".`)
  const limit = found.targets.length > 0 ? await limitOfKey(db, userId, keyId) : null
  const escalation = openUsable(limit, found)
  if (escalation) return escalation
  throw targetDenied(
    `A step of the escalation policy "${slug}" reaches groups, tags or members outside those that this key is limited to.`,
  )
}
