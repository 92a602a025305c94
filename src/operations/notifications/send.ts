// Sends a notification: stores it, then pushes it while the sender waits. The worker goes on with pushes that take longer.
// A rehearsal (`dry_run`) takes the same path, and its transaction is rolled back.

import type { NotificationInput } from '../../contract/notifications/notification.ts'
import { Problem } from '../../contract/problems.ts'
import { isAnswerable } from '../../domain/answers/answer.ts'
import { type Caller, senderOf } from '../../domain/caller.ts'
import { isBarkAddress } from '../../domain/devices.ts'
import type { Attachment } from '../../domain/files.ts'
import type { Instant } from '../../domain/instant.ts'
import { attached } from '../../domain/notifications/attachments.ts'
import { deliveryOf, type PushOutcome } from '../../domain/notifications/delivery.ts'
import { type IncomingNotification, isPushedTo, type NotificationId } from '../../domain/notifications/notification.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import { publicUrlOf } from '../../runtime/settings.ts'
import { listAddresses } from '../../store/devices/push-tokens.ts'
import type { Group, Writer } from '../../store/engine/database.ts'
import { reserveNotificationId } from '../../store/notifications/insert.ts'
import { findNotification } from '../../store/notifications/notifications.ts'
import { findProgress } from '../../store/organizations/sends.ts'
import { findReceipt } from '../../store/receipts.ts'
import type { DryRunEffects } from '../../views/dry-run.ts'
import { type SentNotification, sentNotificationView } from '../../views/notifications.ts'
import { afterCommit } from '../after-commit.ts'
import type { ClaimedJob, Context } from '../context.ts'
import { findAttachments } from '../files/attach.ts'
import { withHolds } from '../holds/hold.ts'
import { type Idempotent, type IdempotentRequest, idempotently } from '../idempotency.ts'
import { quotaEffect } from '../quota.ts'
import { lockAndAddress, orgCallerOf } from '../targets.ts'
import { PUSH_PATIENCE_MS, type StoredMessage, storeMessage } from './account.ts'
import { findShownSend } from './states.ts'
import { composeRequest, type Message, requireActivity, type Stored } from './store.ts'

export type ReservedId = Promise<NotificationId | undefined>

// `publicUrl`: the address of this server in links. `links`: of a rehearsal, to files that are not stored.
export type SendOptions = { reserving?: ReservedId | undefined; publicUrl?: string; links?: Attachment[] }

// Saves the transaction of a send a round trip to PostgreSQL, if another one is made anyway, such as that for the token.
export const beginSending = (ctx: Context): ReservedId => reserveNotificationId(ctx.db)

export async function sendNotification(
  ctx: Context,
  caller: Caller,
  input: IncomingNotification,
  request?: IdempotentRequest,
  options?: SendOptions,
): Promise<Idempotent<SentNotification>> {
  const { now, group, store } = await prepareSend(ctx, caller, input, options)
  return idempotently(ctx, caller, request, {
    now,
    group,
    commit: async (tx) => {
      const stored = await store(tx)
      const jobs = await stored.pushes.claim()
      return { resourceId: stored.notification.id, complete: () => pushNow(ctx, stored, jobs) }
    },
    recover: (id) => readSent(ctx, caller, id as NotificationId),
    view: sentNotificationView,
  })
}

export type RehearsedNotification = Stored & { effects: DryRunEffects }

export async function rehearseNotification(
  ctx: Context,
  caller: Caller,
  input: IncomingNotification,
  options?: SendOptions,
): Promise<RehearsedNotification> {
  const { now, store } = await prepareSend(ctx, caller, input, options)
  const {
    quota,
    orgSend,
    pushes: _,
    ...stored
  } = await ctx.db.rehearse(async (tx) => {
    const stored = await store(tx)
    const { pushed } = stored.notification
    return { ...stored, quota: pushed ? await quotaEffect(tx, caller, 'notifications', now) : undefined }
  })
  const { notification, collapseId } = stored
  const { pushed } = notification
  const bark = await barkPreviewOf(ctx, stored)
  const pushes = pushed ? ctx.push.preview({ kind: 'notification', notification, collapseId, bark }) : []
  const reason = pushed ? undefined : deliveryOf([], false, stored.held).reason
  const recipients = orgSend && { members: orgSend.members, devices: orgSend.devices }
  return { ...stored, effects: { pushes, quota, reason, recipients } }
}

async function barkPreviewOf({ db, config }: Context, { notification, receipt }: Stored) {
  const address = (await listAddresses(db.read, notification.userId)).find(isBarkAddress)
  return address && { options: address.options, publicUrl: publicUrlOf(config), isAlert: receipt !== undefined }
}

// `store` is the work of the transaction. See TransactOptions for `group`.
type PreparedSend = { now: Instant; group?: Group | undefined; store: (tx: Writer) => Promise<StoredMessage> }

