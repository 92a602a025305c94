// Sequences of ntfy: messages of a topic that update each other. A key changes what it has sent itself, a person what
// anyone has sent to the account.
import { type Caller, senderOf } from '../../../domain/caller.ts'
import { notificationIdOf } from '../../../domain/doors/ntfy/message-id.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { NotificationId } from '../../../domain/notifications/notification.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import { listSequence } from '../../../store/door-records.ts'
import type { Writer } from '../../../store/engine/database.ts'
import { listPending } from '../../../store/schedules.ts'
import type { Context } from '../../context.ts'
import { markReadInInbox, removeFor } from '../../notifications/inbox.ts'
import { cancelSchedule } from '../../schedules/cancel.ts'

export type NtfySequence = { topic: string; sequence: string }

export async function deleteSequence(ctx: Context, caller: Caller, which: NtfySequence): Promise<void> {
  requireLevel(caller, 'notifications', 'send')
  await cancelPending(ctx, caller, which)
  await changeInSteps(ctx, caller, await notificationsOf(ctx, caller, which), async (tx, ids, now) => {
    for (const id of ids) await removeFor(tx, caller, id, now)
  })
}

export async function clearSequence(ctx: Context, caller: Caller, which: NtfySequence): Promise<void> {
  requireLevel(caller, 'notifications', 'send')
  await cancelPending(ctx, caller, which)
  await markAllRead(ctx, caller, await notificationsOf(ctx, caller, which))
}

// Before an update is published: a message that waits to be sent is replaced. Banners of earlier messages of the sequence
// are replaced by their collapse id, which a message that did not name its sequence has not.
export async function replaceInSequence(ctx: Context, caller: Caller, which: NtfySequence): Promise<void> {
  await cancelPending(ctx, caller, which)
  const own = notificationIdOf(which.sequence)
  if (own === undefined) return
  const ids = await notificationsOf(ctx, caller, which)
  await markAllRead(ctx, caller, ids.includes(own) ? [own] : [])
}

function notificationsOf(ctx: Context, caller: Caller, { topic, sequence }: NtfySequence): Promise<NotificationId[]> {
  const { userId, keyId } = senderOf(caller)
  const own = notificationIdOf(sequence)
  return listSequence(ctx.db.read, userId, { door: 'ntfy', channel: topic, sequence, own, keyId })
}

async function cancelPending(ctx: Context, caller: Caller, { topic, sequence }: NtfySequence): Promise<void> {
  const pending = await ctx.slices(caller.userId, () => listPending(ctx.db.read, senderOf(caller)))
  for (const { id, input } of pending) {
    const { door } = input
    if (door?.door !== 'ntfy' || door.channel !== topic || door.sequence !== sequence) continue
    await cancelSchedule(ctx, caller, id, { purge: false })
  }
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
