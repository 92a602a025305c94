// What a caller may set on a heartbeat, beyond the rules of domain/heartbeats.
import { type Caller, senderOf } from '../../domain/caller.ts'
import { downNotification } from '../../domain/heartbeats/alert.ts'
import {
  type Heartbeat,
  type HeartbeatId,
  type HeartbeatSettings,
  invalidHeartbeat,
  widgetSlug,
} from '../../domain/heartbeats/heartbeat.ts'
import { instant } from '../../domain/instant.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import type { Reader } from '../../store/engine/database.ts'
import type { Context } from '../context.ts'
import { composeMessage } from '../notifications/store.ts'
import { requireEscalationFor } from '../receipts/escalation.ts'
import { orgCallerOf, readActivityTarget, requireMayTarget } from '../targets.ts'

// A heartbeat with a widget writes that widget, so its creator must be allowed to.
export function requireAllowed(caller: Caller, slug: string, { widget }: HeartbeatSettings): void {
  if (!widget) return
  if (orgCallerOf(caller)) throw invalidHeartbeat([{ location: 'body.widget', message: 'is not for organizations' }])
  requireLevel(caller, 'widgets', 'write')
  requireSlug(caller, 'widgets', widgetSlug(slug))
}

// The alert must be one that could be sent: level, url, sound, acknowledge and tags have the rules of a notification.
export function requireValid(ctx: Context, caller: Caller, settings: HeartbeatSettings): void {
  const sample = { id: '' as HeartbeatId, settings, lastSuccessAt: null }
  composeMessage(ctx, senderOf(caller), downNotification(sample, { kind: 'missed', dueAt: instant(0) }))
}

// Adds whom the alert reaches: the target of the request, within the limit of the key that sets it. Its owner sees the limit
// as the target of a heartbeat that was set without one.
export async function withTarget(
  db: Reader,
  caller: Caller,
  settings: HeartbeatSettings,
): Promise<Pick<Heartbeat, 'settings' | 'targetIds'>> {
  requireMayTarget(caller, settings.target)
  const target = await readActivityTarget(db, caller, settings.target)
  const { target: _, ...others } = settings
  return { settings: { ...others, ...(target?.names && { target: target.names }) }, targetIds: target?.ids ?? null }
}

// The policy that the alert names must exist when it is set. If it is deleted later, the alert is sent without.
export async function requireEscalationOf(
  db: Reader,
  caller: Caller,
  { acknowledge }: HeartbeatSettings,
): Promise<void> {
  await requireEscalationFor(db, senderOf(caller), acknowledge)
}
