// Puts a notification into the inbox, whoever sends it and whenever: paid for, stored, announced, and with one push job
// per device, all in the caller's transaction.
import type { NotificationInput } from '../contract/notification.ts'
import { Problem } from '../contract/problems.ts'
import type { Sender, UserId } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import {
  answerableActions,
  draftNotification,
  isAnswerable,
  type Notification,
  type NotificationDraft,
} from '../domain/notification.ts'
import { findActivity } from '../store/activities.ts'
import { insertAnswer } from '../store/answers.ts'
import type { Reader, Writer } from '../store/database.ts'
import { appendEvent } from '../store/feeds.ts'
import { enqueueClaimedJob, type Job } from '../store/jobs.ts'
import { insertNotification } from '../store/notifications.ts'
import { listPushTokens } from '../store/push-tokens.ts'
import type { Context } from './context.ts'
import { charge, type QuotaEffect } from './quota.ts'

// A request that has passed every rule which needs no database.
// `isFree`: sent by ourselves, and not counted.
export type Message = { draft: NotificationDraft; push: boolean; collapseId?: string; isFree?: boolean }
export type Stored = { notification: Notification; quota?: QuotaEffect }

export function composeMessage(ctx: Context, input: NotificationInput): Message {
  const draft = draftNotification(input)
  if (!ctx.config.answers && isAnswerable(draft)) {
    throw new Problem(
      'notification.answer_url_unavailable',
      'This server does not record answers; give every action a url.',
    )
  }
  if (draft.encrypted && !ctx.push.fits(draft)) {
    throw new Problem('notification.encrypted_too_large', 'The envelope and the rest do not fit into a push of 4 KB.')
  }
  return { draft, push: input.push ?? true, collapseId: input.collapse_id || undefined }
}

export async function requireActivity(db: Reader, userId: UserId, slug: string | undefined): Promise<void> {
  if (slug === undefined || (await findActivity(db, userId, slug))) return
  throw new Problem('notification.activity_not_found', `There is no activity "${slug}".`)
}

export async function storeNotification(
  tx: Writer,
  sender: Sender,
  { draft, push, isFree }: Message,
  now: Instant,
): Promise<Stored> {
  const { userId, keyId } = sender
  const quota = push && !isFree ? await charge(tx, sender, 'notifications', now) : undefined
  const row = { ...draft, userId, keyId, pushed: push, createdAt: now }
  const id = await insertNotification(tx, row)
  const actions = answerableActions(draft)
  if (actions.length > 0) await insertAnswer(tx, { notificationId: id, userId, keyId, actions }, now)
  await appendEvent(tx, userId, { type: 'notification.created', at: now, data: { id } }, 1)
  return { notification: { ...row, id, readAt: null }, quota }
}

// One job per device, claimed by us: Apple's alert token or the browser's subscription, of which a device has one.
export async function enqueuePushes(
  tx: Writer,
  { id, userId, pushed }: Notification,
  collapseId: string | undefined,
  now: Instant,
): Promise<Job[]> {
  if (!pushed) return []
  const jobs: Job[] = []
  for (const { deviceId, kind } of await listPushTokens(tx, userId, ['alert', 'web_push'])) {
    const payload = { userId, notificationId: id, deviceId, kind, collapseId }
    jobs.push(await enqueueClaimedJob(tx, { kind: 'push-notification', payload }, now))
  }
  return jobs
}
