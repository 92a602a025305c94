// Creates, changes and removes heartbeats, for people and programs that may schedule notifications.
import type { HeartbeatInput, HeartbeatPatch } from '../../contract/heartbeats.ts'
import { requireRoom } from '../../domain/accounts/account.ts'
import type { Caller } from '../../domain/caller.ts'
import {
  type Heartbeat,
  type HeartbeatId,
  newSettings,
  type PingToken,
  patchedSettings,
} from '../../domain/heartbeats/heartbeat.ts'
import { pause, resume, withSettings } from '../../domain/heartbeats/judging.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import { limitOf, openTaken, requireUnlimited } from '../../domain/organizations/limit.ts'
import { requireLevel } from '../../domain/permissions.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvents } from '../../store/events/feeds.ts'
import {
  countHeartbeats,
  deleteHeartbeat,
  findHeartbeatForUpdate,
  insertHeartbeat,
} from '../../store/heartbeats/heartbeats.ts'
import type { Context } from '../context.ts'
import { endReceipts } from '../receipts/end.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'
import { requireSeen, type ShownHeartbeat, shownTo, withReach } from './read.ts'
import { saveByHand, statusEvent, updatedEvent } from './save.ts'
import { requireAllowed, requireEscalationOf, requireValid, withTarget } from './settings.ts'
import { dropWidget, keepWidget, requireRoomForWidget } from './widget.ts'

export type PutHeartbeat = ShownHeartbeat & { action: 'created' | 'updated' }

const newPingToken = () => newUuid() as PingToken

// An existing heartbeat of this slug gets the settings; its status, its pings and its address stay.
export async function putHeartbeat(
  ctx: Context,
  caller: Caller,
  input: HeartbeatInput,
  mode: ChangeMode,
): Promise<PutHeartbeat> {
  requireLevel(caller, 'notifications', 'schedule')
  const settings = newSettings(input)
  const { slug } = input
  requireAllowed(caller, slug, settings)
  requireValid(ctx, caller, settings)
  const now = ctx.clock.now()
  return transactOrRehearse(ctx, mode, async (tx) => {
    // The lock keeps the number of heartbeats, and who is in the groups of an organization.
    await lockUser(tx, caller.userId)
    const set = await withTarget(tx, caller, settings)
    await requireEscalationOf(tx, caller, settings)
    const found = await findHeartbeatForUpdate(tx, caller.userId, slug)
    const [reaching] = await withReach(tx, caller, found ? [found] : [])
    const existing = openTaken(limitOf(caller), reaching, slug)
    if (!existing) {
      const created = shownTo(caller, await insertNew(tx, caller, { slug, ...set }, now))
      // The address of a dry run leads nowhere.
      return { ...created, ...(mode === 'dry_run' && { maySeeAddress: false }), action: 'created' }
    }
    if (settings.widget) await requireRoomForWidget(tx, caller, slug)
    const changed = { ...withSettings(existing, set.settings, now), targetIds: set.targetIds, updatedAt: now }
    await saveByHand(tx, caller, existing, changed, updatedEvent(changed, now))
    return { ...shownTo(caller, changed), action: 'updated' }
  })
}

export async function patchHeartbeat(
  ctx: Context,
  caller: Caller,
  slug: string,
  { patch, mode }: { patch: HeartbeatPatch; mode: ChangeMode },
): Promise<ShownHeartbeat> {
  const make: Make = async (tx, existing, now) => {
    const patched = patchedSettings(existing, patch)
    if (patch.widget) requireAllowed(caller, slug, patched)
    requireValid(ctx, caller, patched)
    if (patch.target === null) requireUnlimited(caller)
    const { settings, targetIds } =
      patch.target === undefined ? { ...existing, settings: patched } : await withTarget(tx, caller, patched)
    if (patch.acknowledge) await requireEscalationOf(tx, caller, settings)
    if (settings.widget) await requireRoomForWidget(tx, caller, slug)
    const changed = { ...withSettings(existing, settings, now), targetIds }
    return { changed, event: updatedEvent(changed, now) }
  }
  return change(ctx, caller, slug, make, mode)
}

