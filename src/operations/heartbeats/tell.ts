// Tells people that a heartbeat is down, or up again: stores the notification and enqueues its pushes, in the
// transaction of the change. The news never fails it: without quota it is stored only, and an alert that cannot have a
// receipt of its own shares that of another heartbeat, or is sent without.
import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../contract/problems.ts'
import type { Sender } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/events.ts'
import { notificationOf } from '../../domain/heartbeats/alert.ts'
import type { Heartbeat } from '../../domain/heartbeats/heartbeat.ts'
import type { Told } from '../../domain/heartbeats/judging.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { openForServer } from '../../domain/organizations/limit.ts'
import type { Addressing } from '../../domain/organizations/send.ts'
import { EVERYONE } from '../../domain/organizations/target.ts'
import { findUser, lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { listHeartbeats } from '../../store/heartbeats/heartbeats.ts'
import type { Context } from '../context.ts'
import { type StoredMessage, storeWithHolds } from '../notifications/account.ts'
import { degradeMessage } from '../notifications/degrade.ts'
import { composeMessage, type Message, type Stored } from '../notifications/store.ts'

// What happened, and the events that are appended after that of the notification.
export type News = { told: Told; events: NewEvent[] }

// Returns undefined if the account is being deleted.
export async function tell(
  ctx: Context,
  tx: Writer,
  heartbeat: Heartbeat,
  { told, events }: News,
  now: Instant,
): Promise<Stored | undefined> {
  const account = await findUser(tx, heartbeat.userId)
  if (!account || account.kind === 'closed-organization') return undefined
  const sender = {
    userId: account.id,
    plan: ctx.config.plans.named(account.plan),
    keyId: null,
    holdsPushes: account.holdsPushes,
  }
  const message = compose(ctx, sender, heartbeat, told, now)
  const to = account.kind === 'organization' ? await lockAndAddress(tx, heartbeat) : undefined
  const store = (possible: Message) => storeWithHolds(tx, sender, possible, now, () => events)
  const stored = await storeDegraded({ ctx, tx, heartbeat, store }, to ? { ...message, to } : message)
  await stored.pushes.enqueue()
  return stored
}

function compose(ctx: Context, sender: Sender, heartbeat: Heartbeat, told: Told, now: Instant): Message {
  const { acknowledge, tags, ...plain } = notificationOf(heartbeat, told, now)
  const canAcknowledge = ctx.config.acknowledge && ctx.config.answers
  const message = composeMessage(ctx, sender, canAcknowledge ? { ...plain, acknowledge, tags } : plain)
  return { ...message, resolves: told.kind === 'up' ? (heartbeat.alertId ?? undefined) : undefined }
}

// Who joins, leaves or changes groups does so before or after this.
async function lockAndAddress(tx: Writer, { userId, settings, targetIds }: Heartbeat): Promise<Addressing> {
  await lockUser(tx, userId)
  return { target: settings.target ?? null, targetIds: targetIds ?? EVERYONE }
}

// The caps and the quota are checked before the first write, so the transaction goes on after each of these problems.
async function storeDegraded(attempt: Attempt, message: Message): Promise<StoredMessage> {
  const { ctx, tx, heartbeat, store } = attempt
  try {
    return await store(message)
  } catch (error) {
    const problem = error instanceof Problem ? error.problem : undefined
    if (problem === 'quota.exceeded') return store({ ...message, push: false, acknowledge: undefined })
    const { acknowledge } = message
    if (problem === 'notification_receipt.limit_exceeded' && acknowledge && !acknowledge.sharesWith) {
      const sharesWith = await listAlertsLike(tx, heartbeat)
      return storeDegraded(attempt, { ...message, acknowledge: { ...acknowledge, sharesWith } })
    }
    return storeDegraded(attempt, degradeMessage(ctx, heartbeat.userId, message, error))
  }
}

type Attempt = { ctx: Context; tx: Writer; heartbeat: Heartbeat; store: (message: Message) => Promise<StoredMessage> }

// The alerts of other heartbeats that reach the same people.
async function listAlertsLike(tx: Writer, { id, userId, targetIds }: Heartbeat): Promise<NotificationId[]> {
  const all = (await listHeartbeats(tx, userId)).flatMap((found) => openForServer(found) ?? [])
  const alike = all.filter((other) => other.id !== id && isDeepStrictEqual(other.targetIds, targetIds))
  return alike.flatMap(({ alertId }) => alertId ?? [])
}
