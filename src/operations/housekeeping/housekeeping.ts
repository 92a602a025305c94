// Deletes expired rows, once an hour, in batches small enough not to block other writers.
import { LIMITS } from '../../contract/limits.ts'
import { dayOf } from '../../domain/accounts/daily-counts.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { JOB_KEYS } from '../../domain/jobs.ts'
import { deleteExpiredSignInCodes } from '../../store/accounts/accounts.ts'
import { deleteExpiredNonces } from '../../store/accounts/apple-identities.ts'
import { deleteDailyCountsBefore } from '../../store/accounts/daily-counts.ts'
import { deleteDailyDeliveriesBefore } from '../../store/accounts/daily-deliveries.ts'
import { deleteDailyLimits } from '../../store/accounts/daily-limits.ts'
import { deleteExpiredRequests } from '../../store/accounts/sign-in-requests.ts'
import { listActivitiesUnchangedSince } from '../../store/activities/activities.ts'
import { deleteShownActivitiesBefore } from '../../store/activities/shown-activities.ts'
import { deleteExpiredPushMessages, deleteForgottenEndpoints } from '../../store/apps/push-endpoints.ts'
import { deleteActivityTokensBefore } from '../../store/devices/push-tokens.ts'
import { deleteEmailsBefore } from '../../store/emails.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, deleteEventsBefore, type FeedEntry } from '../../store/events/feeds.ts'
import { deleteRequestsBefore } from '../../store/hooks/requests.ts'
import { deleteIdempotencyKeysBefore } from '../../store/idempotency.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { deleteCodesClosedBefore } from '../../store/join-codes.ts'
import { deleteAnswersBefore } from '../../store/notifications/answers.ts'
import { findUnusedSet } from '../../store/organizations/group-members.ts'
import { deleteSomeRecipients } from '../../store/organizations/sends.ts'
import { deleteRateCountersBefore } from '../../store/rate-counters.ts'
import { deleteReceiptsFinishedBefore } from '../../store/receipts.ts'
import { deleteEndedSchedules, deleteSendsBefore } from '../../store/schedules.ts'
import { dropActivity } from '../activities/remove.ts'
import type { Context, JobContext } from '../context.ts'
import { deleteOldFiles } from '../files/retention.ts'
import { deleteEndedMutes } from '../holds/mutes.ts'
import type { JobResult } from '../job-result.ts'
import { emptySet } from '../organizations/group-members.ts'
import { tellOfMissedDisplays } from '../screens/display-notices.ts'
import { checkRetentionClock, trimInboxes } from './inbox-retention.ts'

const EVERY_SECONDS = 3600
const BATCH = 500
// Smaller, because a row has up to 64 KB.
const REQUESTS_BATCH = 50
// Smaller, because each deletion reads an activity and appends events to the feeds of all who see it, or locks an account.
const ANNOUNCED_BATCH = 10

// The key keeps it to one job, however many nodes start.
export async function scheduleHousekeeping(ctx: Context, afterSeconds = 0): Promise<void> {
  const runAt = plusSeconds(ctx.clock.now(), afterSeconds)
  await ctx.db.transact((tx) =>
    enqueueJob(tx, { kind: 'housekeeping', key: JOB_KEYS.housekeeping, payload: {}, runAt }),
  )
}

