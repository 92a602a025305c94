// Plays one step of the demonstration, and removes all of it. Nothing here counts against a quota.

import { Problem } from '../../contract/problems.ts'
import type { Sender } from '../../domain/caller.ts'
import { type Demo, type DemoStep, demoSlug } from '../../domain/demo.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { openForServer } from '../../domain/organizations/limit.ts'
import { newWidgetContent, patchedWidgetContent, type WidgetId } from '../../domain/widgets/widget.ts'
import { newUuid } from '../../runtime/ids.ts'
import { findActivityForUpdate, listOngoingForUpdate } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent, appendToFeeds, type FeedEntry } from '../../store/events/feeds.ts'
import {
  countWidgets,
  deleteWidget,
  findWidgetForUpdate,
  insertWidget,
  updateWidget,
} from '../../store/widgets/widgets.ts'
import { createActivity } from '../activities/find.ts'
import { applyPatch } from '../activities/patch.ts'
import { dropActivity } from '../activities/remove.ts'
import type { Context } from '../context.ts'
import { removeFromInbox } from '../notifications/removal.ts'
import { composeMessage, storeNotification } from '../notifications/store.ts'
import { planOf } from '../plans.ts'
import { enqueueNotificationPushes } from '../push/enqueue.ts'
import { enqueueReload } from '../widgets/reload.ts'

export async function playScenes(ctx: Context, tx: Writer, demo: Demo, step: DemoStep, now: Instant): Promise<Demo> {
  const news: FeedEntry[] = []
  const { build, tea } = step
  const owner = { userId: demo.userId, plan: await planOf(ctx, tx, demo.userId) }
  if (build)
    news.push(...(await playActivity(tx, owner, demo, { what: 'build', name: 'Demo build', patch: build }, now)))
  if (tea) news.push(...(await playActivity(tx, owner, demo, { what: 'tea', name: 'Demo tea', patch: tea }, now)))
  await appendToFeeds(tx, news)
  if (step.gauge) await playGauge(tx, owner, demo, step.gauge, now)
  const notificationId = step.notification && (await playNotification(ctx, tx, owner, step.notification, now))
  return { ...demo, notificationId: notificationId ?? demo.notificationId }
}

export async function removeScenes(tx: Writer, demo: Demo, now: Instant): Promise<void> {
  const news: FeedEntry[] = []
  for (const what of ['build', 'tea'] as const) {
    const activity = openForServer(await findActivityForUpdate(tx, demo.userId, demoSlug(demo, what)))
    if (activity) news.push(...(await dropActivity(tx, activity, now)))
  }
  await appendToFeeds(tx, news)
  const slug = demoSlug(demo, 'gauge')
  if (await deleteWidget(tx, demo.userId, slug)) {
    await appendEvent(tx, demo.userId, { type: 'widget.deleted', at: now, data: { slug } })
  }
  if (demo.notificationId !== null) await removeFromInbox(tx, demo.userId, [demo.notificationId], now)
}

type Owner = Pick<Sender, 'userId' | 'plan'>
type ActivityScene = { what: 'build' | 'tea'; name: string; patch: NonNullable<DemoStep['build']> }

async function playActivity(
  tx: Writer,
  owner: Owner,
  demo: Demo,
  { what, name, patch }: ActivityScene,
  now: Instant,
): Promise<FeedEntry[]> {
  const slug = demoSlug(demo, what)
  // The caller holds the lock on the account.
  const existing = openForServer(await findActivityForUpdate(tx, demo.userId, slug))
  if (!existing && !(patch.state === 'ongoing' && (await hasRoomForOngoing(tx, owner)))) return []
  const activity = existing ?? (await createActivity(tx, owner, { slug, name }, now))
  return (await applyPatch(tx, { activity, isNew: !existing, caps: owner.plan.caps }, patch, now)).news
}

// A scene that would set one of the person's own activities aside is left out, with all that continues it.
async function hasRoomForOngoing(tx: Writer, { userId, plan }: Owner): Promise<boolean> {
  return (await listOngoingForUpdate(tx, userId)).length < plan.caps.ongoing_activities
}

const GAUGE = { template: 'gauge', min_value: 0, max_value: 100, unit: '%', label: 'Demo load' } as const

async function playGauge(
  tx: Writer,
  { userId, plan }: Owner,
  demo: Demo,
  change: NonNullable<DemoStep['gauge']>,
  now: Instant,
): Promise<void> {
  const slug = demoSlug(demo, 'gauge')
  const current = await findWidgetForUpdate(tx, userId, slug)
  if (current) {
    const widget = { ...current, content: patchedWidgetContent(current.content, change, now), updatedAt: now }
    await updateWidget(tx, widget)
    await enqueueReload(tx, widget, now)
  } else {
    if ((await countWidgets(tx, userId)) >= plan.caps.widgets) {
      throw new Problem('widget.limit_exceeded', 'The demonstration shows a widget, and there is no room for one more.')
    }
    const content = newWidgetContent({ ...GAUGE, value: change.value ?? 0 }, now)
    const unset = {
      pushThrottleSeconds: 1,
      staleAfterSeconds: null,
      lastPushedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await insertWidget(tx, { id: newUuid() as WidgetId, userId, slug, name: 'Demo load', content, ...unset })
  }
  await appendEvent(tx, userId, { type: 'widget.updated', at: now, data: { slug } })
}

async function playNotification(
  ctx: Context,
  tx: Writer,
  owner: Owner,
  input: NonNullable<DemoStep['notification']>,
  now: Instant,
): Promise<NotificationId> {
  const { userId } = owner
  const sender = { ...owner, keyId: null, holdsPushes: false }
  const message = { ...composeMessage(ctx, sender, input), isFree: true }
  const { notification } = await storeNotification(tx, sender, message, now)
  await enqueueNotificationPushes(tx, { userId, notificationId: notification.id }, now)
  return notification.id
}
