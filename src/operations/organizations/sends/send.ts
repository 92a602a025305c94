// Sends a notification to the members of an organization. The first of them get it in the transaction of the request, and
// are pushed to while the sender waits; a job spreads it to the others in steps.
import { Problem } from '../../../contract/problems.ts'
import { isAnswerable } from '../../../domain/answers/answer.ts'
import { senderOf } from '../../../domain/caller.ts'
import type { Instant } from '../../../domain/instant.ts'
import { deliveryOf, type PushOutcome } from '../../../domain/notifications/delivery.ts'
import type { IncomingNotification, NotificationId } from '../../../domain/notifications/notification.ts'
import { lockUser } from '../../../store/accounts/accounts.ts'
import type { Writer } from '../../../store/engine/database.ts'
import { findNotification } from '../../../store/notifications/notifications.ts'
import { findProgress, findSend } from '../../../store/organizations/sends.ts'
import { findReceipt } from '../../../store/receipts.ts'
import { type SentNotification, sentNotificationView } from '../../../views/notifications.ts'
import { afterCommit } from '../../after-commit.ts'
import type { ClaimedJob, Context } from '../../context.ts'
import { type Idempotent, type IdempotentRequest, idempotently } from '../../idempotency.ts'
import { PUSH_PATIENCE_MS } from '../../notifications/patience.ts'
import { composeMessage, type Message, type RehearsedNotification, requireActivity } from '../../notifications/store.ts'
import { quotaEffect } from '../../quota.ts'
import { enqueueClaimedEntryPushes } from './pushes.ts'
import { type Addressing, type OrgSender, type StoredOrgSend, storeOrgSend } from './store.ts'
import { type OrgCaller, readTarget } from './target.ts'

export async function sendToOrganization(
  ctx: Context,
  caller: OrgCaller,
  input: IncomingNotification,
  request?: IdempotentRequest,
): Promise<Idempotent<SentNotification>> {
  const message = composeOrgMessage(ctx, caller, input)
  const now = ctx.clock.now()
  return idempotently(ctx, caller, request, {
    now,
    commit: async (tx) => {
      const sent = await storeFromRequest(tx, caller, message, input, now)
      const jobs = await enqueueFirstPushes(tx, sent, now)
      return { resourceId: sent.send.headId, complete: () => pushNow(ctx, sent, jobs) }
    },
    recover: (id) => readSentHead(ctx, caller, id as NotificationId),
    view: sentNotificationView,
  })
}

export async function rehearseForOrganization(
  ctx: Context,
  caller: OrgCaller,
  input: IncomingNotification,
): Promise<RehearsedNotification> {
  const message = composeOrgMessage(ctx, caller, input)
  const now = ctx.clock.now()
  const { quota, stored, send } = await ctx.db.rehearse(async (tx) => {
    const sent = await storeFromRequest(tx, caller, message, input, now)
    return {
      ...sent,
      quota: sent.stored.notification.pushed ? await quotaEffect(tx, caller, 'notifications', now) : undefined,
    }
  })
  const { notification, collapseId } = stored
  const { pushed } = notification
  const pushes = pushed ? ctx.push.preview({ kind: 'notification', notification, collapseId }) : []
  const reason = pushed ? undefined : deliveryOf([], false, stored.held).reason
  const recipients = { members: send.members, devices: send.devices }
  return { ...stored, effects: { pushes, quota, reason, recipients } }
}

// Members hold keys of their own, which an organization does not have.
export function composeOrgMessage(ctx: Context, caller: OrgCaller, input: IncomingNotification): Message {
  if (input.encrypted) {
    throw new Problem('notification.encryption_unavailable', 'An organization cannot send encrypted notifications.')
  }
  const { target: _, ...rest } = input
  return composeMessage(ctx, senderOf(caller), rest)
}

// Locks the organization: who joins, leaves or changes groups does so before or after this send.
export async function storeFromRequest(
  tx: Writer,
  caller: OrgCaller,
  message: Message,
  { target }: IncomingNotification,
  now: Instant,
): Promise<StoredOrgSend> {
  await lockUser(tx, caller.userId)
  const addressing: Addressing = { target: target ?? null, targetIds: await readTarget(tx, caller, target) }
  await requireActivity(tx, caller, message.draft.activitySlug)
  return storeOrgSend(tx, senderOf(caller) as OrgSender, message, addressing, now)
}

export async function enqueueFirstPushes(
  tx: Writer,
  { stored, send, entries }: StoredOrgSend,
  now: Instant,
): Promise<ClaimedJob[]> {
  if (!stored.notification.pushed) return []
  const push = { collapseId: stored.collapseId, repeat: stored.receipt?.repeatsSent }
  return enqueueClaimedEntryPushes(tx, send, entries, push, now)
}

async function pushNow(
  ctx: Context,
  { stored, send, entries }: StoredOrgSend,
  jobs: ClaimedJob[],
): Promise<SentNotification> {
  const { notification } = stored
  ctx.dailyCounts.noteSent(notification, stored.held?.reason ?? 'sent', notification.createdAt)
  const tried = jobs.length > 0 ? await ctx.runNow(jobs, PUSH_PATIENCE_MS) : []
  // Devices of members whose entries are not written yet have not been tried.
  const untried = Array<PushOutcome>(Math.max(send.devices - tried.length, 0)).fill('open')
  const receipt =
    stored.receipt &&
    (await afterCommit(findReceipt(ctx.db.read, notification.userId, notification.id), stored.receipt))
  const delivery = deliveryOf([...tried, ...untried], notification.pushed, stored.held)
  const written = { stored: entries.length, isDone: entries.length === send.members }
  const progress = await afterCommit(findProgress(ctx.db.read, send.headId), written)
  return { notification, delivery, answerable: isAnswerable(notification), receipt, orgSend: { ...send, ...progress } }
}

async function readSentHead(ctx: Context, { userId }: OrgCaller, id: NotificationId): Promise<SentNotification> {
  const notification = await findNotification(ctx.db.read, userId, id)
  const send = await findSend(ctx.db.read, id)
  if (!notification || !send) {
    throw new Problem('notification.not_found', 'The notification of the first request has been deleted.')
  }
  const outcomes = Array<PushOutcome>(notification.pushed ? send.devices : 0).fill('open')
  const receipt = await findReceipt(ctx.db.read, userId, id)
  const progress = await findProgress(ctx.db.read, id)
  const delivery = deliveryOf(outcomes, notification.pushed)
  return { notification, delivery, answerable: isAnswerable(notification), receipt, orgSend: { ...send, ...progress } }
}
