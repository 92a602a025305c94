// What the owner of a phone sees and decides about the endpoints that other apps on it use (UnifiedPush).
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import { requireUser } from '../../domain/permissions.ts'
import {
  type EndpointId,
  findEndpointForUpdate,
  listEndpoints,
  type PushEndpoint,
  updateEndpoint,
} from '../../store/apps/push-endpoints.ts'
import { findDevice } from '../../store/devices/devices.ts'
import type { Context } from '../context.ts'

export async function endpointsOf(ctx: Context, caller: Caller, deviceId: DeviceId): Promise<PushEndpoint[]> {
  requireUser(caller)
  if (!(await findDevice(ctx.db.read, caller.userId, deviceId))) {
    throw new Problem('device.not_found', `There is no device "${deviceId}".`)
  }
  return listEndpoints(ctx.db.read, caller.userId, deviceId)
}

type Which = { deviceId: DeviceId; endpointId: EndpointId }

// A pinned endpoint takes posts of one sender only: of the one that was last known, else of the next one.
export const pinEndpoint = (ctx: Context, caller: Caller, which: Which, isPinned: boolean): Promise<PushEndpoint> =>
  change(ctx, caller, which, (endpoint) => ({ ...endpoint, isPinned }))

// Its sender learns that it is gone.
export async function endEndpoint(ctx: Context, caller: Caller, which: Which): Promise<void> {
  const endedAt = ctx.clock.now()
  await change(ctx, caller, which, (endpoint) => ({ ...endpoint, endedAt }))
}

async function change(
  ctx: Context,
  caller: Caller,
  { deviceId, endpointId }: Which,
  changed: (endpoint: PushEndpoint) => PushEndpoint,
): Promise<PushEndpoint> {
  requireUser(caller)
  return ctx.db.transact(async (tx) => {
    const found = await findEndpointForUpdate(tx, endpointId)
    if (!found || found.userId !== caller.userId || found.deviceId !== deviceId || found.endedAt !== null) {
      throw new Problem('device.endpoint_not_found', `The device has no endpoint "${endpointId}".`)
    }
    const next = changed(found)
    await updateEndpoint(tx, next)
    return next
  })
}
