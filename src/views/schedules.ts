// A schedule as clients see it.
import type { ScheduleView } from '../contract/schedules.ts'
import { type Instant, toRfc3339 } from '../domain/instant.ts'
import type { Schedule } from '../domain/schedules/schedule.ts'
import { attachmentView } from './files.ts'

export function scheduleView(schedule: Schedule): ScheduleView {
  const { recurrence } = schedule
  const { door: _, files, attachments: __, ...input } = schedule.input
  return {
    ...input,
    attachments: files?.map(attachmentView),
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
    paused: schedule.isPaused || undefined,
  }
}

const optional = (at: Instant | null): string | undefined => (at === null ? undefined : toRfc3339(at))
