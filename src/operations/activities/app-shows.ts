// Shows activities in the apps of other services that can update a message in place: ntfy, by an event that its apps read, and
// Bark, by a push. A job for each account and kind of app shows the newest state, and waits if the last one is too young.
import type { Activity, ActivityId } from '../../domain/activities/activity.ts'
import {
  type AppShow,
  nextShow,
  resumedShow,
  type ShowHow,
  type ShowStep,
  showName,
} from '../../domain/activities/app-show.ts'
import { questionOf } from '../../domain/activities/templates/approval.ts'
import { wordsOf } from '../../domain/activities/words.ts'
import { makeApprovalTicket } from '../../domain/answers/answer-ticket.ts'
import type { UserId } from '../../domain/caller.ts'
import type { BarkAddress } from '../../domain/devices.ts'
import type { BarkParameters } from '../../domain/doors/bark/parameters.ts'
import { barkPushId, withdrawnAtBark } from '../../domain/doors/bark/shown.ts'
import { type Instant, instant, plusSeconds } from '../../domain/instant.ts'
import { JOB_KEYS } from '../../domain/jobs.ts'
import { BARK_SILENCE } from '../../domain/notifications/sounds.ts'
import { NOTIFICATION_KEPT_SECONDS, nextPushAttemptAt, SERVER_RETRY_SECONDS } from '../../domain/push.ts'
import { localTimeZone } from '../../runtime/clock.ts'
import { publicUrlOf } from '../../runtime/settings.ts'
import { findActivityById } from '../../store/activities/activities.ts'
import {
  type AppOfAccount,
  clearPendingShow,
  deleteShow,
  findShowForUpdate,
  listShowPlaces,
  type ShowPlace,
  saveShow,
} from '../../store/activities/app-shows.ts'
import { listDevices } from '../../store/devices/devices.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { findQuietHours } from '../../store/holds/quiet-hours.ts'
import { enqueueJob, type Job, type JobId } from '../../store/jobs.ts'
import type { JobContext } from '../context.ts'
import { isQuiet } from '../holds/hold.ts'
import type { JobResult } from '../job-result.ts'
import { listBarkAddresses } from '../push/bark.ts'
import { deleteDeadTokens, type Pushed } from '../push/dead-tokens.ts'
import { readHistory } from './records.ts'
import { findShowing } from './showing.ts'

// After a change of the activity that devices are told of.
export async function enqueueAppShows(
  tx: Writer,
  { id }: Pick<Activity, 'id'>,
  apps: readonly AppOfAccount[],
  now: Instant,
): Promise<void> {
  for (const { userId, app } of apps) await enqueueShow(tx, { userId, activityId: id, app }, now)
}

// After it was deleted, or taken from some of those who saw it (`from`).
export async function enqueueAppRemovals(
  tx: Writer,
  id: ActivityId,
  now: Instant,
  from?: readonly UserId[],
): Promise<void> {
  for (const place of await listShowPlaces(tx, id, from)) await enqueueShow(tx, place, now)
}

function enqueueShow(tx: Writer, { userId, activityId, app }: ShowPlace, runAt: Instant): Promise<void> {
  const payload = { userId, activityId, app }
  const kind = app === 'bark' ? 'show-activity-at-bark' : 'show-activity'
  return enqueueJob(tx, { kind, key: JOB_KEYS.activityShow(payload), payload, runAt })
}

type ShowJob = Job<'show-activity' | 'show-activity-at-bark'>

