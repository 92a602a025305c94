// Members whom a step of an escalation policy adds to an alert of an organization. They get an entry like everyone else, can
// acknowledge it, and are pushed to on the devices that the target of the step allows.
import { LIMITS } from '../../../contract/limits.ts'
import type { TargetIds } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { OrgSend } from '../../../domain/organizations/send.ts'
import type { Writer } from '../../../store/engine/database.ts'
import { enqueueJob } from '../../../store/jobs.ts'
import { findNotification } from '../../../store/notifications/notifications.ts'
import { countAddedDevices, insertAddedRecipients } from '../../../store/organizations/reach.ts'
import { addToSend } from '../../../store/organizations/sends.ts'
import { writeEntries } from './entries.ts'

// The caller holds the lock on the organization. Returns the number of members added: an alert reaches a bounded number in
// all. The first of them get their entries here; the job that spreads notifications writes the others.
export async function addMembers(
  tx: Writer,
  send: OrgSend,
  { step, target }: { step: number; target: TargetIds },
  now: Instant,
): Promise<number> {
  const { headId, orgId } = send
  const head = await findNotification(tx, orgId, headId)
  const room = LIMITS.organization.maxAcknowledging - send.members
  if (!head || room <= 0) return 0
  const members = await insertAddedRecipients(tx, send, { step, target }, room)
  if (members === 0) return 0
  const devices = await countAddedDevices(tx, send, { step, target }, now)
  await addToSend(tx, headId, { members, devices })
  const entries = await writeEntries(tx, head, send, now, { most: LIMITS.organization.membersPerStep })
  if (entries.length < members) {
    const payload = { userId: orgId, notificationId: headId }
    await enqueueJob(tx, { kind: 'spread-notification', payload, runAt: now })
  }
  return members
}
