// Scheduled notifications over HTTP.
import { DryRunQuery } from '../../contract/dry-run.ts'
import {
  PurgeQuery,
  ScheduleDryRun,
  ScheduleInput,
  ScheduleList,
  ScheduleParams,
  SchedulePatch,
  ScheduleQuery,
  ScheduleView,
} from '../../contract/schedules.ts'
import { toRfc3339 } from '../../domain/instant.ts'
import type { Context } from '../../operations/context.ts'
import { cancelSchedule } from '../../operations/schedules/cancel.ts'
import { changeSchedule } from '../../operations/schedules/change.ts'
import { type RehearsedSchedule, rehearseSchedule, scheduleNotification } from '../../operations/schedules/plan.ts'
import { readSchedule, readSchedulePage } from '../../operations/schedules/read.ts'
import { sendScheduleNow } from '../../operations/schedules/send-now.ts'
import { dryRunView } from '../../views/dry-run.ts'
import { pageView } from '../../views/page.ts'
import { scheduleView } from '../../views/schedules.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'
import { IdempotencyHeaders, idempotentRequest, replyCreated } from '../idempotency.ts'

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
        countsRefusals: true,
        problems: [
          'scheduled_notification.invalid',
          'scheduled_notification.limit_exceeded',
          'notification.invalid',
          'notification.activity_not_found',
          'notification.answer_url_unavailable',
          'notification.encrypted_too_large',
          'notification_receipt.disabled',
          'escalation.unknown',
          'escalation.after_expiry',
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
        return reply.code(200).send(scheduleDryRunView(await rehearseSchedule(ctx, caller, request.body)))
      }
      const schedule = await scheduleNotification(ctx, caller, request.body, idempotentRequest(request))
      return replyCreated(reply, schedule, scheduleView)
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
      return pageView(await readSchedulePage(ctx, callerOf(request), request.query), scheduleView)
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

  app.patch(
    '/notifications/scheduled/:id',
    {
      schema: {
        tags,
        operationId: 'updateSchedule',
        summary: 'Change a pending schedule, pause it or resume it',
        description:
          'What falls due while it is paused is not sent. A series goes on with its next time when it is resumed.',
        params: ScheduleParams,
        body: SchedulePatch,
        response: { 200: ScheduleView },
      },
      config: {
        ...toSchedule,
        problems: [
          ...ABOUT_ONE,
          'scheduled_notification.not_pending',
          'scheduled_notification.invalid',
          'notification.invalid',
          'notification.activity_not_found',
          'notification.answer_url_unavailable',
          'notification.encrypted_too_large',
          'notification_receipt.disabled',
          'escalation.unknown',
          'escalation.after_expiry',
          'org.target_unavailable',
          'integration_key.slug_invalid',
        ],
      },
    },
    async (request) => {
      return scheduleView(await changeSchedule(ctx, callerOf(request), request.params.id, request.body))
    },
  )

  app.post(
    '/notifications/scheduled/:id/send',
    {
      schema: {
        tags,
        operationId: 'sendScheduleNow',
        summary: 'Send a pending schedule now',
        description:
          'A single send is done with it. A series sends one notification more: its next time and its `occurrence` stay as they are. Counts toward the quota.',
        params: ScheduleParams,
        response: { 200: ScheduleView },
      },
      config: {
        ...toSchedule,
        problems: [
          ...ABOUT_ONE,
          'scheduled_notification.not_pending',
          'notification_receipt.limit_exceeded',
          'notification.invalid',
          'quota.exceeded',
        ],
      },
    },
    async (request) => scheduleView(await sendScheduleNow(ctx, callerOf(request), request.params.id)),
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

function scheduleDryRunView({ schedule, sendTimes, effects }: RehearsedSchedule): ScheduleDryRun {
  const { valid, would } = dryRunView('scheduled', scheduleView(schedule), effects)
  return { valid, would: { ...would, send_times: sendTimes.map(toRfc3339) } }
}
