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
import { IdempotencyHeaders, idempotentRequest, replyCreated } from '../idempotency.ts'
import { route, table } from '../route.ts'
import { MESSAGE } from './notifications.ts'

const toSchedule = { resource: 'notifications', level: 'schedule' } as const
const ABOUT_ONE = ['scheduled_notification.not_found', 'request.validation_failed'] as const

export const scheduleRoutes = (ctx: Context) =>
  table({ tag: 'Scheduled notifications', organization: true, access: toSchedule }, [
    route('POST /notifications/scheduled', {
      id: 'scheduleNotification',
      summary: 'Send a notification at a later time, or as a series',
      description:
        'Takes a notification with `send_at`, or with `recurrence` and optionally `send_at` as its start. Each send counts toward the quota when it happens.',
      isIdempotent: true,
      countsRefusals: true,
      query: DryRunQuery,
      headers: IdempotencyHeaders,
      body: ScheduleInput,
      created: ScheduleView,
      ok: ScheduleDryRun,
      callbacks: { receiptEnded: 'ReceiptEnded' },
      problems: [
        'scheduled_notification.invalid',
        'scheduled_notification.limit_exceeded',
        ...MESSAGE,
        'org.target_unavailable',
        'integration_key.slug_invalid',
        'quota.exceeded',
      ],
      handle: async ({ caller, body, mode, publicUrl, request, reply }) => {
        if (mode === 'dry_run') return scheduleDryRunView(await rehearseSchedule(ctx, caller, body, publicUrl))
        const schedule = await scheduleNotification(ctx, caller, body, idempotentRequest(request), publicUrl)
        return replyCreated(reply, schedule, scheduleView)
      },
    }),

    route('GET /notifications/scheduled', {
      id: 'listSchedules',
      summary: 'List the schedules',
      query: ScheduleQuery,
      ok: ScheduleList,
      problems: ['cursor.invalid'],
      handle: async ({ caller, query }) => pageView(await readSchedulePage(ctx, caller, query), scheduleView),
    }),

    route('GET /notifications/scheduled/:id', {
      id: 'getSchedule',
      summary: 'Read a schedule',
      params: ScheduleParams,
      ok: ScheduleView,
      problems: ABOUT_ONE,
      handle: async ({ caller, params }) => scheduleView(await readSchedule(ctx, caller, params.id)),
    }),

    route('PATCH /notifications/scheduled/:id', {
      id: 'updateSchedule',
      summary: 'Change a pending schedule, pause it or resume it',
      description:
        'What falls due while it is paused is not sent. A series goes on with its next time when it is resumed.',
      params: ScheduleParams,
      body: SchedulePatch,
      ok: ScheduleView,
      problems: [
        ...ABOUT_ONE,
        'scheduled_notification.not_pending',
        'scheduled_notification.invalid',
        ...MESSAGE,
        'org.target_unavailable',
        'integration_key.slug_invalid',
      ],
      handle: async ({ caller, params, body, publicUrl }) =>
        scheduleView(await changeSchedule(ctx, caller, params.id, body, publicUrl)),
    }),

    route('POST /notifications/scheduled/:id/send', {
      id: 'sendScheduleNow',
      summary: 'Send a pending schedule now',
      description:
        'A single send is done with it. A series sends one notification more: its next time and its `occurrence` stay as they are. Counts toward the quota.',
      params: ScheduleParams,
      ok: ScheduleView,
      problems: [
        ...ABOUT_ONE,
        'scheduled_notification.not_pending',
        'notification_receipt.limit_exceeded',
        'notification.invalid',
        'quota.exceeded',
      ],
      handle: async ({ caller, params }) => scheduleView(await sendScheduleNow(ctx, caller, params.id)),
    }),

    route('DELETE /notifications/scheduled/:id', {
      id: 'cancelSchedule',
      summary: 'Cancel a pending schedule, or delete the record of a finished one',
      params: ScheduleParams,
      query: PurgeQuery,
      problems: ABOUT_ONE,
      handle: ({ caller, params, query }) => cancelSchedule(ctx, caller, params.id, { purge: query.purge ?? false }),
    }),
  ])

function scheduleDryRunView({ schedule, sendTimes, effects }: RehearsedSchedule): ScheduleDryRun {
  const { valid, would } = dryRunView('scheduled', scheduleView(schedule), effects)
  return { valid, would: { ...would, send_times: sendTimes.map(toRfc3339) } }
}
