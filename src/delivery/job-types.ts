// Every kind of job, what runs it, and how often and when it is tried again. Retry schedules are data.
import { dismissActivity } from './dismiss-activity.ts'
import { housekeep } from './housekeeping.ts'
import type { JobType } from './job.ts'
import { playDemo } from './play-demo.ts'
import { ACTIVITY_RETRY_SECONDS, pushActivity } from './push-activity.ts'
import { PUSH_RETRY_SECONDS, pushNotification } from './push-notification.ts'
import { reloadWidget } from './reload-widget.ts'
import { tickActivity } from './tick-activity.ts'
import { withdrawBanners } from './withdraw-banners.ts'

export const JOB_TYPES: Record<string, JobType> = {
  // Outcomes that may change have their own schedule; these are for failures of ours.
  'push-notification': { run: pushNotification, retryAfterSeconds: PUSH_RETRY_SECONDS },
  'withdraw-banners': { run: withdrawBanners, retryAfterSeconds: [] },
  'reload-widget': { run: reloadWidget, retryAfterSeconds: [15, 60, 300] },
  'push-activity': { run: pushActivity, retryAfterSeconds: ACTIVITY_RETRY_SECONDS },
  'dismiss-activity': { run: dismissActivity, retryAfterSeconds: ACTIVITY_RETRY_SECONDS },
  // What happens by itself must happen: a failure of ours is tried again for a day.
  'tick-activity': { run: tickActivity, retryAfterSeconds: [1, 5, 30, 120, 600, 3600, 21_600, 57_600] },
  'play-demo': { run: playDemo, retryAfterSeconds: [5, 30] },
  housekeeping: { run: housekeep, retryAfterSeconds: [60, 600, 3600] },
}
