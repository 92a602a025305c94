// Every kind of job, what runs it, and how often and when it is tried again. Retry schedules are data.

import type { SendJob } from '../store/schedules.ts'
import { confirmRecipient } from './confirm-recipient.ts'
import { confirmStream } from './confirm-stream.ts'
import { dismissActivity } from './dismiss-activity.ts'
import { expireReceipt } from './expire-receipt.ts'
import { housekeep } from './housekeeping.ts'
import type { JobType } from './job.ts'
import { playDemo } from './play-demo.ts'
import { MAIL_RETRY_SECONDS } from './post-letter.ts'
import { ACTIVITY_RETRY_SECONDS, pushActivity } from './push-activity.ts'
import { deviceOf, PUSH_RETRY_SECONDS, pushNotification } from './push-notification.ts'
import { reloadWidget } from './reload-widget.ts'
import { repeatReceipt } from './repeat-receipt.ts'
import { CALLBACK_RETRY_SECONDS, sendCallback } from './send-callback.ts'
import { sendEmail } from './send-email.ts'
import { failSchedule, sendSchedule } from './send-schedule.ts'
import { tickActivity } from './tick-activity.ts'
import { withdrawBanners } from './withdraw-banners.ts'

export const JOB_TYPES: Record<string, JobType> = {
  // Outcomes that may change have their own schedule; these are for failures of ours.
  'push-notification': { run: pushNotification, retryAfterSeconds: PUSH_RETRY_SECONDS, lockOf: deviceOf },
  'confirm-stream': { run: confirmStream, retryAfterSeconds: [1, 5], lockOf: deviceOf },
  'send-schedule': {
    run: sendSchedule,
    retryAfterSeconds: [5, 30, 120, 600, 3600],
    lockOf: (job) => (job.payload as SendJob).userId,
    givenUp: failSchedule,
  },
  'withdraw-banners': { run: withdrawBanners, retryAfterSeconds: [] },
  'repeat-receipt': { run: repeatReceipt, retryAfterSeconds: [1, 5, 15, 30, 60, 300] },
  // An alert that never ends would take up room for ever.
  'expire-receipt': { run: expireReceipt, retryAfterSeconds: [1, 5, 30, 120, 600, ...Array(24).fill(3600)] },
  'send-callback': { run: sendCallback, retryAfterSeconds: CALLBACK_RETRY_SECONDS },
  'reload-widget': { run: reloadWidget, retryAfterSeconds: [15, 60, 300] },
  'push-activity': { run: pushActivity, retryAfterSeconds: ACTIVITY_RETRY_SECONDS },
  'dismiss-activity': { run: dismissActivity, retryAfterSeconds: ACTIVITY_RETRY_SECONDS },
  // What happens by itself must happen: a failure of ours is tried again for a day.
  'tick-activity': { run: tickActivity, retryAfterSeconds: [1, 5, 30, 120, 600, 3600, 21_600, 57_600] },
  'play-demo': { run: playDemo, retryAfterSeconds: [5, 30] },
  'send-email': { run: sendEmail, retryAfterSeconds: MAIL_RETRY_SECONDS },
  'confirm-recipient': { run: confirmRecipient, retryAfterSeconds: MAIL_RETRY_SECONDS },
  housekeeping: { run: housekeep, retryAfterSeconds: [60, 600, 3600] },
}
