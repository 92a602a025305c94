// Sending a notification: stored first, then pushed while the sender waits, then pushed without it.

import type { NotificationInput } from '../contract/notification.ts'
import { Problem } from '../contract/problems.ts'
import type { Caller } from '../domain/caller.ts'
import type { PushToken } from '../domain/device.ts'
import type { Instant } from '../domain/instant.ts'
import {
  answerableActions,
  type Delivery,
  deliveryOf,
  draftNotification,
  isAnswerable,
  type Notification,
  type NotificationDraft,
} from '../domain/notification.ts'
import { requireLevel, requireSlug } from '../domain/permissions.ts'
import { insertAnswer } from '../store/answers.ts'
import type { Writer } from '../store/database.ts'
import { appendEvent } from '../store/feeds.ts'
import { type IdempotencyKey, updateIdempotencyKey } from '../store/idempotency.ts'
import { enqueueClaimedJob, type Job } from '../store/jobs.ts'
import { findNotification, insertNotification } from '../store/notifications.ts'
import { listPushTokens } from '../store/push-tokens.ts'
import type { Context } from './context.ts'
import { claimOrRecall } from './idempotently.ts'
import { charge, type QuotaEffect } from './quota.ts'

export type Sent = { notification: Notification; delivery: Delivery; answerable: boolean }
export type Rehearsed = { notification: Notification; quota?: QuotaEffect }
// What a replayed request gets: the stored answer, or the notification if its first answer was lost in a crash.
export type Replay = { stored: string } | { sent: Sent }

// Some clients give up after four seconds.
const PATIENCE_MS = 3000

export async function sendNotification(
  ctx: Context,
  caller: Caller,
  input: NotificationInput,
  once?: IdempotencyKey,
): Promise<{ sent: Sent } | { replay: Replay }> {
  const draft = permittedDraft(ctx, caller, input)
  const now = ctx.clock.now()
  const push = input.push ?? true
  const stored = await ctx.db.transact(async (tx) => {
    const known = once && (await claimOrRecall(tx, once, now))
    if (known) return { known }
    const { notification } = await store(tx, caller, draft, push, now)
    if (once) await updateIdempotencyKey(tx, once, { resourceId: notification.id })
    return {
      notification,
      jobs: push ? await enqueuePushes(tx, notification, input.collapse_id || undefined, now) : [],
    }
  })
  if (stored.known) return { replay: await recall(ctx, caller, stored.known) }
  const { notification, jobs } = stored
  const outcomes = jobs.length > 0 ? await ctx.push.now(jobs, PATIENCE_MS) : []
  return { sent: { notification, delivery: deliveryOf(outcomes, push), answerable: isAnswerable(draft) } }
}

export async function rehearseNotification(ctx: Context, caller: Caller, input: NotificationInput): Promise<Rehearsed> {
  const draft = permittedDraft(ctx, caller, input)
  const now = ctx.clock.now()
  return ctx.db.rehearse((tx) => store(tx, caller, draft, input.push ?? true, now))
}

// The answer of the first call, for whoever repeats it.
export async function rememberAnswer(
  ctx: Context,
  once: IdempotencyKey,
  notification: Notification,
  answer: string,
): Promise<void> {
  await ctx.db.transact((tx) => updateIdempotencyKey(tx, once, { resourceId: notification.id, answer }))
}

function permittedDraft(ctx: Context, caller: Caller, input: NotificationInput): NotificationDraft {
  requireLevel(caller, 'notifications', 'send')
  if (input.activity_slug) {
    requireLevel(caller, 'activities', 'read')
    requireSlug(caller, 'activities', input.activity_slug)
  }
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
  if (draft.activitySlug) {
    throw new Problem('notification.activity_not_found', `There is no activity "${draft.activitySlug}".`)
  }
  return draft
}

async function store(
  tx: Writer,
  caller: Caller,
  draft: NotificationDraft,
  push: boolean,
  now: Instant,
): Promise<Rehearsed> {
  const quota = push ? await charge(tx, caller, 'notifications', now) : undefined
  const keyId = caller.kind === 'key' ? caller.keyId : null
  const row = { ...draft, userId: caller.userId, keyId, pushed: push, createdAt: now }
  const id = await insertNotification(tx, row)
  const actions = answerableActions(draft)
  if (actions.length > 0) await insertAnswer(tx, { notificationId: id, userId: caller.userId, keyId, actions }, now)
  await appendEvent(tx, caller.userId, { type: 'notification.created', at: now, data: { id } }, 1)
  return { notification: { ...row, id, readAt: null }, quota }
}

// Apple's alert token or the browser's subscription; a device has one of them.
async function enqueuePushes(
  tx: Writer,
  { id, userId }: Notification,
  collapseId: string | undefined,
  now: Instant,
): Promise<Job[]> {
  const tokens: PushToken[] = await listPushTokens(tx, userId, ['alert', 'web_push'])
  const jobs: Job[] = []
  for (const { deviceId, kind } of tokens) {
    const payload = { userId, notificationId: id, deviceId, kind, collapseId }
    jobs.push(await enqueueClaimedJob(tx, { kind: 'push-notification', payload }, now))
  }
  return jobs
}

async function recall(
  ctx: Context,
  caller: Caller,
  known: { answer: string | null; resourceId: number | null },
): Promise<Replay> {
  if (known.answer !== null) return { stored: known.answer }
  const notification = await findNotification(ctx.db.read, caller.userId, known.resourceId as Notification['id'])
  if (!notification)
    throw new Problem('notification.not_found', 'The notification of the first request has been deleted.')
  const delivery = deliveryOf(notification.pushed ? ['open'] : [], notification.pushed)
  return { sent: { notification, delivery, answerable: isAnswerable(notification) } }
}
