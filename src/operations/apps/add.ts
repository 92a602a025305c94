// Adds an app of another service as a device, with a password of its own. Removing the device revokes it.
import type { AppDeviceInput, AppKind } from '../../contract/devices.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { SessionId } from '../../domain/accounts/session.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Device, deviceId, requireRoomForDevice } from '../../domain/devices.ts'
import { requireUser } from '../../domain/permissions.ts'
import { hashToken } from '../../domain/token.ts'
import { newAppPassword, newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { insertToken } from '../../store/accounts/tokens.ts'
import { countDevices, findDevice, insertDevice } from '../../store/devices/devices.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import type { Context } from '../context.ts'

// The password is never shown again.
export type AppDevice = { device: Device; password: string }

export async function addAppDevice(ctx: Context, caller: Caller, input: AppDeviceInput): Promise<AppDevice> {
  requireUser(caller)
  const { name, address, encrypt } = input
  const kind = input.kind as AppKind
  if (address !== undefined || encrypt !== undefined) {
    throw validationProblem([{ location: 'body.kind', message: 'must be bark with address or encrypt' }])
  }
  if (!ctx.config.doors.includes(kind)) {
    throw validationProblem([{ location: 'body.kind', message: 'is switched off on this server' }])
  }
  const { userId } = caller
  const now = ctx.clock.now()
  const id = deviceId(newUuid())
  const password = newAppPassword()
  return ctx.db.transact(async (tx) => {
    // The count of devices cannot change until the commit.
    await lockUser(tx, userId)
    requireRoomForDevice(caller.plan, await countDevices(tx, userId))
    await insertDevice(tx, { userId, id, name, platform: kind, tags: [] }, now)
    await insertToken(tx, {
      id: newUuid() as SessionId,
      hash: hashToken(password),
      kind,
      userId,
      deviceId: id,
      createdAt: now,
    })
    const device = await findDevice(tx, userId, id)
    if (!device) throw new Error('the device just saved is not there')
    await appendEvent(tx, userId, { type: 'device.registered', at: now, data: { id } })
    return { device, password }
  })
}
