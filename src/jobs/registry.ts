// Every kind of job, what runs it, and how often and when it is tried again. Retry schedules are data.

import type { SendJob } from '../store/schedules.ts'
import type { JobType } from './job.ts'
import { confirmRecipient } from './verbs/confirm-recipient.ts'
import { confirmStream } from './verbs/confirm-stream.ts'
import { dismissActivity } from './verbs/dismiss-activity.ts'
import { expireReceipt } from './verbs/expire-receipt.ts'
import { housekeep } from './verbs/housekeeping.ts'
import { giveUpDemo, playDemo } from './verbs/play-demo.ts'
import { pushActivity } from './verbs/push-activity.ts'
import { deviceOf, isForApple, pushNotification } from './verbs/push-notification.ts'
import { PUSH_RETRY_SECONDS } from './verbs/push-retries.ts'
import { reloadWidget } from './verbs/reload-widget.ts'
import { repeatReceipt } from './verbs/repeat-receipt.ts'
import { reportSchedule } from './verbs/report-schedule.ts'
import { CALLBACK_RETRY_SECONDS, sendCallback } from './verbs/send-callback.ts'
import { sendEmail } from './verbs/send-email.ts'
import { MAIL_RETRY_SECONDS } from './verbs/send-mail.ts'
import { failSchedule, sendSchedule } from './verbs/send-schedule.ts'
import { tickActivity } from './verbs/tick-activity.ts'
import { withdrawBanners } from './verbs/withdraw-banners.ts'

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