export async function showActivity(ctx: JobContext, { id, payload: place, failures }: ShowJob): Promise<JobResult> {
  const now = ctx.clock.now()
  const visible = await findVisible(ctx, place, now)
  const isSilent = await isQuiet(ctx.db.read, place.userId, now)
  const zone = (await findQuietHours(ctx.db.read, place.userId))?.timezone ?? localTimeZone()
  const isPushed = place.app === 'bark'
  const { step, before, text } = await ctx.db.transact(async (tx) => {
    const before = await findShowForUpdate(tx, place)
    const step = stepOf(visible.activity, before, { place, job: id, now })
    const text = step.kind === 'show' && visible.activity ? await textOf(tx, visible.activity, zone) : ''
    if (step.kind === 'show') {
      await saveShow(tx, place, isPushed ? { ...step.show, pendingJob: id, pendingHow: step.how } : step.show)
    }
    if (step.kind === 'remove' && before && !isPushed) await deleteShow(tx, place, before)
    if (!isPushed) await tellNtfy(tx, place, { ...visible, before, step, isSilent, text }, now)
    return { step, before, text }
  })
  if (step.kind === 'wait') return { again: step.until }
  // What is over is removed later.
  const result: JobResult = step.kind === 'show' && step.how === 'end' ? { again: now } : { done: true }
  if (!isPushed) return result
  const pushed = await pushToBark(ctx, place, { ...visible, before, step, isSilent, text }, now)
  const retry = retryOf(pushed, failures, now)
  if (retry) return { ...retry, record: (tx) => takeBack(tx, place, before, step) }
  return {
    ...result,
    record: async (tx) => {
      await clearPendingShow(tx, place, id)
      if (step.kind === 'remove' && before) await deleteShow(tx, place, before)
      await deleteDeadTokens(tx, pushed, now)
    },
  }
}

// The step of a run of this job whose process died before its push had ended is taken again.
function stepOf(
  activity: Activity | undefined,
  before: AppShow | undefined,
  { place, job, now }: { place: ShowPlace; job: JobId; now: Instant },
): ShowStep {
  const next = nextShow(activity, before, place.app, now)
  if (before?.pendingJob !== job || before.pendingHow === null) return next
  return resumedShow(activity, { ...before, pendingHow: before.pendingHow }, next)
}

// A step that some phone has not got is taken again by the next run, with the state of then. Unless another run has gone on.
async function takeBack(tx: Writer, place: ShowPlace, before: AppShow | undefined, step: ShowStep): Promise<void> {
  if (step.kind !== 'show' || (await findShowForUpdate(tx, place))?.step !== step.show.step) return
  await (before ? saveShow(tx, place, before) : deleteShow(tx, place, step.show))
}

function retryOf(pushed: Pushed[], failures: number, now: Instant): JobResult | undefined {
  const delaysSeconds = SERVER_RETRY_SECONDS
  const waits = pushed.flatMap(({ result }) => {
    const at = nextPushAttemptAt(result, failures, now, { delaysSeconds })
    return at === undefined ? [] : [{ at, wasTried: !('notTried' in result) }]
  })
  if (waits.length === 0) return undefined
  const at = instant(Math.max(...waits.map((wait) => wait.at)))
  return waits.some(({ wasTried }) => wasTried) ? { retryAt: at } : { untriedUntil: at }
}

// Undefined if it is deleted, or none of the account's devices may show it any more.
async function findVisible(ctx: JobContext, { userId, activityId }: ShowPlace, now: Instant): Promise<Visible> {
  const activity = await findActivityById(ctx.db.read, activityId)
  if (!activity || activity.userId === userId) return { activity, mayAnswer: true }
  for (const { id: deviceId, platform } of await listDevices(ctx.db.read, userId)) {
    if (platform !== 'ntfy' && platform !== 'bark') continue
    const showing = await findShowing(ctx.db.read, activity, { userId, deviceId }, now)
    if (showing) return { activity, mayAnswer: showing.mayAnswer }
  }
  return { activity: undefined, mayAnswer: false }
}

// `mayAnswer`: the person may answer an approval.
type Visible = { activity: Activity | undefined; mayAnswer: boolean }

type Showing = Visible & {
  before: AppShow | undefined
  step: ShowStep
  isSilent: boolean
  text: string
}

async function textOf(db: Reader, activity: Activity, zone: string): Promise<string> {
  const history = activity.content.template === 'timeline' ? await readHistory(db, activity) : undefined
  return wordsOf(activity, zone, history)
}

