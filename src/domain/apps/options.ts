// What the owner of an app of another service chooses for it. An option that the app does not know is refused.
import type { DeviceOptions } from '../../contract/devices.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { Platform } from '../devices.ts'

const DEFAULTS: Partial<Record<Platform, DeviceOptions>> = {
  ntfy: { activities: true },
  bark: { activities: false, badge: true, ring: 'critical', withdraw: true },
}

// Undefined if the device has none.
export const optionsOf = (platform: Platform, chosen: DeviceOptions): DeviceOptions | undefined =>
  DEFAULTS[platform] && { ...DEFAULTS[platform], ...chosen }

export function changedOptions(platform: Platform, chosen: DeviceOptions, change: DeviceOptions): DeviceOptions {
  const known = DEFAULTS[platform] ?? {}
  const unknown = Object.keys(change).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length === 0) return { ...chosen, ...change }
  throw validationProblem(
    unknown.map((name) => ({ location: `body.options.${name}`, message: 'is not an option of this kind of device' })),
  )
}
