// Opens a receipt: checks the cap, inserts the row, and enqueues the jobs that repeat the alert, escalate it and expire it.
import { Problem } from '../../contract/problems.ts'
import type { Sender } from '../../domain/caller.ts'
import type { AlertEscalation } from '../../domain/escalations.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import type { Acknowledgement } from '../../domain/notifications/acknowledge.ts'
import type { Notification, NotificationId } from '../../domain/notifications/notification.ts'
import { lifeSeconds, nextStepAt } from '../../domain/receipts/escalation.ts'
import { isRungByAnother, nextRepeatAt, type Receipt, receiptEvent } from '../../domain/receipts/receipt.ts'
import type { TokenHash } from '../../domain/token.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { findKeyHash } from '../../store/keys.ts'
import { insertTimeline } from '../../store/notifications/timeline.ts'
import { insertReceipt, listActiveReceipts, listReceiptsForUpdate, setGroup } from '../../store/receipts.ts'
import { requireEscalation } from './escalation.ts'

// The hash of the secret that will sign the callback, the policy whose steps are taken, how long the alert lasts, the alert
// that repeats for it if it shares a receipt, and the receipts that the new one supersedes.
export type ReceiptCheck = {
  keyHash?: TokenHash
  escalation?: AlertEscalation
  lifeSeconds: number
  groupId?: NotificationId
  superseded: Receipt[]
}

// Locks the account until the commit, so neither the number of receipts nor the key can change.
export async function checkReceipt(
  tx: Writer,
  sender: Sender,
  acknowledge: Acknowledgement,
  collapseId: string | undefined,
): Promise<ReceiptCheck> {
  const { escalation: slug } = acknowledge
  const { open_alerts: most } = sender.plan.caps
  const { userId, keyId } = sender
  await lockUser(tx, userId)
  const keyHash = keyId === null ? undefined : await findKeyHash(tx, userId, keyId)
  if (keyId !== null && !keyHash) throw new Problem('token.invalid', 'This key was revoked a moment ago.')
  const escalation = slug === undefined ? undefined : copyOf(await requireEscalation(tx, sender, slug))
  const checked = { keyHash, escalation, lifeSeconds: lifeSeconds(acknowledge, escalation?.steps) }
  const active = await listActiveReceipts(tx, userId)
  const superseded = active.filter(
    (receipt) => collapseId !== undefined && receipt.collapseId === collapseId && receipt.keyId === keyId,
  )
  const ringing = active.filter((receipt) => !isRungByAnother(receipt) && !superseded.includes(receipt))
  if (ringing.length < most) return { ...checked, superseded }
  const shared = ringing.find((receipt) => mayShare(acknowledge, receipt))
  if (shared) return { ...checked, superseded, groupId: await joinGroup(tx, shared) }
  throw new Problem(
    'notification_receipt.limit_exceeded',
    `${most} alerts of this account wait to be acknowledged already; cancel one, or send without acknowledge.`,
    { limit: most },
  )
}

const mayShare = ({ sharesWith = [], escalation }: Acknowledgement, receipt: Receipt): boolean =>
  sharesWith.includes(receipt.notificationId) && receipt.escalation?.slug === escalation

// Returns undefined if the alert has ended a moment ago: then there is room for another. From here on it cannot end before
// this transaction, so the end finds the group.
async function joinGroup(tx: Writer, { userId, notificationId }: Receipt): Promise<NotificationId | undefined> {
  const [receipt] = await listReceiptsForUpdate(tx, userId, [notificationId])
  if (receipt?.status !== 'active') return undefined
  await setGroup(tx, userId, [notificationId], notificationId)
  return notificationId
}

const copyOf = ({ slug, name, steps }: AlertEscalation): AlertEscalation => ({ slug, name, steps })

type ReceiptToOpen = Omit<ReceiptCheck, 'superseded'> & { acknowledge: Acknowledgement; collapseId?: string }

export async function openReceipt(
  tx: Writer,
  { id, userId, keyId, createdAt }: Notification,
  { acknowledge, collapseId, keyHash, escalation, lifeSeconds, groupId }: ReceiptToOpen,
): Promise<Receipt> {
  const receipt: Receipt = {
    notificationId: id,
    userId,
    keyId,
    status: 'active',
    repeatSeconds: acknowledge.repeatSeconds,
    repeatsSent: 0,
    tags: acknowledge.tags,
    escalation,
    escalatedSteps: 0,
    collapseId,
    createdAt,
    expiresAt: plusSeconds(createdAt, lifeSeconds),
    groupId,
    callback: acknowledge.callback && { ...acknowledge.callback, status: 'pending', attempts: 0 },
  }
  await insertReceipt(tx, receipt, keyHash)
  if (groupId === undefined) await startRinging(tx, receipt, createdAt)
  else await insertTimeline(tx, userId, id, { at: createdAt, event: 'receipt_shared', detail: String(groupId) })
  const payload = { userId, notificationId: id }
  await enqueueJob(tx, { kind: 'expire-receipt', payload, runAt: receipt.expiresAt })
  await appendEvent(tx, userId, receiptEvent('receipt.created', receipt, createdAt))
  return receipt
}

// The next repeat, and the next step; one whose time has passed is due at once.
export async function startRinging(tx: Writer, receipt: Receipt, now: Instant): Promise<void> {
  await enqueueNextRepeat(tx, receipt, now, now)
  await enqueueNextStep(tx, receipt)
}

// Each repeat has a job of its own, with retries of its own.
export async function enqueueNextRepeat(tx: Writer, receipt: Receipt, dueAt: Instant, now: Instant): Promise<void> {
  const runAt = nextRepeatAt(receipt, dueAt, now)
  if (runAt === undefined) return
  const { userId, notificationId, repeatsSent } = receipt
  const payload = { userId, notificationId, repeat: repeatsSent + 1, dueAt: runAt }
  await enqueueJob(tx, { kind: 'repeat-receipt', payload, runAt })
}

// Each step has a job of its own. One whose time has passed while no node ran is due at once.
export async function enqueueNextStep(tx: Writer, receipt: Receipt): Promise<void> {
  const runAt = nextStepAt(receipt)
  if (runAt === undefined) return
  const { userId, notificationId, escalatedSteps } = receipt
  const payload = { userId, notificationId, step: escalatedSteps + 1 }
  await enqueueJob(tx, { kind: 'escalate-receipt', payload, runAt })
}
