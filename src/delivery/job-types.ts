// Every kind of job, what runs it, and how often and when it is tried again. Retry schedules are data.
import { housekeep } from './housekeeping.ts'
import type { JobType } from './job.ts'
import { PUSH_RETRY_SECONDS, pushNotification } from './push-notification.ts'
import { reloadWidget } from './reload-widget.ts'
import { failSchedule, sendSchedule } from './send-schedule.ts'
import { withdrawBanners } from './withdraw-banners.ts'

export const JOB_TYPES: Record<string, JobType> = {
  // Outcomes that may change have their own schedule; these are for failures of ours.
  'push-notification': { run: pushNotification, retryAfterSeconds: PUSH_RETRY_SECONDS },
  'send-schedule': { run: sendSchedule, retryAfterSeconds: [5, 30, 120, 600, 3600], givenUp: failSchedule },
  'withdraw-banners': { run: withdrawBanners, retryAfterSeconds: [] },
  'reload-widget': { run: reloadWidget, retryAfterSeconds: [15, 60, 300] },
  housekeeping: { run: housekeep, retryAfterSeconds: [60, 600, 3600] },
}
