// What the owner of an app has chosen for it.
import { optionsOf } from '../../domain/apps/options.ts'
import type { AppCaller } from '../../domain/caller.ts'
import { findDevice } from '../../store/devices/devices.ts'
import type { Context } from '../context.ts'

export async function mayShowActivities({ db }: Context, { userId, deviceId }: AppCaller): Promise<boolean> {
  const device = await findDevice(db.read, userId, deviceId)
  return device !== undefined && optionsOf(device.platform, device.options)?.activities === true
}
