// Joining by a code. The accounts of both sides are locked, so that plans and counts stay as they were read.
import { Problem } from '../../contract/problems.ts'
import type { Activity } from '../../domain/activities/activity.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { readJoinCode, shareCodeInvalid } from '../../domain/join-code.ts'
import { requireUser } from '../../domain/permissions.ts'
import { type JoinEffect, joinEffect } from '../../domain/shares/join.ts'
import { covers, type Share, type ShareCode, type ShareId, shareNews } from '../../domain/shares/share.ts'
import { newUuid } from '../../runtime/ids.ts'
import { findUser, lockUser } from '../../store/accounts/accounts.ts'
import { findActivityByIdForUpdate, listOngoingForUpdate } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds } from '../../store/events/feeds.ts'
import { findJoinCode, isBarredFrom, takeUse } from '../../store/join-codes.ts'
import { countForJoin, findHeldShare, insertShare, updateRole } from '../../store/shares/shares.ts'
import { audienceOf, devicesOf } from '../activities/audience.ts'
import { enqueueActivityPush } from '../activities/enqueue-push.ts'
import type { Context } from '../context.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'

export type Joined = { share: Share; effect: JoinEffect }

export async function joinByCode(ctx: Context, caller: Caller, text: string, mode: ChangeMode): Promise<Joined> {
  requireUser(caller)
  const code = readJoinCode(text)
  const known = code && (await findJoinCode(ctx.db.read, 'share', code))
  if (!known) throw shareCodeInvalid()
  const now = ctx.clock.now()
  return transactOrRehearse(ctx, mode, (tx) => joinByShareCode(ctx, tx, caller.userId, known, now))
}

export async function joinByShareCode(
  ctx: Context,
  tx: Writer,
  userId: UserId,
  known: ShareCode,
  now: Instant,
): Promise<Joined> {
  await lockBoth(tx, known.userId, userId)
  const ongoing = await lockOngoing(tx, known)
  // Read again under the locks.
  const current = await findJoinCode(tx, 'share', known.code)
  if (!current) throw shareCodeInvalid()
  return join(ctx, tx, userId, current, ongoing, now)
}

// In the order of their ids: two accounts may join each other's codes at the same time.
async function lockBoth(tx: Writer, one: UserId, other: UserId): Promise<void> {
  for (const userId of [one, other].sort()) await lockUser(tx, userId)
}

// The ongoing activities that the code shares. They are locked, so that a concurrent change either sees the share or is
// pushed by the join.
async function lockOngoing(tx: Writer, { userId, subject }: ShareCode): Promise<Activity[]> {
  if (subject.kind === 'pattern') {
    return (await listOngoingForUpdate(tx, userId)).filter((activity) => covers(subject, activity))
  }
  const activity = await findActivityByIdForUpdate(tx, userId, subject.activityId)
  return activity?.state === 'ongoing' ? [activity] : []
}

async function join(
  { config }: Context,
  tx: Writer,
  userId: UserId,
  code: ShareCode,
  ongoing: readonly Activity[],
  now: Instant,
): Promise<Joined> {
  const owner = await findUser(tx, code.userId)
  const recipient = await findUser(tx, userId)
  if (!owner || !recipient) throw new Problem('token.invalid', 'The account is gone.')
  const held = await findHeldShare(tx, owner.id, recipient.id, code.subject)
  const counts = await countForJoin(tx, owner.id, recipient.id, code.subject)
  const plans = { owner, recipient: { userId: recipient.id, plan: config.plans.named(recipient.plan) } }
  const isBarred = await isBarredFrom(tx, code.id, recipient.id)
  const effect = joinEffect({ code, ...plans, held, isBarred, ...counts }, now)
  if (held && effect === 'keep') return { share: held, effect }
  if (!(await takeUse(tx, code.id, now))) throw shareCodeInvalid()
  if (held) return { share: await raiseRole(tx, held, code.role, now), effect }
  const share: Share = {
    id: newUuid() as ShareId,
    userId: owner.id,
    ownerNickname: owner.nickname,
    recipientId: recipient.id,
    recipientNickname: recipient.nickname,
    role: code.role,
    subject: code.subject,
    createdAt: now,
  }
  await insertShare(tx, share)
  for (const activity of ongoing) await startOnDevices(tx, activity, recipient.id, now)
  await appendToFeeds(tx, shareNews(share, { type: 'share.created', at: now }))
  return { share, effect }
}

async function raiseRole(tx: Writer, held: Share, role: Share['role'], now: Instant): Promise<Share> {
  const raised = { ...held, role }
  await updateRole(tx, held.id, role)
  await appendToFeeds(tx, shareNews(raised, { type: 'share.updated', at: now }))
  return raised
}

async function startOnDevices(tx: Writer, activity: Activity, recipientId: UserId, now: Instant): Promise<void> {
  const devices = devicesOf(await audienceOf(tx, activity, now)).filter(({ userId }) => userId === recipientId)
  for (const device of devices) await enqueueActivityPush(tx, activity, device, now)
}
