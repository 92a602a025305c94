// Every kind of job, what runs it, and how often and when it is tried again. Retry schedules are data.
import { confirmRecipient } from './confirm-recipient.ts'
import { housekeep } from './housekeeping.ts'
import type { JobType } from './job.ts'
import { MAIL_RETRY_SECONDS } from './post-letter.ts'
import { PUSH_RETRY_SECONDS, pushNotification } from './push-notification.ts'
import { reloadWidget } from './reload-widget.ts'
import { sendEmail } from './send-email.ts'
import { withdrawBanners } from './withdraw-banners.ts'

export const JOB_TYPES: Record<string, JobType> = {
  // Outcomes that may change have their own schedule; these are for failures of ours.
  'push-notification': { run: pushNotification, retryAfterSeconds: PUSH_RETRY_SECONDS },
  'withdraw-banners': { run: withdrawBanners, retryAfterSeconds: [] },
  'reload-widget': { run: reloadWidget, retryAfterSeconds: [15, 60, 300] },
  'send-email': { run: sendEmail, retryAfterSeconds: MAIL_RETRY_SECONDS },
  'confirm-recipient': { run: confirmRecipient, retryAfterSeconds: MAIL_RETRY_SECONDS },
  housekeeping: { run: housekeep, retryAfterSeconds: [60, 600, 3600] },
}
