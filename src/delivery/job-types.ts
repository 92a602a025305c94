// Every kind of job, what runs it, and how often and when it is tried again. Retry schedules are data.

import type { SendJob } from '../store/schedules.ts'
import { confirmRecipient } from './confirm-recipient.ts'
import { confirmStream } from './confirm-stream.ts'
import { dismissActivity } from './dismiss-activity.ts'
import { expireReceipt } from './expire-receipt.ts'
import { housekeep } from './housekeeping.ts'
import type { JobType } from './job.ts'
import { giveUpDemo, playDemo } from './play-demo.ts'
import { MAIL_RETRY_SECONDS } from './post-letter.ts'
import { pushActivity } from './push-activity.ts'
import { deviceOf, isForApple, pushNotification } from './push-notification.ts'
import { PUSH_RETRY_SECONDS } from './push-retries.ts'
import { reloadWidget } from './reload-widget.ts'
import { repeatReceipt } from './repeat-receipt.ts'
import { reportSchedule } from './report-schedule.ts'
import { CALLBACK_RETRY_SECONDS, sendCallback } from './send-callback.ts'
import { sendEmail } from './send-email.ts'
import { failSchedule, sendSchedule } from './send-schedule.ts'
import { tickActivity } from './tick-activity.ts'
import { withdrawBanners } from './withdraw-banners.ts'

const always = () => true

export const JOB_TYPES: Record<string, JobType> = {
  // Outcomes that may change have their own schedule; these are for failures of ours.
  'push-notification': {
    run: pushNotification,
    retryAfterSeconds: PUSH_RETRY_SECONDS,
    lockOf: deviceOf,
    mayUseApns: isForApple,
  },
  'confirm-stream': { run: confirmStream, retryAfterSeconds: [1, 5], lockOf: deviceOf },
  'send-schedule': {
    run: sendSchedule,
    retryAfterSeconds: [5, 30, 120, 600, 3600],
    lockOf: (job) => (job.payload as SendJob).userId,
    givenUp: failSchedule,
  },
  'report-schedule': { run: reportSchedule, retryAfterSeconds: [5, 30, 120, 600] },
  'withdraw-banners': { run: withdrawBanners, retryAfterSeconds: [], mayUseApns: always },
  'repeat-receipt': { run: repeatReceipt, retryAfterSeconds: [1, 5, 15, 30, 60, 300] },
  // An alert that never ends would take up room for ever.
  'expire-receipt': { run: expireReceipt, retryAfterSeconds: [1, 5, 30, 120, 600, ...Array(24).fill(3600)] },
  'send-callback': { run: sendCallback, retryAfterSeconds: CALLBACK_RETRY_SECONDS },
  'reload-widget': { run: reloadWidget, retryAfterSeconds: PUSH_RETRY_SECONDS, mayUseApns: always },
  'push-activity': { run: pushActivity, retryAfterSeconds: PUSH_RETRY_SECONDS, mayUseApns: always },
  'dismiss-activity': { run: dismissActivity, retryAfterSeconds: PUSH_RETRY_SECONDS, mayUseApns: always },
  // What happens by itself must happen: a failure of ours is tried again for a day.
  'tick-activity': { run: tickActivity, retryAfterSeconds: [1, 5, 30, 120, 600, 3600, 21_600, 57_600] },
  'play-demo': { run: playDemo, retryAfterSeconds: [5, 30], givenUp: giveUpDemo },
  'send-email': { run: sendEmail, retryAfterSeconds: MAIL_RETRY_SECONDS },
  'confirm-recipient': { run: confirmRecipient, retryAfterSeconds: MAIL_RETRY_SECONDS },
  housekeeping: { run: housekeep, retryAfterSeconds: [60, 600, 3600] },
}
