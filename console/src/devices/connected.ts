// Whether notifications reach a device. The device of another service's app is made before the app is set up; the server writes
// the time of the app's first visit.
import type { DeviceView } from '../../../src/contract/devices.ts'

type Seen = Pick<DeviceView, 'platform' | 'created_at' | 'last_seen_at'>

const isApp = ({ platform }: Pick<DeviceView, 'platform'>): boolean => platform === 'ntfy' || platform === 'gotify'

export const neverConnected = (device: Seen): boolean => isApp(device) && device.last_seen_at === device.created_at

// Gets notifications while nobody looks at it. Apps hold a connection for that.
export const canRing = (device: DeviceView): boolean =>
  device.channel !== 'stream' || (isApp(device) && !neverConnected(device))
