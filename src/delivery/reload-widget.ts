// Tells the devices that a widget has new content: one thin push per window, always after the newest change.
import type { UserId } from '../domain/caller.ts'
import { nextPushAt, type Widget, type WidgetId } from '../domain/widget.ts'
import { enqueueReload } from '../operations/widgets.ts'
import { newUuid } from '../runtime/ids.ts'
import type { Job } from '../store/jobs.ts'
import { type DeviceToken, listPushTokens } from '../store/push-tokens.ts'
import { findWidgetById, takePushWindow } from '../store/widgets.ts'
import type { Outcome } from './channels/channel.ts'
import { webPushTopic } from './channels/web-push/web-push.ts'
import { forgetTheGone } from './forget-the-gone.ts'
import { type Delivery, type JobResult, PUSH_DEADLINE_MS } from './job.ts'
import { apnsWidgetReload, webWidgetReload } from './payload/widget.ts'

// A reload that a device missed is worth nothing once it fetches by itself.
const KEPT_SECONDS = 3600

type Payload = { userId: UserId; widgetId: WidgetId }

export async function reloadWidget(delivery: Delivery, job: Job): Promise<JobResult> {
  const { ctx } = delivery
  const { userId, widgetId } = job.payload as Payload
  const now = ctx.clock.now()
  const widget = await findWidgetById(ctx.db.read, userId, widgetId)
  if (!widget) return { done: true }
  // The window was taken after this job was enqueued: wait for its end, together with whoever waits already.
  if (nextPushAt(widget, now) > now) {
    await ctx.db.transact((tx) => enqueueReload(tx, widget, now))
    return { done: true }
  }
  const taken = await ctx.db.transact((tx) => takePushWindow(tx, widget, now))
  if (!taken) return { again: now }
  const addresses = await listPushTokens(ctx.db.read, userId, ['widget', 'web_push'])
  const pushed = await Promise.all(
    addresses.map(async (address) => ({ address, outcome: await reload(delivery, widget, address) })),
  )
  return { done: true, record: (tx) => forgetTheGone(tx, pushed, ctx.clock.now()) }
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
