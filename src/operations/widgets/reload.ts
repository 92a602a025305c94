// Makes devices fetch a widget again: at most one push per throttle window, and always one after the newest change. A
// device whose push service asks to try later is pushed to again; the push has no content, so the device gets the newest.
import type { UserId } from '../../domain/caller.ts'
import type { PushAddress } from '../../domain/devices.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import { JOB_KEYS, type MissedReload } from '../../domain/jobs.ts'
import { nextPushAttemptAt } from '../../domain/push.ts'
import { nextPushAt, type Widget } from '../../domain/widgets/widget.ts'
import { listPushTokens } from '../../store/devices/push-tokens.ts'
import type { Writer } from '../../store/engine/database.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { findWidgetById, takePushWindow } from '../../store/widgets/widgets.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { deleteDeadTokens } from '../push/dead-tokens.ts'

type ReloadJob = Job<'reload-widget'>
type ReloadResult = JobResult<'reload-widget'>

// At most one job waits per widget. It covers every change until it runs.
export async function enqueueReload(tx: Writer, widget: Widget, now: Instant): Promise<void> {
  const payload = { userId: widget.userId, widgetId: widget.id }
  const runAt = nextPushAt(widget, now)
  await enqueueJob(tx, { kind: 'reload-widget', key: JOB_KEYS.widgetReload(widget.id), payload, runAt })
}

export async function reloadWidget(ctx: JobContext, job: ReloadJob): Promise<ReloadResult> {
  const { userId, widgetId, missed } = job.payload
  const widget = await findWidgetById(ctx.db.read, userId, widgetId)
  if (!widget) return { done: true }
  if (missed) return retryMissed(ctx, job, widget, missed)
  const now = ctx.clock.now()
  // Another job took the window after this one was enqueued: coalesce into the job that waits for the next window.
  if (nextPushAt(widget, now) > now) {
    await ctx.db.transact((tx) => enqueueReload(tx, widget, now))
    return { done: true }
  }
  const isTaken = await ctx.db.transact((tx) => takePushWindow(tx, widget, now))
  if (!isTaken) return { again: now }
  const addresses = await listReloadAddresses(ctx, userId)
  return pushReloads(ctx, job, { widget, pushedAt: now, addresses, notYetDue: [] })
}

// A later push to all devices makes these retries obsolete: it has retries of its own.
async function retryMissed(
  ctx: JobContext,
  job: ReloadJob,
  widget: Widget,
  { pushedAt, dueAt }: MissedReload,
): Promise<ReloadResult> {
  if (widget.lastPushedAt !== pushedAt) return { done: true }
  const now = ctx.clock.now()
  const all = await listReloadAddresses(ctx, widget.userId)
  const addresses = all.filter(({ deviceId }) => (dueAt[deviceId] ?? Number.POSITIVE_INFINITY) <= now)
  const notYetDue = Object.entries(dueAt).filter(([, at]) => at > now)
  return pushReloads(ctx, job, { widget, pushedAt, addresses, notYetDue })
}

const listReloadAddresses = (ctx: JobContext, userId: UserId) =>
  listPushTokens(ctx.db.read, userId, ['widget', 'web_push'])

type Reload = { widget: Widget; pushedAt: Instant; addresses: PushAddress[]; notYetDue: [deviceId: string, Instant][] }

async function pushReloads(
  ctx: JobContext,
  job: ReloadJob,
  { widget, pushedAt, addresses, notYetDue }: Reload,
): Promise<ReloadResult> {
  const pushed = await Promise.all(
    addresses.map(async (address) => ({
      address,
      result: await ctx.pushTo(address, { kind: 'widget-reload', widget }),
    })),
  )
  const now = ctx.clock.now()
  const record: JobResult['record'] = (tx) => deleteDeadTokens(tx, pushed, now)
  const missed = [...notYetDue]
  for (const { address, result } of pushed) {
    const retryAt = nextPushAttemptAt(result, job.failures, now)
    if (retryAt !== undefined) missed.push([address.deviceId, retryAt])
  }
  if (missed.length === 0) return { done: true, record }
  const retryAt = instant(Math.min(...missed.map(([, at]) => at)))
  const { userId, widgetId } = job.payload
  return { retryAt, payload: { userId, widgetId, missed: { pushedAt, dueAt: Object.fromEntries(missed) } }, record }
}
