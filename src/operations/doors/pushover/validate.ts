// The devices that senders of Pushover name: the token decides the account.
import type { Caller } from '../../../domain/caller.ts'
import type { Device, DeviceId } from '../../../domain/devices.ts'
import { PushoverRefusal } from '../../../domain/doors/pushover/message.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import { listDevices } from '../../../store/devices.ts'
import type { Context } from '../../context.ts'

export async function validateUser(ctx: Context, caller: Caller, device: string | undefined): Promise<Device[]> {
  requireLevel(caller, 'notifications', 'send')
  const devices = await listDevices(ctx.db.read, caller.userId)
  if (!device || devicesNamed(devices, device).length > 0) return devices
  throw new PushoverRefusal('device', 'invalid for this user', 'device name is not valid for this user')
}

// Undefined for all: the sender names none, or none that the account has.
export async function findNamedDevices(
  ctx: Context,
  { userId }: Caller,
  names: string | undefined,
): Promise<DeviceId[] | undefined> {
  const named = names ? devicesNamed(await listDevices(ctx.db.read, userId), names) : []
  return named.length > 0 ? named.map(({ id }) => id) : undefined
}

// `names`: separated by commas, in upper or lower case.
function devicesNamed(devices: Device[], names: string): Device[] {
  const wanted = names.split(',').map((name) => name.trim().toLowerCase())
  return devices.filter(({ name }) => wanted.includes(name.toLowerCase()))
}