async function tellNtfy(
  tx: Writer,
  { userId, activityId }: ShowPlace,
  { activity, mayAnswer, before, step, isSilent, text }: Showing,
  now: Instant,
): Promise<void> {
  const removes = before && (step.kind === 'remove' || (step.kind === 'show' && step.removes))
  const head = { activity_id: activityId, removes: removes ? showName(activityId, before) : undefined }
  if (step.kind === 'remove') {
    await appendEvent(tx, userId, { type: 'activity.shown', at: now, data: head })
    return
  }
  if (step.kind !== 'show' || !activity) return
  const { show, how } = step
  const shown = {
    step: show.step,
    sequence: showName(activityId, show),
    title: activity.name,
    message: text,
    priority: priorityOf(how, show, isSilent),
    url: typeof activity.content.url === 'string' ? activity.content.url : undefined,
    ...(mayAnswer && questionData(activity)),
    ...(activity.userId !== userId && { shared: true }),
  }
  await appendEvent(tx, userId, { type: 'activity.shown', at: now, data: { ...head, shown } })
}

// Below 3 the app makes no sound.
function priorityOf(how: ShowHow, { isCritical }: AppShow, isSilent: boolean): number {
  if (how === 'update' || how === 'end' || isSilent) return 2
  if (how === 'start') return 3
  return isCritical ? 5 : 4
}

function questionData({ state, content }: Activity): { round?: number; options?: { id: string; title: string }[] } {
  const question = questionOf(content)
  if (!question || question.answer || state !== 'ongoing') return {}
  return { round: question.round, options: question.options.map(({ id, title }) => ({ id, title })) }
}

async function pushToBark(
  ctx: JobContext,
  { userId, activityId }: ShowPlace,
  { activity, mayAnswer, before, step, isSilent, text }: Showing,
  now: Instant,
): Promise<Pushed[]> {
  const addresses = await listBarkAddresses(ctx.db.read, userId)
  const showing = addresses.filter(({ options }) => options.activities)
  const parameters: BarkParameters[] = []
  // The tag stays the same when it rings: a push under it takes the place of the one before.
  const tag = (show: AppShow) => showName(activityId, { ...show, count: 0 })
  if (before && (step.kind === 'remove' || (step.kind === 'show' && step.how === 'start' && step.removes)))
    parameters.push(withdrawnAtBark(tag(before)))
  if (step.kind === 'show' && activity) {
    const isLoud = (step.how === 'start' || step.how === 'ring') && !isSilent
    const level = isLoud ? levelOf(step.how, step.show) : 'passive'
    parameters.push({
      title: activity.name,
      body: text,
      level,
      ...(!isLoud && { sound: BARK_SILENCE }),
      isarchive: '0',
      group: 'Live',
      url: urlOf(ctx, activity, mayAnswer ? userId : undefined),
      id: tag(step.show),
    })
  }
  return Promise.all(showing.flatMap((address) => parameters.map((one) => push(ctx, address, one, now))))
}

function levelOf(how: ShowHow, { isCritical }: AppShow): string {
  if (how === 'start') return 'active'
  return isCritical ? 'critical' : 'timeSensitive'
}

async function push(ctx: JobContext, address: BarkAddress, parameters: BarkParameters, now: Instant) {
  const pushId = barkPushId(parameters.id ?? '', now, parameters.delete ?? '', address.deviceId)
  const expiresAt = plusSeconds(now, NOTIFICATION_KEPT_SECONDS)
  const result = await ctx.pushTo(address, { kind: 'bark', parameters, pushId, priority: 5, expiresAt })
  return { address, result }
}

// `answererId`: the account, if it may answer. Its ticket is that of the owner, or one of its own.
function urlOf(ctx: JobContext, { id, userId, content, state }: Activity, answererId: UserId | undefined): string {
  const publicUrl = publicUrlOf(ctx.config)
  const question = questionOf(content)
  if (answererId && question && !question.answer && state === 'ongoing') {
    const recipientId = answererId === userId ? undefined : answererId
    const ticket = makeApprovalTicket(ctx.signingKey, { activityId: id, round: question.round, recipientId })
    return `${publicUrl}/answers/${ticket}`
  }
  return typeof content.url === 'string' ? content.url : `${publicUrl}/app/activities/${id}`
}
