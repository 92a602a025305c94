// Plans a notification for later, or a series of them.
import { Problem } from '../../contract/problems.ts'
import { type QuotaEffect, quotaExceeded } from '../../domain/accounts/quota.ts'
import { type Caller, senderOf } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { attached } from '../../domain/notifications/attachments.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { receiptCollapseId } from '../../domain/receipts/receipt.ts'
import {
  type IncomingSchedule,
  nextSendTimes,
  planSchedule,
  type Schedule,
  type ScheduleId,
  type SchedulePlan,
} from '../../domain/schedules/schedule.ts'
import { publicUrlOf } from '../../runtime/settings.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { findKey } from '../../store/keys.ts'
import { countPending, insertSchedule } from '../../store/schedules.ts'
import type { DryRunEffects } from '../../views/dry-run.ts'
import { scheduleView } from '../../views/schedules.ts'
import type { Context } from '../context.ts'
import { type Idempotent, type IdempotentRequest, idempotently } from '../idempotency.ts'
import { requirePermission } from '../notifications/send.ts'
import { composeRequest, type Message, requireActivity } from '../notifications/store.ts'
import { quotaEffect } from '../quota.ts'
import { requireEscalationFor } from '../receipts/escalation.ts'
import { attachFiles, withFiles as planFiles } from './files.ts'
import { requireSchedule } from './read.ts'
import { enqueueSendJob } from './send-jobs.ts'
import { targetToKeep } from './target.ts'

export async function scheduleNotification(
  ctx: Context,
  caller: Caller,
  input: IncomingSchedule,
  request?: IdempotentRequest,
  publicUrl?: string,
): Promise<Idempotent<Schedule>> {
  const now = ctx.clock.now()
  const checked = checkRequest(ctx, caller, input, now, publicUrl)
  return idempotently(ctx, caller, request, {
    now,
    commit: async (tx) => {
      const { schedule } = await storeSchedule(tx, caller, checked, now)
      return { resourceId: schedule.id, result: schedule }
    },
    recover: (id) => requireSchedule(ctx.db.read, caller, id as ScheduleId),
    view: scheduleView,
  })
}

const TIMES_SHOWN = 10

export type RehearsedSchedule = { schedule: Schedule; sendTimes: Instant[]; effects: DryRunEffects }

export async function rehearseSchedule(
  ctx: Context,
  caller: Caller,
  input: IncomingSchedule,
  publicUrl?: string,
): Promise<RehearsedSchedule> {
  const now = ctx.clock.now()
  const request = checkRequest(ctx, caller, input, now, publicUrl)
  const { schedule, quota } = await ctx.db.rehearse((tx) => storeSchedule(tx, caller, request, now))
  const { push: pushed, acknowledge, collapseId: sent } = request.message
  const { userId, keyId, sendAt: createdAt, input: stored } = schedule
  const draft = attached(request.message.draft, stored.files)
  // As it will be when it is sent. No notification has the id 0.
  const notification = { ...draft, id: 0 as NotificationId, userId, keyId, pushed, createdAt, readAt: null }
  const collapseId = acknowledge ? receiptCollapseId({ notificationId: notification.id, collapseId: sent }) : sent
  const pushes = pushed ? ctx.push.preview({ kind: 'notification', notification, collapseId }) : []
  return { schedule, sendTimes: nextSendTimes(request.plan, TIMES_SHOWN), effects: { pushes, quota } }
}

type CheckedRequest = { plan: SchedulePlan; message: Message; publicUrl: string }

function checkRequest(
  ctx: Context,
  caller: Caller,
  input: IncomingSchedule,
  now: Instant,
  publicUrl = publicUrlOf(ctx.config),
): CheckedRequest {
  requirePermission(caller, input, 'schedule')
  const { send_at, recurrence, ...notification } = input
  const message = composeRequest(ctx, caller, notification)
  return { message, plan: planSchedule(withoutRepetitions(input), now), publicUrl }
}

// Names that are given twice are dropped, so that names and ids of a target correspond.
function withoutRepetitions(input: IncomingSchedule): IncomingSchedule {
  if (!input.target) return input
  const { groups, tags, members } = input.target
  const once = (names: string[] | null | undefined) => names && [...new Set(names)]
  const target = {
    ...(groups && { groups: once(groups) }),
    ...(tags && { tags: once(tags) }),
    ...(members && { members: once(members) }),
  }
  return { ...input, target }
}

async function storeSchedule(tx: Writer, caller: Caller, { plan, message, publicUrl }: CheckedRequest, now: Instant) {
  const sender = senderOf(caller)
  const { userId, keyId } = sender
  await lockUser(tx, userId)
  // A revocation of the key takes the same lock, so it either finds this schedule and fails it, or came first.
  if (keyId !== null && !(await findKey(tx, userId, keyId))) {
    throw new Problem('token.invalid', 'This key was revoked a moment ago.')
  }
  const targetIds = await targetToKeep(tx, caller, plan.input.target)
  await requireActivity(tx, caller, message.draft.activitySlug)
  await requireEscalationFor(tx, sender, plan.input.acknowledge)
  const most = caller.plan.caps.pending_schedules
  if ((await countPending(tx, userId)) >= most) {
    throw new Problem(
      'scheduled_notification.limit_exceeded',
      `An account has at most ${most} pending schedules; cancel one, or wait until one is sent.`,
    )
  }
  const quota = message.push ? await requireQuota(tx, caller, now) : undefined
  const withFiles = await planFiles(tx, { userId }, plan, plan.input.attachments, publicUrl)
  const schedule = await insertSchedule(tx, { ...withFiles, userId, keyId, createdAt: now, targetIds })
  if (schedule.input.files) await attachFiles(tx, schedule)
  await enqueueSendJob(tx, schedule)
  await appendEvent(tx, userId, { type: 'schedule.created', at: now, data: { id: schedule.id } })
  return { schedule, quota }
}

// Charges nothing: each send is counted when it happens.
async function requireQuota(tx: Writer, caller: Caller, now: Instant): Promise<QuotaEffect> {
  const quota = await quotaEffect(tx, caller, 'notifications', now)
  if (quota.limit !== null && quota.used >= quota.limit) throw quotaExceeded(caller.plan, 'notifications', now)
  return quota
}