// Everything that comes before the transaction.
async function prepareSend(
  ctx: Context,
  caller: Caller,
  input: IncomingNotification,
  { reserving, publicUrl = publicUrlOf(ctx.config), links = [] }: SendOptions = {},
): Promise<PreparedSend> {
  requirePermission(caller, input)
  const sender = senderOf(caller)
  const now = ctx.clock.now()
  const composed = composeRequest(ctx, caller, input)
  const organization = orgCallerOf(caller)
  const { attachments: given = [] } = input
  // Inside the transaction: a repeated request must not ask for a file that the first one has taken.
  const withFiles = async (tx: Writer, message: Message): Promise<Message> => {
    if (given.length + links.length === 0) return message
    const files = await findAttachments(tx, given, { userId: caller.userId, publicUrl, until: now })
    return { ...message, draft: attached(message.draft, [...files, ...links]) }
  }
  const message = organization ? composed : await readBeforeSend(ctx, caller, composed, now, reserving)
  return {
    now,
    group: organization || given.length > 0 ? undefined : groupOf(caller, message),
    store: async (tx) => {
      const to = organization && (await lockAndAddress(tx, organization, input.target))
      await requireActivity(tx, caller, message.draft.activitySlug)
      const filled = await withFiles(tx, to ? { ...message, to } : message)
      return storeMessage(tx, sender, filled, now)
    },
  }
}

// Asked at the same time, which is one round trip to PostgreSQL.
async function readBeforeSend(
  ctx: Context,
  caller: Caller,
  composed: Message,
  now: Instant,
  reserving: ReservedId | undefined,
): Promise<Message> {
  const [message, addresses, reservedId] = await Promise.all([
    withHolds(ctx.db.read, senderOf(caller), composed, now),
    composed.push ? listAddresses(ctx.db.read, caller.userId) : [],
    reserving ?? (composed.push ? beginSending(ctx) : undefined),
  ])
  const reached = addresses.filter(({ deviceId }) => isPushedTo(composed.draft, deviceId))
  return { ...message, addresses: reached, reservedId }
}

// A send locks the usage of its account, if it is pushed, or the job of the digest, if quiet hours hold it, and then the feed.
// Alerts lock receipts too, and e-mails the usage of their own. Storm shields decide by the row that the send before has changed.
function groupOf(
  { userId }: Caller,
  { draft, push, held, acknowledge, email, shields = [] }: Message,
): Group | undefined {
  if (acknowledge || email) return undefined
  if (!push) return { kind: held ? `send-${held.reason}` : 'send', account: userId }
  if (shields.length === 0) return { kind: 'send-pushed', account: userId }
  // It reads the activity before it locks the shields.
  return draft.activitySlug ? undefined : { kind: 'send-shielded', account: userId, row: 'shields' }
}

async function pushNow(
  ctx: Context,
  { notification, orgSend, ...stored }: StoredMessage,
  jobs: ClaimedJob[],
): Promise<SentNotification> {
  const { userId, id, pushed, createdAt } = notification
  ctx.dailyCounts.noteSent(notification, stored.held?.reason ?? 'sent', createdAt)
  const tried = jobs.length > 0 ? await ctx.runNow(jobs, PUSH_PATIENCE_MS) : []
  // Devices of members whose entries are not written yet have not been tried.
  const outcomes = [...tried, ...openOutcomes((orgSend?.devices ?? 0) - tried.length)]
  // Read again, because the push has changed it.
  const receipt = stored.receipt && (await afterCommit(findReceipt(ctx.db.read, userId, id), stored.receipt))
  const progress = orgSend && (await afterCommit(findProgress(ctx.db.read, id), orgSend))
  return {
    notification,
    delivery: deliveryOf(outcomes, pushed, stored.held),
    answerable: isAnswerable(notification),
    receipt,
    quota: stored.quota,
    orgSend: orgSend && { ...orgSend, ...progress },
  }
}

const openOutcomes = (count: number): PushOutcome[] => Array<PushOutcome>(Math.max(count, 0)).fill('open')

export function requirePermission(
  caller: Caller,
  { activity_slug }: NotificationInput,
  level: 'send' | 'schedule' = 'send',
): void {
  requireLevel(caller, 'notifications', level)
  if (!activity_slug) return
  requireLevel(caller, 'activities', 'read')
  requireSlug(caller, 'activities', activity_slug)
}

async function readSent(ctx: Context, caller: Caller, id: NotificationId): Promise<SentNotification> {
  const { read } = ctx.db
  const notification = await findNotification(read, caller.userId, id)
  const orgSend = orgCallerOf(caller) && (await findShownSend(read, id))
  if (!notification || (orgCallerOf(caller) && !orgSend)) {
    throw new Problem('notification.not_found', 'The notification of the first request has been deleted.')
  }
  const { pushed } = notification
  const delivery = deliveryOf(openOutcomes(pushed ? (orgSend?.devices ?? 1) : 0), pushed)
  const receipt = await findReceipt(read, caller.userId, id)
  return { notification, delivery, answerable: isAnswerable(notification), receipt, orgSend }
}