// The old address stops working at once.
export const rollHeartbeat = (ctx: Context, caller: Caller, slug: string): Promise<ShownHeartbeat> =>
  change(ctx, caller, slug, async (_tx, existing, now) => ({
    changed: { ...existing, token: newPingToken() },
    event: updatedEvent(existing, now),
  }))

export const pauseHeartbeat = (ctx: Context, caller: Caller, slug: string): Promise<ShownHeartbeat> =>
  change(ctx, caller, slug, async (_tx, existing, now) => {
    if (existing.status === 'paused') return undefined
    const changed = pause(existing)
    return { changed, event: statusEvent(changed, now) }
  })

export const resumeHeartbeat = (ctx: Context, caller: Caller, slug: string): Promise<ShownHeartbeat> =>
  change(ctx, caller, slug, async (_tx, existing, now) => {
    if (existing.status !== 'paused') return undefined
    const changed = resume(existing, now)
    return { changed, event: statusEvent(changed, now) }
  })

export async function removeHeartbeat(ctx: Context, caller: Caller, slug: string): Promise<void> {
  requireLevel(caller, 'notifications', 'schedule')
  const now = ctx.clock.now()
  const { userId } = caller
  await ctx.db.transact(async (tx) => {
    const found = await findHeartbeatForUpdate(tx, userId, slug)
    const { alertId, settings } = await requireSeen(tx, caller, found, slug)
    const ofWidget = settings.widget ? await dropWidget(tx, { userId, slug }, now) : []
    await deleteHeartbeat(tx, userId, slug)
    const receipts = alertId === null ? [] : [{ userId, notificationId: alertId }]
    await endReceipts(tx, receipts, { status: 'canceled', reason: 'deleted' }, now)
    await appendEvents(tx, userId, [...ofWidget, { type: 'heartbeat.deleted', at: now, data: { slug } }])
  })
}

type ByHand = { changed: Heartbeat; event: ReturnType<typeof updatedEvent> }
// Returns undefined if nothing changes.
type Make = (tx: Writer, existing: Heartbeat, now: Instant) => Promise<ByHand | undefined>

async function change(
  ctx: Context,
  caller: Caller,
  slug: string,
  make: Make,
  mode: ChangeMode = 'commit',
): Promise<ShownHeartbeat> {
  requireLevel(caller, 'notifications', 'schedule')
  const now = ctx.clock.now()
  return transactOrRehearse(ctx, mode, async (tx) => {
    await lockUser(tx, caller.userId)
    const found = await findHeartbeatForUpdate(tx, caller.userId, slug)
    const existing = await requireSeen(tx, caller, found, slug)
    const made = await make(tx, existing, now)
    if (!made) return shownTo(caller, existing)
    const changed = { ...made.changed, updatedAt: now }
    await saveByHand(tx, caller, existing, changed, made.event)
    return shownTo(caller, changed)
  })
}

// The caller of this function holds the lock of the account.
export async function insertNew(
  tx: Writer,
  { userId, plan }: Pick<Caller, 'userId' | 'plan'>,
  fields: Pick<Heartbeat, 'slug' | 'settings' | 'targetIds'>,
  now: Instant,
): Promise<Heartbeat> {
  const most = plan.caps.heartbeats
  requireRoom(
    await countHeartbeats(tx, userId),
    most,
    'heartbeat.limit_exceeded',
    'heartbeats',
    'An account on this plan',
  )
  if (fields.settings.widget) await requireRoomForWidget(tx, { userId, plan }, fields.slug)
  const heartbeat: Heartbeat = {
    id: newUuid() as HeartbeatId,
    userId,
    token: newPingToken(),
    ...fields,
    status: 'new',
    lastPingAt: null,
    lastSuccessAt: null,
    lastDurationMs: null,
    dueAt: null,
    runs: [],
    runUntil: null,
    downSince: null,
    alertId: null,
    pings: 0,
    minuteStart: instant(0),
    minutePings: 0,
    createdAt: now,
    updatedAt: now,
  }
  await insertHeartbeat(tx, heartbeat)
  const ofWidget = fields.settings.widget ? await keepWidget(tx, heartbeat, plan, now) : []
  await appendEvents(tx, userId, [...ofWidget, updatedEvent(heartbeat, now)])
  return heartbeat
}
