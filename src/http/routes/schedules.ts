// Scheduled notifications over HTTP.
import type { FastifyRequest } from 'fastify'
import { DryRunQuery } from '../../contract/dry-run.ts'
import {
  PurgeQuery,
  ScheduleDryRun,
  ScheduleInput,
  ScheduleList,
  ScheduleParams,
  ScheduleQuery,
  ScheduleView,
} from '../../contract/schedule.ts'
import { type Instant, toRfc3339 } from '../../domain/instant.ts'
import type { Schedule } from '../../domain/schedules/schedule.ts'
import type { Context } from '../../operations/context.ts'
import {
  cancelSchedule,
  listSchedules,
  type Once,
  type Rehearsed,
  readSchedule,
  rehearseSchedule,
  scheduleNotification,
} from '../../operations/schedules/schedules.ts'
import type { HttpServer } from '../fastify-types.ts'
import { IdempotencyHeaders, idempotencyKeyOf, sendStored } from '../idempotency.ts'
import { callerOf } from '../request-checks.ts'

const tags = ['Scheduled notifications']
const toSchedule = { access: { resource: 'notifications', level: 'schedule' } } as const
const ABOUT_ONE = ['scheduled_notification.not_found', 'request.validation_failed'] as const

export function scheduleRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/notifications/scheduled',
    {
      schema: {
        tags,
        operationId: 'scheduleNotification',
        summary: 'Send a notification at a later time, or as a series',
        description:
          'Takes a notification with `send_at`, or with `recurrence` and optionally `send_at` as its start. Each send counts toward the quota when it happens.',
        querystring: DryRunQuery,
        requestHeaders: IdempotencyHeaders,
        body: ScheduleInput,
        response: { 201: ScheduleView, 200: ScheduleDryRun },
        callbacks: { receiptEnded: 'ReceiptEnded' },
      },
      config: {
        ...toSchedule,
        isIdempotent: true,
        problems: [
          'scheduled_notification.invalid',
          'scheduled_notification.limit_exceeded',
          'notification.invalid',
          'notification.activity_not_found',
          'notification.answer_url_unavailable',
          'notification.encrypted_too_large',
          'notification_receipt.disabled',
          'org.target_unavailable',
          'integration_key.slug_invalid',
          'idempotency.key_reused',
          'idempotency.in_progress',
          'quota.exceeded',
        ],
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      if (request.query.dry_run) {
        return reply.code(200).send(dryRunView(ctx, await rehearseSchedule(ctx, caller, request.body)))
      }
      const result = await scheduleNotification(ctx, caller, request.body, onceOf(request))
      if ('schedule' in result) return reply.code(201).send(scheduleView(result.schedule))
      return sendStored(reply.code(201).header('idempotent-replayed', 'true'), result.replay)
    },
  )

  app.get(
    '/notifications/scheduled',
    {
      schema: {
        tags,
        operationId: 'listSchedules',
        summary: 'List the schedules',
        querystring: ScheduleQuery,
        response: { 200: ScheduleList },
      },
      config: { ...toSchedule, problems: ['cursor.invalid'] },
    },
    async (request) => {
      const { items, nextCursor } = await listSchedules(ctx, callerOf(request), request.query)
      return { items: items.map(scheduleView), next_cursor: nextCursor, has_more: nextCursor !== undefined }
    },
  )

  app.get(
    '/notifications/scheduled/:id',
    {
      schema: {
        tags,
        operationId: 'getSchedule',
        summary: 'Read a schedule',
        params: ScheduleParams,
        response: { 200: ScheduleView },
      },
      config: { ...toSchedule, problems: ABOUT_ONE },
    },
    async (request) => scheduleView(await readSchedule(ctx, callerOf(request), request.params.id)),
  )

  app.delete(
    '/notifications/scheduled/:id',
    {
      schema: {
        tags,
        operationId: 'cancelSchedule',
        summary: 'Cancel a pending schedule, or delete the record of a finished one',
        params: ScheduleParams,
        querystring: PurgeQuery,
        response: { 204: {} },
      },
      config: { ...toSchedule, problems: ABOUT_ONE },
    },
    async (request, reply) => {
      const purge = request.query.purge ?? false
      await cancelSchedule(ctx, callerOf(request), request.params.id, { purge })
      return reply.code(204).send()
    },
  )
}

function onceOf(request: FastifyRequest): Once | undefined {
  const key = idempotencyKeyOf(request)
  return key && { key, answer: (schedule) => JSON.stringify(scheduleView(schedule)) }
}

function scheduleView(schedule: Schedule): ScheduleView {
  const { recurrence } = schedule
  return {
    ...schedule.input,
    id: schedule.id,
    status: schedule.status,
    send_at: toRfc3339(schedule.sendAt),
    created_at: toRfc3339(schedule.createdAt),
    ...(recurrence && {
      recurrence,
      occurrence: schedule.occurrence,
      last_sent_at: optional(schedule.lastSentAt),
    }),
    notification_id: schedule.notificationId ?? undefined,
    sent_at: optional(schedule.sentAt),
    ...schedule.delivery,
    failure_reason: schedule.failureReason ?? undefined,
    canceled_at: optional(schedule.canceledAt),
  }
}

const optional = (at: Instant | null): string | undefined => (at === null ? undefined : toRfc3339(at))

function dryRunView(ctx: Context, rehearsed: Rehearsed): ScheduleDryRun {
  const { schedule, sendTimes, notification, collapseId, quota } = rehearsed
  return {
    valid: true,
    would: {
      action: 'scheduled',
      resource: scheduleView(schedule),
      send_times: sendTimes.map(toRfc3339),
      pushes: notification.pushed ? ctx.push.preview({ kind: 'notification', notification, collapseId }) : [],
      quota: quota && { ...quota, limit: quota.limit ?? undefined },
    },
  }
}
