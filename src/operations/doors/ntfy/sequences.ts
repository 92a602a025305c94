// Sequences of ntfy: messages of a topic that update each other. A key changes what it has sent itself, a person what
// anyone has sent to the account.
import { type Caller, senderOf } from '../../../domain/caller.ts'
import { notificationIdOf } from '../../../domain/doors/ntfy/message-id.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { NotificationId } from '../../../domain/notifications/notification.ts'
import { openOwn } from '../../../domain/organizations/limit.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import type { Schedule, ScheduleId } from '../../../domain/schedules/schedule.ts'
import { findDoorRecord, insertDoorSequence, listSequence } from '../../../store/doors/records.ts'
import type { Writer } from '../../../store/engine/database.ts'
import { findNotification } from '../../../store/notifications/notifications.ts'
import { listPending } from '../../../store/schedules.ts'
import type { Context } from '../../context.ts'
import { markReadInInbox } from '../../notifications/read-marks.ts'
import { removeFor } from '../../notifications/removal.ts'
import { cancelSchedule } from '../../schedules/cancel.ts'

export type NtfySequence = { topic: string; sequence: string }

export async function deleteSequence(ctx: Context, caller: Caller, which: NtfySequence): Promise<void> {
  requireLevel(caller, 'notifications', 'send')
  await cancelAll(ctx, caller, await findPending(ctx, caller, which))
  await changeInSteps(ctx, caller, await notificationsOf(ctx, caller, which), async (tx, ids, now) => {
    await removeFor(tx, caller, ids, now)
  })
}

export async function clearSequence(ctx: Context, caller: Caller, which: NtfySequence): Promise<void> {
  requireLevel(caller, 'notifications', 'send')
  await cancelAll(ctx, caller, await findPending(ctx, caller, which))
  await markAllRead(ctx, caller, await notificationsOf(ctx, caller, which))
}

// What an update replaces: messages that wait to be sent, and the banner of the first message. Banners of later ones are
// replaced by their collapse id, which a message that did not name its sequence has not.
export type Replaced = { pending: ScheduleId[]; first?: NotificationId }

// Called before the update is published, so that the update is not among them.
export async function findReplaced(ctx: Context, caller: Caller, which: NtfySequence): Promise<Replaced> {
  const pending = await findPending(ctx, caller, which)
  if (pending.length > 0) requireLevel(caller, 'notifications', 'schedule')
  return { pending, first: await findFirst(ctx, caller, which) }
}

// Called after it is published: a refused update must not take the message that it updates with it.
export async function endReplaced(
  ctx: Context,
  caller: Caller,
  which: NtfySequence,
  { pending, first }: Replaced,
): Promise<void> {
  await cancelAll(ctx, caller, pending)
  if (first === undefined) return
  const { userId } = caller
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    // From now on it is one of its sequence, of which apps show the update.
    insertDoorSequence(tx, userId, first, { door: 'ntfy', channel: which.topic, sequence: which.sequence })
    await markReadInInbox(tx, userId, [first], now)
  })
}

async function notificationsOf(ctx: Context, caller: Caller, which: NtfySequence): Promise<NotificationId[]> {
  const { userId, keyId } = senderOf(caller)
  const { topic: channel, sequence } = which
  const named = await listSequence(ctx.db.read, userId, { door: 'ntfy', channel, sequence, keyId })
  const first = await findFirst(ctx, caller, which)
  return first === undefined || named.includes(first) ? named : [...named, first]
}

// The message by whose id the sequence is called. It did not name a sequence itself.
async function findFirst(
  ctx: Context,
  caller: Caller,
  { topic, sequence }: NtfySequence,
): Promise<NotificationId | undefined> {
  const { userId, keyId } = senderOf(caller)
  const id = notificationIdOf(sequence)
  const record = id === undefined ? undefined : await findDoorRecord(ctx.db.read, userId, id)
  if (id === undefined || record?.door !== 'ntfy' || record.channel !== topic) return undefined
  const sent = await findNotification(ctx.db.read, userId, id)
  return sent && (keyId === null || sent.keyId === keyId) ? id : undefined
}

async function findPending(ctx: Context, caller: Caller, { topic, sequence }: NtfySequence): Promise<ScheduleId[]> {
  const found = await ctx.slices(caller.userId, () => listPending(ctx.db.read, senderOf(caller)))
  const pending = found.flatMap((one) => openOwn(caller, one) ?? [])
  const isOfSequence = ({ input: { door } }: Schedule) =>
    door?.door === 'ntfy' && door.channel === topic && door.sequence === sequence
  return pending.filter(isOfSequence).map(({ id }) => id)
}

async function cancelAll(ctx: Context, caller: Caller, ids: ScheduleId[]): Promise<void> {
  for (const id of ids) await cancelSchedule(ctx, caller, id, { purge: false })
}

const markAllRead = (ctx: Context, caller: Caller, ids: NotificationId[]) =>
  changeInSteps(ctx, caller, ids, async (tx, some, now) => {
    await markReadInInbox(tx, caller.userId, some, now)
  })

const PER_STEP = 20

// A sequence that a sensor updates every minute has thousands of notifications.
async function changeInSteps(
  ctx: Context,
  { userId }: Caller,
  ids: NotificationId[],
  change: (tx: Writer, ids: NotificationId[], now: Instant) => Promise<void>,
): Promise<void> {
  const now = ctx.clock.now()
  for (let start = 0; start < ids.length; start += PER_STEP) {
    const some = ids.slice(start, start + PER_STEP)
    await ctx.slices(userId, () => ctx.db.transact((tx) => change(tx, some, now)))
  }
}
