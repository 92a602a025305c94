// Stores a notification of an organization: the head, the list of reached members, and the entries of the first of them.
// Who is reached is decided here, once, under the lock of the organization.
import { LIMITS } from '../../../contract/limits.ts'
import { Problem } from '../../../contract/problems.ts'
import type { Sender } from '../../../domain/caller.ts'
import type { OrgId } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { Addressing, Entry, OrgSend } from '../../../domain/organizations/send.ts'
import type { Writer } from '../../../store/engine/database.ts'
import { enqueueJob } from '../../../store/jobs.ts'
import { countReached, countReachedDevices, insertRecipients } from '../../../store/organizations/reach.ts'
import { insertSend } from '../../../store/organizations/sends.ts'
import { type Alongside, type Message, type Stored, storeNotification } from '../store.ts'
import { writeEntries } from './entries.ts'

export type FannedOut = { stored: Stored; send: OrgSend; entries: Entry[] }

// The caller holds the lock on the organization. As for every account, the number of members, the receipt cap and the quota
// are checked before the first write.
export async function storeAndFanOut(
  tx: Writer,
  sender: Sender,
  { to: { target, targetIds }, ...message }: Message & { to: Addressing },
  now: Instant,
  alongside?: Alongside,
): Promise<FannedOut> {
  const orgId = sender.userId as OrgId
  if (message.acknowledge) requireFewEnough(await countReached(tx, orgId, targetIds))
  const stored = await storeNotification(tx, sender, { ...message, isRead: true }, now, alongside)
  const { id: headId } = stored.notification
  const members = await insertRecipients(tx, headId, orgId, targetIds)
  const devices = await countReachedDevices(tx, orgId, targetIds, now)
  const send: OrgSend = { headId, orgId, target, targetIds, collapseId: stored.collapseId, members, devices }
  await insertSend(tx, send, now)
  const most = LIMITS.organization.membersPerStep
  const entries = await writeEntries(tx, stored.notification, send, now, { most })
  if (entries.length < members) {
    const payload = { userId: orgId, notificationId: headId }
    await enqueueJob(tx, { kind: 'spread-notification', payload, runAt: now })
  }
  return { stored, send, entries }
}

// Every repeat is a push to each device of each of them.
function requireFewEnough(members: number): void {
  const { maxAcknowledging } = LIMITS.organization
  if (members <= maxAcknowledging) return
  const message = `is possible for at most ${maxAcknowledging} members; this reaches ${members}`
  throw new Problem('notification.invalid', `acknowledge ${message}.`, {
    errors: [{ location: 'body.acknowledge', message }],
  })
}
