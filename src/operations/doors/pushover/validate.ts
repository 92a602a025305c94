// Answers senders that check a user and a device before they send: the token decides the account.
import type { Caller } from '../../../domain/caller.ts'
import type { Device } from '../../../domain/device.ts'
import { PushoverRefusal } from '../../../domain/doors/pushover/refusal.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import { listDevices } from '../../../store/devices.ts'
import type { Context } from '../../context.ts'

export async function validateUser(ctx: Context, caller: Caller, device: string | undefined): Promise<Device[]> {
  requireLevel(caller, 'notifications', 'send')
  const devices = await listDevices(ctx.db.read, caller.userId)
  if (!device || devices.some(({ name }) => name.toLowerCase() === device.toLowerCase())) return devices
  throw new PushoverRefusal('device', 'invalid for this user', 'device name is not valid for this user')
}
