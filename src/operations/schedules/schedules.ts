// Notifications for later: planning, listing and canceling them. Sending is delivery/send-schedule.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { ScheduleInput, ScheduleQuery } from '../../contract/schedule.ts'
import { type Caller, type KeyId, senderOf, type UserId } from '../../domain/caller.ts'
import { decodePlace, encodePlace } from '../../domain/cursor.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Notification, NotificationId } from '../../domain/notifications/notification.ts'
import { requireLevel } from '../../domain/permissions.ts'
import { quotaExceeded } from '../../domain/quota.ts'
import { receiptCollapseId } from '../../domain/receipts/receipt.ts'
import {
  nextSendTimes,
  type Plan,
  planSchedule,
  type Schedule,
  type ScheduleId,
} from '../../domain/schedules/schedule.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import { findKey } from '../../store/integration-keys.ts'
import { deleteWaitingJobs } from '../../store/jobs.ts'
import {
  countPending,
  deleteSchedule,
  enqueueSend,
  failPending,
  findSchedule,
  findScheduleForUpdate,
  insertSchedule,
  listPendingIds,
  listScheduleSizes,
  listSchedules as listStoredSchedules,
  sendJobKey,
  updatePending,
} from '../../store/schedules.ts'
import { scheduleView } from '../../views/schedule.ts'
import type { Context } from '../context.ts'
import { type Idempotent, type IdempotentRequest, idempotently } from '../idempotency.ts'
import { requirePermission } from '../notifications/send.ts'
import { composeMessage, type Message, requireActivity } from '../notifications/store.ts'
import { readPage } from '../paging.ts'
import { type QuotaEffect, quotaEffect } from '../quota.ts'

export async function scheduleNotification(
  ctx: Context,
  caller: Caller,
  input: ScheduleInput,
  request?: IdempotentRequest,
): Promise<Idempotent<Schedule>> {
  const now = ctx.clock.now()
  const checked = checkRequest(ctx, caller, input, now)
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

export type Rehearsed = {
  schedule: Schedule
  sendTimes: Instant[]
  notification: Notification
  // The one to push with.
  collapseId?: string
  quota?: QuotaEffect
}

export async function rehearseSchedule(ctx: Context, caller: Caller, input: ScheduleInput): Promise<Rehearsed> {
  const now = ctx.clock.now()
  const request = checkRequest(ctx, caller, input, now)
  const { schedule, quota } = await ctx.db.rehearse((tx) => storeSchedule(tx, caller, request, now))
  const { draft, push: pushed, acknowledge, collapseId: sent } = request.message
  const { userId, keyId, sendAt: createdAt } = schedule
  // As it will be when it is sent, under a number that is not given out.
  const notification = { ...draft, id: 0 as NotificationId, userId, keyId, pushed, createdAt, readAt: null }
  const collapseId = acknowledge ? receiptCollapseId({ notificationId: notification.id, collapseId: sent }) : sent
  return { schedule, sendTimes: nextSendTimes(request.plan, TIMES_SHOWN), notification, collapseId, quota }
}

export type SchedulePage = { items: Schedule[]; nextCursor?: string }

export async function listSchedules(ctx: Context, caller: Caller, query: ScheduleQuery): Promise<SchedulePage> {
  requireLevel(caller, 'notifications', 'schedule')
  const { status = 'scheduled', limit = LIMITS.pageItemsDefault, cursor } = query
  const after = cursor === undefined ? undefined : decodePlace(status, cursor)
  if (cursor !== undefined && after === undefined) {
    throw new Problem('cursor.invalid', 'query.cursor is not one that this list gave out with this status.')
  }
  const filter = { ...ownerOf(caller), status, after }
  const { items, last } = await readPage(limit, {
    sizes: (count) => listScheduleSizes(ctx.db.read, filter, count),
    items: (count) => ctx.slices(caller.userId, () => listStoredSchedules(ctx.db.read, filter, count)),
  })
  return { items, nextCursor: last && encodePlace(status, { at: placeOf(last, status), id: last.id }) }
}

export async function readSchedule(ctx: Context, caller: Caller, id: ScheduleId): Promise<Schedule> {
  requireLevel(caller, 'notifications', 'schedule')
  return requireSchedule(ctx.db.read, caller, id)
}

// Pending: canceled, and kept as that for a day. Sent or failed: its record goes. Canceled before: nothing more to do.
export async function cancelSchedule(
  ctx: Context,
  caller: Caller,
  id: ScheduleId,
  { purge }: { purge: boolean },
): Promise<void> {
  requireLevel(caller, 'notifications', 'schedule')
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    await requireSchedule(tx, caller, id)
    // The job before the schedule, as the one who sends takes them, or the two could wait for each other.
    await deleteWaitingJobs(tx, [sendJobKey(id)])
    const schedule = await findScheduleForUpdate(tx, caller.userId, id)
    if (!schedule || (schedule.status === 'canceled' && !purge)) return
    if (schedule.status === 'scheduled' && !purge) {
      await updatePending(tx, schedule, { ...schedule, status: 'canceled', canceledAt: now }, now)
      await appendEvent(tx, caller.userId, { type: 'schedule.canceled', at: now, data: { id } })
      return
    }
    await deleteSchedule(tx, caller.userId, id)
    await appendEvent(tx, caller.userId, { type: 'schedule.deleted', at: now, data: { id } })
  })
}

