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
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { openForServer } from '../../domain/organizations/limit.ts'
import { EVERYONE } from '../../domain/organizations/target.ts'
import { findUser, lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { listHeartbeats } from '../../store/heartbeats/heartbeats.ts'
import type { Context } from '../context.ts'
import { withHolds } from '../holds/hold.ts'
import { enqueueNotificationPushes } from '../notifications/enqueue-pushes.ts'
import { lesserMessage } from '../notifications/lesser.ts'
import { composeMessage, type Message, type Stored, storeNotification } from '../notifications/store.ts'
import { enqueueEntryPushes } from '../organizations/sends/pushes.ts'
import { storeOrgSend } from '../organizations/sends/store.ts'

// What happened, and the events that are appended after that of the notification.
export type News = { told: Told; events: NewEvent[] }

// Returns undefined if the account is being deleted.
export async function tell(
  ctx: Context,
  tx: Writer,
  heartbeat: Heartbeat,
  news: News,
  now: Instant,
): Promise<Stored | undefined> {
  const account = await findUser(tx, heartbeat.userId)
  if (!account || account.kind === 'closed-organization') return undefined
  const sender = { userId: account.id, plan: account.plan, keyId: null, holdsPushes: account.holdsPushes }
  const message = compose(ctx, sender, heartbeat, news.told, now)
  const store = account.kind === 'organization' ? storeForOrganization : storeForPerson
  return storeAsFarAsPossible(
    { ctx, tx, heartbeat, store: (possible) => store(tx, sender, heartbeat, { ...news, message: possible }, now) },
    message,
  )
}

function compose(ctx: Context, sender: Sender, heartbeat: Heartbeat, told: Told, now: Instant): Message {
  const { acknowledge, tags, ...plain } = notificationOf(heartbeat, told, now)
  const canAcknowledge = ctx.config.acknowledge && ctx.config.answers
  const message = composeMessage(ctx, sender, canAcknowledge ? { ...plain, acknowledge, tags } : plain)
  return { ...message, resolves: told.kind === 'up' ? (heartbeat.alertId ?? undefined) : undefined }
}

// The caps and the quota are checked before the first write, so the transaction goes on after each of these problems.
async function storeAsFarAsPossible(telling: Attempt, message: Message): Promise<Stored> {
  const { ctx, tx, heartbeat, store } = telling
  try {
    return await store(message)
  } catch (error) {
    const problem = error instanceof Problem ? error.problem : undefined
    if (problem === 'quota.exceeded') return store({ ...message, push: false, acknowledge: undefined })
    const { acknowledge } = message
    if (problem === 'notification_receipt.limit_exceeded' && acknowledge && !acknowledge.sharesWith) {
      const sharesWith = await listAlertsLike(tx, heartbeat)
      return storeAsFarAsPossible(telling, { ...message, acknowledge: { ...acknowledge, sharesWith } })
    }
    return storeAsFarAsPossible(telling, lesserMessage(ctx, heartbeat.userId, message, error))
  }
}

type Attempt = { ctx: Context; tx: Writer; heartbeat: Heartbeat; store: (message: Message) => Promise<Stored> }

// The alerts of other heartbeats that reach the same people.
async function listAlertsLike(tx: Writer, { id, userId, targetIds }: Heartbeat): Promise<NotificationId[]> {
  const all = (await listHeartbeats(tx, userId)).flatMap((found) => openForServer(found) ?? [])
  const alike = all.filter((other) => other.id !== id && isDeepStrictEqual(other.targetIds, targetIds))
  return alike.flatMap(({ alertId }) => alertId ?? [])
}

type Telling = News & { message: Message }
type Store = (tx: Writer, sender: Sender, heartbeat: Heartbeat, telling: Telling, now: Instant) => Promise<Stored>

const storeForPerson: Store = async (tx, sender, _heartbeat, { message, events }, now) => {
  const heard = await withHolds(tx, sender, message, now)
  const stored = await storeNotification(tx, sender, heard, now, () => events)
  const { notification, collapseId, receipt } = stored
  if (!notification.pushed) return stored
  const { id: notificationId, userId } = notification
  await enqueueNotificationPushes(tx, { userId, notificationId, collapseId, repeat: receipt?.repeatsSent }, now)
  return stored
}

const storeForOrganization: Store = async (tx, sender, { settings, targetIds }, { message, events }, now) => {
  const orgId = sender.userId as OrgId
  // Who joins, leaves or changes groups does so before or after this.
  await lockUser(tx, orgId)
  const addressing = { target: settings.target ?? null, targetIds: targetIds ?? EVERYONE }
  const ofOrg = { ...sender, userId: orgId }
  const { stored, send, entries } = await storeOrgSend(tx, ofOrg, message, addressing, now, () => events)
  if (!stored.notification.pushed) return stored
  const push = { collapseId: stored.collapseId, repeat: stored.receipt?.repeatsSent }
  await enqueueEntryPushes(tx, send, entries, push, now)
  return stored
}