export async function housekeep(ctx: JobContext): Promise<JobResult> {
  const now = ctx.clock.now()
  const daysAgo = (days: number) => plusSeconds(now, -days * 86_400)
  await inBatches(ctx, (tx) => deleteExpiredSignInCodes(tx, now))
  await inBatches(ctx, (tx) => deleteExpiredRequests(tx, now))
  await inBatches(ctx, (tx) => deleteDailyLimits(tx, now))
  await inBatches(ctx, (tx) => deleteRateCountersBefore(tx, plusSeconds(now, -600)))
  await inBatches(ctx, (tx) => deleteIdempotencyKeysBefore(tx, daysAgo(1), BATCH))
  await inBatches(ctx, (tx) => deleteEventsBefore(tx, daysAgo(1), BATCH))
  await inBatches(ctx, (tx) => deleteAnswersBefore(tx, daysAgo(LIMITS.answer.keptDays), BATCH))
  await inBatches(ctx, (tx) => deleteReceiptsFinishedBefore(tx, daysAgo(LIMITS.receipt.keptDays), BATCH))
  await inBatches(
    ctx,
    (tx) => deleteRequestsBefore(tx, daysAgo(LIMITS.hook.requestKeptDays), REQUESTS_BATCH),
    REQUESTS_BATCH,
  )
  await inBatches(ctx, (tx) => deleteExpiredNonces(tx, now))
  await inBatches(ctx, (tx) => deleteExpiredPushMessages(tx, now, BATCH))
  await inBatches(ctx, (tx) => deleteForgottenEndpoints(tx, now, BATCH))
  await inBatches(ctx, (tx) => deleteEndedMutes(tx, now, ANNOUNCED_BATCH), ANNOUNCED_BATCH)
  const firstDayKept = dayOf(daysAgo(LIMITS.dailyCounts.keptDays))
  await inBatches(ctx, (tx) => deleteDailyCountsBefore(tx, firstDayKept, BATCH))
  await inBatches(ctx, (tx) => deleteDailyDeliveriesBefore(tx, firstDayKept, BATCH))
  await inBatches(ctx, (tx) => deleteEmailsBefore(tx, daysAgo(LIMITS.email.keptDays), BATCH))
  const isClockTrusted = await checkRetentionClock(ctx, now)
  await trimInboxes(ctx, isClockTrusted, now)
  if (isClockTrusted) await deleteOldFiles(ctx, now)
  const ended = daysAgo(LIMITS.schedule.endedKeptDays)
  const canceled = plusSeconds(now, -LIMITS.schedule.canceledKeptHours * 3600)
  await inBatches(ctx, (tx) => deleteEndedSchedules(tx, { ended, canceled }, BATCH))
  await inBatches(ctx, (tx) => deleteSendsBefore(tx, ended, BATCH))
  await inBatches(ctx, (tx) => expireActivities(tx, daysAgo(LIMITS.activity.keptDays), now), ANNOUNCED_BATCH)
  await inBatches(ctx, (tx) => deleteCodesClosedBefore(tx, daysAgo(LIMITS.share.closedCodeKeptDays), BATCH))
  const createdBefore = daysAgo(LIMITS.organization.headKeptDays + 1)
  await inBatches(ctx, async (tx) => ((await deleteSomeRecipients(tx, { createdBefore }, BATCH)) ? BATCH : 0))
  await inBatches(ctx, (tx) => deleteShownActivitiesBefore(tx, daysAgo(LIMITS.activity.shownDays), BATCH))
  await inBatches(ctx, (tx) => deleteActivityTokensBefore(tx, daysAgo(LIMITS.activity.shownDays), BATCH))
  await inBatches(ctx, (tx) => tellOfMissedDisplays(ctx, tx, now, ANNOUNCED_BATCH), ANNOUNCED_BATCH)
  await emptyUnusedSets(ctx, plusSeconds(now, -EVERY_SECONDS))
  await scheduleHousekeeping(ctx, EVERY_SECONDS)
  return { done: true }
}

// Each batch is a transaction of its own, so that other writers run in between. A stopping server leaves the rest to the
// next start, which schedules housekeeping.
async function inBatches(ctx: Context, deleteSome: (tx: Writer) => Promise<number>, batch = BATCH): Promise<void> {
  while (!ctx.stopping.aborted && (await ctx.db.transact(deleteSome)) >= batch);
}

// Sets of group members that a request left behind when its process died.
async function emptyUnusedSets(ctx: Context, createdBefore: Instant): Promise<void> {
  for (;;) {
    const setId = ctx.stopping.aborted ? undefined : await findUnusedSet(ctx.db.read, createdBefore)
    if (!setId) return
    await emptySet(ctx, setId)
  }
}

async function expireActivities(tx: Writer, unchangedSince: Instant, now: Instant): Promise<number> {
  const expired = await listActivitiesUnchangedSince(tx, unchangedSince, ANNOUNCED_BATCH)
  const news: FeedEntry[] = []
  for (const activity of expired) news.push(...(await dropActivity(tx, activity, now)))
  await appendToFeeds(tx, news)
  return expired.length
}
