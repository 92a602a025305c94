// Heartbeats as callers read them. A key reads all of the account; one that is limited to a part of an organization reads
// those whose alerts stay inside it.
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Heartbeat } from '../../domain/heartbeats/heartbeat.ts'
import type { KeptPing } from '../../domain/heartbeats/ping.ts'
import { namedTarget } from '../../domain/organizations/activity-target.ts'
import { alsoReaching, isLimited, limitOf, openForServer, openInside } from '../../domain/organizations/limit.ts'
import { hasLevel, requireLevel } from '../../domain/permissions.ts'
import type { Reader } from '../../store/engine/database.ts'
import { listEscalations } from '../../store/escalations.ts'
import { findHeartbeat, listHeartbeats, type TargetedHeartbeat } from '../../store/heartbeats/heartbeats.ts'
import { listPings } from '../../store/heartbeats/pings.ts'
import type { Context } from '../context.ts'
import { orgCallerOf, readDirectory } from '../targets.ts'

// `maySeeAddress`: callers that may change a heartbeat may also ping it.
export type ShownHeartbeat = { heartbeat: Heartbeat; maySeeAddress: boolean }

export async function allHeartbeats(ctx: Context, caller: Caller): Promise<ShownHeartbeat[]> {
  requireLevel(caller, 'notifications', 'send')
  const db = ctx.db.read
  const found = await withReach(db, caller, await listHeartbeats(db, caller.userId))
  const seen = found.flatMap((one) => openInside(limitOf(caller), one) ?? [])
  return (await withPresentNames(db, caller, seen)).map((heartbeat) => shownTo(caller, heartbeat))
}

export async function readHeartbeat(ctx: Context, caller: Caller, slug: string): Promise<ShownHeartbeat> {
  requireLevel(caller, 'notifications', 'send')
  const heartbeat = await requireSeen(ctx.db.read, caller, await findHeartbeat(ctx.db.read, caller.userId, slug), slug)
  return shownTo(caller, heartbeat)
}

export async function lastPings(ctx: Context, caller: Caller, slug: string): Promise<KeptPing[]> {
  requireLevel(caller, 'notifications', 'send')
  const found = await findHeartbeat(ctx.db.read, caller.userId, slug)
  const { id, userId } = await requireSeen(ctx.db.read, caller, found, slug)
  // In a slice, because a hundred bodies of the largest size are a megabyte.
  return ctx.slices(userId, () => listPings(ctx.db.read, userId, id))
}

export const shownTo = (caller: Caller, heartbeat: Heartbeat): ShownHeartbeat => ({
  heartbeat,
  maySeeAddress: hasLevel(caller, 'notifications', 'schedule'),
})

export async function requireSeen(
  db: Reader,
  caller: Caller,
  found: TargetedHeartbeat | undefined,
  slug: string,
): Promise<Heartbeat> {
  const [reaching] = await withReach(db, caller, found ? [found] : [])
  const seen = openInside(limitOf(caller), reaching)
  if (!seen) throw new Problem('heartbeat.not_found', `There is no heartbeat "${slug}".`)
  const [heartbeat = seen] = await withPresentNames(db, caller, [seen])
  return heartbeat
}

// An alert also reaches the members that the steps of its escalation policy add.
export async function withReach(db: Reader, caller: Caller, found: TargetedHeartbeat[]): Promise<TargetedHeartbeat[]> {
  if (!isLimited(caller) || found.length === 0) return found
  const policies = await listEscalations(db, caller.userId)
  const targetsOf = (slug: string | undefined) =>
    policies.find((policy) => openForServer(policy)?.slug === slug)?.targets ?? []
  return found.map((one) => alsoReaching(one, ({ settings }) => targetsOf(settings.acknowledge?.escalation)))
}

// Groups are shown with their present names, deleted ones with their last.
async function withPresentNames(db: Reader, caller: Caller, heartbeats: Heartbeat[]): Promise<Heartbeat[]> {
  const organization = orgCallerOf(caller)
  if (!organization || heartbeats.length === 0) return heartbeats
  const directory = await readDirectory(db, organization.userId)
  return heartbeats.map((heartbeat) => {
    const { settings, targetIds } = heartbeat
    const names = targetIds && namedTarget(targetIds, directory, settings.target).names
    return names ? { ...heartbeat, settings: { ...settings, target: names } } : heartbeat
  })
}
