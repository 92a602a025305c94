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
import { insertAnswer } from '../store/answers.ts'
import type { Reader, Writer } from '../store/database.ts'
import { appendEvent } from '../store/feeds.ts'
import { enqueueClaimedJob, type Job } from '../store/jobs.ts'
import { insertNotification } from '../store/notifications.ts'
import { type DeviceToken, listPushTokens } from '../store/push-tokens.ts'
import type { Context } from './context.ts'
import { charge, type QuotaEffect } from './quota.ts'

// A request that has passed every rule which needs no database.
export type Message = { draft: NotificationDraft; push: boolean; collapseId?: string }
export type Stored = { notification: Notification; unread: number; quota?: QuotaEffect }
// What the first attempt to push need not read again.
export type KnownToPush = { notification: Notification; unread: number; address: DeviceToken }

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
  if (slug === undefined || (await isKnownActivity(db, userId, slug))) return
  throw new Problem('notification.activity_not_found', `There is no activity "${slug}".`)
}

// There are no activities yet, so no slug is known.
async function isKnownActivity(_db: Reader, _userId: UserId, _slug: string): Promise<boolean> {
  return false
}

export async function storeNotification(
  tx: Writer,
  sender: Sender,
  { draft, push }: Message,
  now: Instant,
): Promise<Stored> {
  const { userId, keyId } = sender
  const quota = push ? await charge(tx, sender, 'notifications', now) : undefined
  const row = { ...draft, userId, keyId, pushed: push, createdAt: now }
  const id = await insertNotification(tx, row)
  const actions = answerableActions(draft)
  if (actions.length > 0) await insertAnswer(tx, { notificationId: id, userId, keyId, actions }, now)
  const unread = await appendEvent(tx, userId, { type: 'notification.created', at: now, data: { id } }, 1)
  return { notification: { ...row, id, readAt: null }, unread, quota }
}

// One job per device, claimed by us: Apple's alert token or the browser's subscription, of which a device has one.
export async function enqueuePushes(
  tx: Writer,
  { notification, unread }: Stored,
  collapseId: string | undefined,
  now: Instant,
): Promise<Job[]> {
  const { id, userId, pushed } = notification
  if (!pushed) return []
  const jobs: Job[] = []
  for (const address of await listPushTokens(tx, userId, ['alert', 'web_push'])) {
    const { deviceId, kind } = address
    const payload = { userId, notificationId: id, deviceId, kind, collapseId }
    const known: KnownToPush = { notification, unread, address }
    jobs.push(await enqueueClaimedJob(tx, { kind: 'push-notification', payload, known }, now))
  }
  return jobs
}
