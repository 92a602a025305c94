// Saves what a ping, the clock or a person has changed of a heartbeat, with everything that follows from it: the job that
// judges it next, its widget, the news and the event. All in the caller's transaction, under the lock of the heartbeat.

import type { EventType } from '../../contract/events/event.ts'
import type { Caller } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { Heartbeat, HeartbeatStatus } from '../../domain/heartbeats/heartbeat.ts'
import { type Change, judgedAt } from '../../domain/heartbeats/judging.ts'
import type { Instant } from '../../domain/instant.ts'
import { JOB_KEYS } from '../../domain/jobs.ts'
import type { Plan } from '../../domain/plans.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvents } from '../../store/events/feeds.ts'
import { updateHeartbeatSettings, updateHeartbeatState } from '../../store/heartbeats/heartbeats.ts'
import { enqueueJob } from '../../store/jobs.ts'
import type { Context } from '../context.ts'
import type { Stored } from '../notifications/store.ts'
import { planOf } from '../plans.ts'
import { endReceipts } from '../receipts/end.ts'
import { tell } from './tell.ts'
import { dropWidget, keepWidget } from './widget.ts'

// `sent`: the notification that tells people, if there is one.
export type Saved = { heartbeat: Heartbeat; sent?: Stored }

export async function saveChange(
  ctx: Context,
  tx: Writer,
  before: Heartbeat,
  { heartbeat, told }: Change,
  now: Instant,
): Promise<Saved> {
  await enqueueEarlierJudging(tx, before, heartbeat)
  if (heartbeat.status === before.status) {
    await updateHeartbeatState(tx, heartbeat)
    return { heartbeat }
  }
  const ofWidget = heartbeat.settings.widget
    ? await keepWidget(tx, heartbeat, await planOf(ctx, tx, heartbeat.userId), now)
    : []
  const events = [...ofWidget, statusEvent(heartbeat, now)]
  const sent = told && (await tell(ctx, tx, { ...heartbeat, alertId: before.alertId }, { told, events }, now))
  const alertId = told?.kind === 'down' ? (sent?.notification.id ?? null) : heartbeat.alertId
  const saved = { ...heartbeat, alertId }
  await updateHeartbeatState(tx, saved)
  if (!sent) await appendEvents(tx, heartbeat.userId, events)
  return { heartbeat: saved, sent }
}

// After the commit: the usage of the account counts what was sent.
export function noteSent({ dailyCounts }: Context, { sent }: Saved): void {
  if (!sent) return
  dailyCounts.noteSent(sent.notification, sent.held?.reason ?? 'sent', sent.notification.createdAt)
}

const EVENT_OF: Record<HeartbeatStatus, Exclude<Extract<EventType, `heartbeat.${string}`>, 'heartbeat.deleted'>> = {
  new: 'heartbeat.updated',
  up: 'heartbeat.up',
  started: 'heartbeat.updated',
  late: 'heartbeat.late',
  down: 'heartbeat.down',
  paused: 'heartbeat.paused',
}

export const statusEvent = ({ slug, status }: Heartbeat, at: Instant): NewEvent => ({
  type: EVENT_OF[status],
  at,
  data: { slug, status },
})

export const updatedEvent = ({ slug, status }: Heartbeat, at: Instant): NewEvent => ({
  type: 'heartbeat.updated',
  at,
  data: { slug, status },
})

// Saves a change by a person or a program, who needs no news of it. One that takes the alert back ends its receipt.
export async function saveByHand(
  tx: Writer,
  { plan }: Caller,
  before: Heartbeat,
  after: Heartbeat,
  event: NewEvent,
): Promise<void> {
  const { userId } = after
  const { at: now } = event
  await enqueueEarlierJudging(tx, before, after)
  await updateHeartbeatSettings(tx, after)
  await updateHeartbeatState(tx, after)
  const ofWidget = await changeWidget(tx, plan, before, after, now)
  if (before.alertId !== null && after.alertId === null) {
    const receipt = { userId, notificationId: before.alertId }
    await endReceipts(tx, [receipt], { status: 'canceled', reason: 'resolved' }, now)
  }
  await appendEvents(tx, userId, [...ofWidget, event])
}

async function changeWidget(
  tx: Writer,
  plan: Plan,
  before: Heartbeat,
  after: Heartbeat,
  now: Instant,
): Promise<NewEvent[]> {
  if (!after.settings.widget) return before.settings.widget ? dropWidget(tx, after, now) : []
  const isShownAlike =
    before.settings.widget && before.status === after.status && before.settings.name === after.settings.name
  return isShownAlike ? [] : keepWidget(tx, after, plan, now)
}

// Invariant: the waiting job runs no later than the heartbeat must be judged. A ping mostly moves that time back, and then
// costs no write here: the job finds it moved and enqueues itself again (judge.ts).
async function enqueueEarlierJudging(tx: Writer, before: Heartbeat, after: Heartbeat): Promise<void> {
  const [former, next] = [judgedAt(before), judgedAt(after)]
  if (next !== null && (former === null || next < former)) await enqueueJudging(tx, after, next)
}

export async function enqueueJudging(
  tx: Writer,
  { userId, id }: Pick<Heartbeat, 'userId' | 'id'>,
  runAt: Instant,
): Promise<void> {
  const payload = { userId, heartbeatId: id }
  await enqueueJob(tx, { kind: 'judge-heartbeat', key: JOB_KEYS.heartbeatJudging(id), payload, runAt })
}