// For whoever revokes a key, in the same transaction: what it has planned is not sent.
export async function failSchedulesOf(tx: Writer, userId: UserId, keyId: KeyId, now: Instant): Promise<void> {
  const ids = await listPendingIds(tx, { userId, keyId })
  await deleteWaitingJobs(tx, ids.map(sendJobKey))
  for (const id of await failPending(tx, userId, ids, { reason: 'key_revoked', now })) {
    await appendEvent(tx, userId, { type: 'schedule.failed', at: now, data: { id, failure_reason: 'key_revoked' } })
  }
}

// For whoever deletes an account: its schedules go with it, and their jobs need not wait for a year to find that out.
export async function forgetSends(tx: Writer, userId: UserId): Promise<void> {
  const ids = await listPendingIds(tx, { userId, keyId: null })
  await deleteWaitingJobs(tx, ids.map(sendJobKey))
}

type CheckedRequest = { plan: Plan; message: Message }

function checkRequest(ctx: Context, caller: Caller, input: ScheduleInput, now: Instant): CheckedRequest {
  requirePermission(caller, input, 'schedule')
  const { send_at, recurrence, ...notification } = input
  const message = composeMessage(ctx, senderOf(caller), notification)
  return { message, plan: planSchedule(input, now) }
}

async function storeSchedule(tx: Writer, caller: Caller, { plan, message }: CheckedRequest, now: Instant) {
  const sender = senderOf(caller)
  const { userId, keyId } = sender
  await lockUser(tx, userId)
  // Whoever revokes the key holds the same lock: a schedule is either there to be failed by it, or never made.
  if (keyId !== null && !(await findKey(tx, userId, keyId))) {
    throw new Problem('token.invalid', 'The key has been revoked meanwhile.')
  }
  await requireActivity(tx, userId, message.draft.activitySlug)
  if ((await countPending(tx, userId)) >= LIMITS.pendingSchedules) {
    throw new Problem(
      'scheduled_notification.limit_exceeded',
      `An account has at most ${LIMITS.pendingSchedules} pending schedules; cancel one, or wait until one is sent.`,
    )
  }
  const quota = message.push ? await requireQuota(tx, caller, now) : undefined
  const schedule = await insertSchedule(tx, { ...plan, userId, keyId, createdAt: now })
  await enqueueSend(tx, schedule)
  await appendEvent(tx, userId, { type: 'schedule.created', at: now, data: { id: schedule.id } })
  return { schedule, quota }
}

// Nothing is charged yet: each send pays for itself when it happens.
async function requireQuota(tx: Writer, caller: Caller, now: Instant): Promise<QuotaEffect> {
  const quota = await quotaEffect(tx, caller, 'notifications', now)
  if (quota.limit !== null && quota.used >= quota.limit) throw quotaExceeded(caller.plan, 'notifications', now)
  return quota
}

async function requireSchedule(db: Reader, caller: Caller, id: ScheduleId): Promise<Schedule> {
  const { userId, keyId } = ownerOf(caller)
  const schedule = await findSchedule(db, userId, id)
  if (schedule && (keyId === null || schedule.keyId === keyId)) return schedule
  throw new Problem('scheduled_notification.not_found', `There is no schedule ${id}.`)
}

// Whose schedules a caller sees: a key its own, a person all of the account.
const ownerOf = (caller: Caller) => ({ userId: caller.userId, keyId: senderOf(caller).keyId })

const placeOf = ({ sentAt, canceledAt, sendAt }: Schedule, status: string): Instant =>
  status === 'scheduled' ? sendAt : (sentAt ?? canceledAt ?? sendAt)
