// Joins each kind of job to the operation that runs it. Payloads and retry delays are in domain/jobs.ts.

import type { Instant } from '../domain/instant.ts'
import type { JobKind, Jobs, Prepared } from '../domain/jobs.ts'
import { finishClosing } from '../operations/accounts/close-organization.ts'
import { mailSignInLink } from '../operations/accounts/mailed-links.ts'
import { showActivity } from '../operations/activities/app-shows.ts'
import { dismissActivity } from '../operations/activities/dismiss.ts'
import { pushActivity } from '../operations/activities/push.ts'
import { revokeActivity } from '../operations/activities/revoke.ts'
import { spreadActivity } from '../operations/activities/spread.ts'
import { tickActivity } from '../operations/activities/tick.ts'
import { settleAppLink } from '../operations/apps/bark/manage.ts'
import type { JobContext } from '../operations/context.ts'
import { abandonDemo, playDemo } from '../operations/demo/demo.ts'
import { requestPoll } from '../operations/doors/ntfy/upstream.ts'
import { askRecipient } from '../operations/emails/ask-recipient.ts'
import { deliverEmail } from '../operations/emails/deliver.ts'
import { callBackStep } from '../operations/escalations/call-back.ts'
import { escalateReceipt } from '../operations/escalations/escalate.ts'
import { confirmStream } from '../operations/events/confirm-stream.ts'
import { judgeAgain, judgeHeartbeat } from '../operations/heartbeats/judge.ts'
import { housekeep } from '../operations/housekeeping/housekeeping.ts'
import type { JobResult } from '../operations/job-result.ts'
import { removeEntries } from '../operations/notifications/fan-out/recall.ts'
import { spreadNotification, spreadRepeat } from '../operations/notifications/fan-out/spread.ts'
import { pushNotification } from '../operations/notifications/push.ts'
import { deleteExpired } from '../operations/notifications/removal.ts'
import { wakeNotification } from '../operations/notifications/snooze.ts'
import { sendDigest, sendStormSummary } from '../operations/notifications/summaries.ts'
import { tellMembers } from '../operations/organizations/tell-members.ts'
import { showEnding, withdrawFromBark } from '../operations/push/bark.ts'
import { tellSomeRecipients } from '../operations/push/tell-recipients.ts'
import { withdrawBanners } from '../operations/push/withdraw.ts'
import { callBack } from '../operations/receipts/call-back.ts'
import { expireReceipt } from '../operations/receipts/end.ts'
import { repeatReceipt } from '../operations/receipts/repeat.ts'
import { settleReceiptGroup } from '../operations/receipts/settle-group.ts'
import { reportSchedule } from '../operations/schedules/report.ts'
import { failSchedule, sendSchedule } from '../operations/schedules/send-due.ts'
import { reloadWidget } from '../operations/widgets/reload.ts'
import type { Writer } from '../store/engine/database.ts'
import type { Job } from '../store/jobs.ts'
import type { NodeChannel } from '../store/server.ts'

const deviceKey = ({ userId, deviceId }: Jobs['push-notification' | 'confirm-stream']) => `${userId} ${deviceId}`

export const JOB_TYPES = {
  'push-notification': {
    run: pushNotification,
    lockKey: deviceKey,
    needs: 'apns',
    needsNothing: ({ kind }) => kind === 'web_push' || kind === 'bark_server',
  },
  'push-bark': { run: pushNotification, lockKey: deviceKey, needs: 'bark' },
  'confirm-stream': { run: confirmStream, lockKey: deviceKey },
  'request-poll': { run: requestPoll },
  'withdraw-banners': { run: withdrawBanners, needs: 'apns' },
  'withdraw-from-bark': { run: withdrawFromBark, needs: 'bark' },
  'show-ending': { run: showEnding, needs: 'bark' },
  'settle-app-link': { run: settleAppLink },
  'wake-notification': { run: wakeNotification },
  'delete-notification': { run: deleteExpired },
  'send-digest': { run: sendDigest },
  'tell-storm': { run: sendStormSummary },
  'repeat-receipt': { run: repeatReceipt },
  'expire-receipt': { run: expireReceipt },
  'escalate-receipt': { run: escalateReceipt },
  'settle-receipt-group': { run: settleReceiptGroup },
  'send-callback': { run: callBack },
  'send-step-callback': { run: callBackStep },
  'send-schedule': { run: sendSchedule, lockKey: ({ userId }) => userId, giveUp: failSchedule },
  'report-schedule': { run: reportSchedule },
  'judge-heartbeat': { run: judgeHeartbeat, lockKey: ({ userId }) => userId, giveUp: judgeAgain },
  'reload-widget': { run: reloadWidget, needs: 'apns' },
  'push-activity': { run: pushActivity, needs: 'apns' },
  'dismiss-activity': { run: dismissActivity, needs: 'apns' },
  'tick-activity': { run: tickActivity },
  'show-activity': { run: showActivity },
  'show-activity-at-bark': { run: showActivity, needs: 'bark' },
  'spread-activity': { run: spreadActivity },
  'revoke-activity': { run: revokeActivity },
  'spread-notification': { run: spreadNotification },
  'spread-repeat': { run: spreadRepeat },
  'tell-recipients': { run: tellSomeRecipients },
  'recall-notification': { run: removeEntries },
  'play-demo': { run: playDemo, giveUp: abandonDemo },
  'send-email': { run: deliverEmail, needs: 'smtp' },
  'confirm-recipient': { run: askRecipient, needs: 'smtp' },
  'mail-sign-in-link': { run: mailSignInLink, needs: 'smtp' },
  'tell-members': { run: tellMembers },
  'close-organization': { run: finishClosing },
  housekeeping: { run: housekeep },
} satisfies JobTypes

// The operation that runs the jobs of a kind, and how the worker treats them.
export type JobType<K extends JobKind> = {
  // A job may run twice, after its lease has lapsed: the operation must be idempotent.
  run: (ctx: JobContext, job: Job<K>, prepared?: Prepared[K]) => Promise<JobResult<K>>
  // The lock that settling the job takes. Jobs of a kind with lock keys are settled in batches, and no batch has two jobs
  // with the same key.
  lockKey?: (payload: Jobs[K]) => string
  // The credentials that the job may need: an APNs key, the key of the Bark app, a mail server. Nodes without them leave such
  // jobs to nodes with them.
  needs?: NodeChannel
  // Whether this one does not, so that a node without them may run it while a sender waits.
  needsNothing?: (payload: Jobs[K]) => boolean
  // Runs in the transaction that deletes the job after its last retry has failed.
  giveUp?: (tx: Writer, payload: Jobs[K], now: Instant) => Promise<void>
}

export type JobTypes = { [K in JobKind]: JobType<K> }
