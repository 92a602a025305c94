// Tells the devices that a widget has new content: one thin push per window, always after the newest change. A device
// whose push service asks to try later is told again; the push has no content, so it always leads to the newest.
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/device.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import { nextPushAt, type Widget, type WidgetId } from '../../domain/widgets/widget.ts'
import type { Context } from '../../operations/context.ts'
import { enqueueReload } from '../../operations/widgets/widgets.ts'
import type { Outcome } from '../../push/channels/channel.ts'
import { webPushTopic } from '../../push/channels/web-push/web-push.ts'
import { apnsWidgetReload, webWidgetReload } from '../../push/payload/widget.ts'
import { newUuid } from '../../runtime/ids.ts'
import type { Job } from '../../store/jobs.ts'
import { type DeviceToken, listPushTokens } from '../../store/push-tokens.ts'
import { findWidgetById, takePushWindow } from '../../store/widgets.ts'
import { type Delivery, type JobResult, PUSH_DEADLINE_MS } from '../job.ts'
import { forgetTheGone } from './delete-dead-tokens.ts'
import { nextTryAt } from './push-retries.ts'

// A reload that a device missed is worth nothing once it fetches by itself.
const KEPT_SECONDS = 3600

// The devices that the push of that time has not reached, and when each is told again.
type Missed = { pushedAt: Instant; dueAt: Record<DeviceId, Instant> }
type Payload = { userId: UserId; widgetId: WidgetId; missed?: Missed }

export async function reloadWidget(delivery: Delivery, job: Job): Promise<JobResult> {
  const { ctx } = delivery
  const { userId, widgetId, missed } = job.payload as Payload
  const widget = await findWidgetById(ctx.db.read, userId, widgetId)
  if (!widget) return { done: true }
  if (missed) return retry(delivery, job, widget, missed)
  const now = ctx.clock.now()
  // The window was taken after this job was enqueued: wait for its end, together with whoever waits already.
  if (nextPushAt(widget, now) > now) {
    await ctx.db.transact((tx) => enqueueReload(tx, widget, now))
    return { done: true }
  }
  const taken = await ctx.db.transact((tx) => takePushWindow(tx, widget, now))
  if (!taken) return { again: now }
  return push(delivery, job, { widget, pushedAt: now, addresses: await addressesOf(ctx, userId), notYet: [] })
}

// Once a later push has gone to every device, there is nothing left to retry: that push has retries of its own.
async function retry(delivery: Delivery, job: Job, widget: Widget, missed: Missed): Promise<JobResult> {
  const { pushedAt, dueAt } = missed
  if (widget.lastPushedAt !== pushedAt) return { done: true }
  const now = delivery.ctx.clock.now()
  const all = await addressesOf(delivery.ctx, widget.userId)
  const addresses = all.filter(({ deviceId }) => (dueAt[deviceId] ?? Number.POSITIVE_INFINITY) <= now)
  const notYet = Object.entries(dueAt).filter(([, at]) => at > now)
  return push(delivery, job, { widget, pushedAt, addresses, notYet })
}

const addressesOf = (ctx: Context, userId: UserId) => listPushTokens(ctx.db.read, userId, ['widget', 'web_push'])

type Reload = { widget: Widget; pushedAt: Instant; addresses: DeviceToken[]; notYet: [string, Instant][] }

async function push(delivery: Delivery, job: Job, { widget, pushedAt, addresses, notYet }: Reload): Promise<JobResult> {
  const pushed = await Promise.all(
    addresses.map(async (address) => ({ address, outcome: await reload(delivery, widget, address) })),
  )
  const now = delivery.ctx.clock.now()
  const record: JobResult['record'] = (tx) => forgetTheGone(tx, pushed, now)
  const missed = [...notYet]
  for (const { address, outcome } of pushed) {
    const again = nextTryAt(outcome, job.attempt, now)
    if (again !== undefined) missed.push([address.deviceId, again])
  }
  if (missed.length === 0) return { done: true, record }
  const again = instant(Math.min(...missed.map(([, at]) => at)))
  const { userId, id: widgetId } = widget
  return { again, payload: { userId, widgetId, missed: { pushedAt, dueAt: Object.fromEntries(missed) } }, record }
}

async function reload({ apns, webPush }: Delivery, widget: Widget, address: DeviceToken): Promise<Outcome> {
  if (address.kind === 'web_push') {
    return webPush.push({
      endpoint: address.endpoint,
      keys: { p256dh: address.p256dh, auth: address.auth },
      payload: JSON.stringify(webWidgetReload(widget.slug)),
      ttlSeconds: KEPT_SECONDS,
      urgency: 'low',
      topic: webPushTopic(`widget ${widget.id}`),
      deadlineMs: PUSH_DEADLINE_MS,
    })
  }
  if (!apns) return { result: 'rejected', reason: 'this server has no APNs key' }
  return apns.push({
    environment: address.environment,
    token: address.token,
    type: 'widgets',
    id: newUuid(),
    priority: 5,
    payload: JSON.stringify(apnsWidgetReload()),
    deadlineMs: PUSH_DEADLINE_MS,
  })
}
