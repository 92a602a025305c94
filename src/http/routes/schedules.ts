// Scheduled notifications over HTTP.
import { DryRunQuery } from '../../contract/dry-run.ts'
import {
  PurgeQuery,
  ScheduleDryRun,
  ScheduleInput,
  ScheduleList,
  ScheduleQuery,
  ScheduleView,
} from '../../contract/schedule.ts'
import { toRfc3339 } from '../../domain/instant.ts'
import type { ScheduleId } from '../../domain/schedules/schedule.ts'
import type { Context } from '../../operations/context.ts'
import { cancelSchedule } from '../../operations/schedules/cancel.ts'
import { type RehearsedSchedule, rehearseSchedule, scheduleNotification } from '../../operations/schedules/plan.ts'
import { readSchedule, readSchedulePage } from '../../operations/schedules/read.ts'
import { dryRunView } from '../../views/dry-run.ts'
import { pageView } from '../../views/page.ts'
import { scheduleView } from '../../views/schedule.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'
import { idempotentRequest, replyCreated } from '../idempotency.ts'
import { NotificationParams } from './inbox.ts'

const tags = ['Scheduled notifications']
const toSchedule = { access: { resource: 'notifications', level: 'schedule' } } as const
const ABOUT_ONE = ['scheduled_notification.not_found', 'request.validation_failed'] as const

export function scheduleRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/notifications/scheduled',
    {
      schema: {
        tags,
        summary: 'Send a notification later, or again and again',
        description:
          'A notification with `send_at`, or with `recurrence`, of which `send_at` is then the start. Each send counts toward the quota when it happens. With an `Idempotency-Key` header the same request is carried out once within 24 hours.',
        querystring: DryRunQuery,
        body: ScheduleInput,
        response: { 201: ScheduleView, 200: ScheduleDryRun },
      },
      config: {
        ...toSchedule,
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
        return reply.code(200).send(scheduleDryRunView(await rehearseSchedule(ctx, caller, request.body)))
      }
      const schedule = await scheduleNotification(ctx, caller, request.body, idempotentRequest(request))
      return replyCreated(reply, schedule, scheduleView)
    },
  )

  app.get(
    '/notifications/scheduled',
    {
      schema: { tags, summary: 'What is planned, or was', querystring: ScheduleQuery, response: { 200: ScheduleList } },
      config: { ...toSchedule, problems: ['cursor.invalid'] },
    },
    async (request) => {
      return pageView(await readSchedulePage(ctx, callerOf(request), request.query), scheduleView)
    },
  )

  app.get(
    '/notifications/scheduled/:id',
    {
      schema: { tags, summary: 'One schedule', params: NotificationParams, response: { 200: ScheduleView } },
      config: { ...toSchedule, problems: ABOUT_ONE },
    },
    async (request) => scheduleView(await readSchedule(ctx, callerOf(request), request.params.id as ScheduleId)),
  )

  app.delete(
    '/notifications/scheduled/:id',
    {
      schema: {
        tags,
        summary: 'Cancel what is pending, or remove the record of what is over',
        params: NotificationParams,
        querystring: PurgeQuery,
        response: { 204: {} },
      },
      config: { ...toSchedule, problems: ABOUT_ONE },
    },
    async (request, reply) => {
      const purge = request.query.purge ?? false
      await cancelSchedule(ctx, callerOf(request), request.params.id as ScheduleId, { purge })
      return reply.code(204).send()
    },
  )
}

function scheduleDryRunView({ schedule, sendTimes, effects }: RehearsedSchedule): ScheduleDryRun {
  const { valid, would } = dryRunView('scheduled', scheduleView(schedule), effects)
  return { valid, would: { ...would, send_times: sendTimes.map(toRfc3339) } }
}
