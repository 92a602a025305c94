// What the owner decides about the link to a Bark phone: who may take its place, whether it is disconnected, and where it is.
import type { DevicePatch } from '../../../contract/devices.ts'
import { Problem } from '../../../contract/problems.ts'
import { unseal } from '../../../domain/apps/sealing.ts'
import type { Caller, UserId } from '../../../domain/caller.ts'
import type { Device, DeviceId } from '../../../domain/devices.ts'
import { DAY_SECONDS, type Instant, plusSeconds } from '../../../domain/instant.ts'
import type { NotificationId } from '../../../domain/notifications/notification.ts'
import { requireUser } from '../../../domain/permissions.ts'
import { type AppLink, findLink, findLinkByNotice, findLinkForUpdate, updateLink } from '../../../store/apps/links.ts'
import { deleteDevice, findDevice, recordPush } from '../../../store/devices/devices.ts'
import { deleteRegisteredTokens } from '../../../store/devices/push-tokens.ts'
import type { Writer } from '../../../store/engine/database.ts'
import { appendEvent } from '../../../store/events/feeds.ts'
import type { Job } from '../../../store/jobs.ts'
import type { Context, JobContext } from '../../context.ts'
import type { JobResult } from '../../job-result.ts'
import { changedTarget } from './add.ts'
import { DISCONNECT, KEEP } from './notices.ts'
import { connectTo, pushThere, sealTarget, targetOf } from './register.ts'

// Lets the phone that has asked take the place of the device.
export async function approvePhone(ctx: Context, caller: Caller, id: DeviceId, pendingId: string): Promise<Device> {
  requireUser(caller)
  const now = ctx.clock.now()
  return changeLink(ctx, caller, id, async (tx, link) => {
    const ask = link?.asks.find((one) => one.id === pendingId && now < plusSeconds(one.askedAt, DAY_SECONDS))
    const token = ask && unseal(ctx.sealingKey, id, ask.sealed)
    if (!link || !token) throw new Problem('device.nothing_pending', 'No phone asks to take the place of this device.')
    await connectTo(ctx, tx, link, token, now)
  })
}

// Pushes go there again, after the server or the phone was refused.
export async function retryLink(ctx: Context, caller: Caller, id: DeviceId): Promise<Device> {
  requireUser(caller)
  const now = ctx.clock.now()
  return changeLink(ctx, caller, id, async (tx, link) => {
    if (!link?.sealed || link.openUntil !== null) return
    await updateLink(tx, { ...link, refusals: 0 })
    await pushThere(tx, link, link.sealed, now)
    await appendEvent(tx, link.userId, { type: 'device.updated', at: now, data: { id } })
  })
}

// `madeKey`: for the app, to be shown once.
export async function changeTarget(
  ctx: Context,
  caller: Caller,
  id: DeviceId,
  patch: DevicePatch,
): Promise<{ madeKey?: string }> {
  const known = await findLink(ctx.db.read, caller.userId, id)
  if (!known) throw new Problem('device.address_invalid', 'Only a phone with the Bark app has an address to change.')
  const change = await changedTarget(ctx, known, targetOf(ctx, known), patch)
  if (!change) return {}
  const { target, host, madeKey } = change
  const now = ctx.clock.now()
  await changeLink(ctx, caller, id, async (tx, link) => {
    if (!link) return
    const sealed = sealTarget(ctx, id, target)
    await updateLink(tx, { ...link, sealed, host, refusals: 0 })
    if (link.openUntil === null) await pushThere(tx, link, sealed, now)
  })
  return { madeKey }
}

async function changeLink(
  ctx: Context,
  { userId }: Caller,
  id: DeviceId,
  change: (tx: Writer, link: AppLink | undefined) => Promise<void>,
): Promise<Device> {
  return ctx.db.transact(async (tx) => {
    const link = await findLinkForUpdate(tx, userId, id)
    await requireDevice(tx, userId, id)
    await change(tx, link)
    // Only the link is locked: a device without one may be deleted meanwhile.
    return requireDevice(tx, userId, id)
  })
}

async function requireDevice(tx: Writer, userId: UserId, id: DeviceId): Promise<Device> {
  const device = await findDevice(tx, userId, id)
  if (!device) throw new Problem('device.not_found', `There is no device "${id}".`)
  return device
}

// The answer to the question whether a phone is to be disconnected.
export async function settleRemoval(
  tx: Writer,
  userId: UserId,
  notificationId: NotificationId,
  actionId: string,
  now: Instant,
): Promise<void> {
  if (actionId !== KEEP && actionId !== DISCONNECT) return
  const link = await findLinkByNotice(tx, userId, notificationId)
  if (!link) return
  const free = { removalAskedAt: null, removalNoticeId: null }
  await updateLink(tx, { ...link, ...free, endedAt: actionId === DISCONNECT ? now : null })
  if (actionId === DISCONNECT) await disconnect(tx, link, 'disconnected by you', now)
}

async function disconnect(tx: Writer, { userId, deviceId: id }: AppLink, why: string, now: Instant): Promise<void> {
  await deleteRegisteredTokens(tx, userId, id)
  await recordPush(tx, userId, id, { at: now, error: why })
  await appendEvent(tx, userId, { type: 'device.updated', at: now, data: { id } })
}

// A phone that never registered is deleted with its address; one that was removed from the app gets nothing after a day.
export async function settleAppLink(ctx: JobContext, { payload }: Job<'settle-app-link'>): Promise<JobResult> {
  const { userId, deviceId } = payload
  const now = ctx.clock.now()
  return {
    done: true,
    record: async (tx) => {
      const link = await findLinkForUpdate(tx, userId, deviceId)
      if (!link) return
      if (link.openUntil !== null && link.openUntil <= now) return deleteUnused(tx, link, now)
      const { removalAskedAt } = link
      if (removalAskedAt === null || now < plusSeconds(removalAskedAt, DAY_SECONDS)) return
      // It stays asked, so that the same phone may connect again.
      await updateLink(tx, { ...link, endedAt: now })
      await disconnect(tx, link, 'removed in the Bark app', now)
    },
  }
}

async function deleteUnused(tx: Writer, { userId, deviceId: id }: AppLink, now: Instant): Promise<void> {
  if (await deleteDevice(tx, userId, id)) {
    await appendEvent(tx, userId, { type: 'device.deleted', at: now, data: { id } })
  }
}
