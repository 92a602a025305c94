// Heartbeats as callers read them. A key reads all of the account.
import { Problem } from '../../contract/problems.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Heartbeat } from '../../domain/heartbeats/heartbeat.ts'
import type { KeptPing } from '../../domain/heartbeats/ping.ts'
import { hasLevel, requireLevel } from '../../domain/permissions.ts'
import type { Reader } from '../../store/engine/database.ts'
import { findHeartbeat, listHeartbeats } from '../../store/heartbeats/heartbeats.ts'
import { listPings } from '../../store/heartbeats/pings.ts'
import type { Context } from '../context.ts'

// `maySeeAddress`: callers that may change a heartbeat may also ping it.
export type ShownHeartbeat = { heartbeat: Heartbeat; maySeeAddress: boolean }

export async function allHeartbeats(ctx: Context, caller: Caller): Promise<ShownHeartbeat[]> {
  requireLevel(caller, 'notifications', 'send')
  const heartbeats = await listHeartbeats(ctx.db.read, caller.userId)
  return heartbeats.map((heartbeat) => shownTo(caller, heartbeat))
}

export async function readHeartbeat(ctx: Context, caller: Caller, slug: string): Promise<ShownHeartbeat> {
  requireLevel(caller, 'notifications', 'send')
  return shownTo(caller, await requireHeartbeat(ctx.db.read, caller.userId, slug))
}

export async function lastPings(ctx: Context, caller: Caller, slug: string): Promise<KeptPing[]> {
  requireLevel(caller, 'notifications', 'send')
  const { id, userId } = await requireHeartbeat(ctx.db.read, caller.userId, slug)
  // In a slice, because a hundred bodies of the largest size are a megabyte.
  return ctx.slices(userId, () => listPings(ctx.db.read, userId, id))
}

export const shownTo = (caller: Caller, heartbeat: Heartbeat): ShownHeartbeat => ({
  heartbeat,
  maySeeAddress: hasLevel(caller, 'notifications', 'schedule'),
})

async function requireHeartbeat(db: Reader, userId: UserId, slug: string): Promise<Heartbeat> {
  return (await findHeartbeat(db, userId, slug)) ?? refuseUnknown(slug)
}

export function refuseUnknown(slug: string): never {
  throw new Problem('heartbeat.not_found', `There is no heartbeat "${slug}".`)
}
