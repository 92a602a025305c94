// Which of the first steps are done, derived from what the account has.
import type { DeviceView } from '../../../src/contract/devices.ts'
import type { HookView } from '../../../src/contract/hooks.ts'
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import type { NotificationList } from '../../../src/contract/notifications/notification.ts'
import { api } from '../api/client.ts'
import { canRing, neverConnected } from '../devices/connected.ts'
import { thisDeviceId } from '../state/this-browser.ts'

export type Account = {
  newestId: number | undefined
  devices: DeviceView[]
  ownDeviceId: string | undefined
  keys: KeyView[]
  hooks: HookView[]
}

// Added and not set up yet on the phone.
export const waitingPhone = ({ devices }: Account): DeviceView | undefined => devices.find(neverConnected)

export type Steps = { sent: boolean; browser: boolean; phone: DeviceView | undefined; program: boolean }

export async function loadSteps(): Promise<Account> {
  const [{ items }, devices, ownDeviceId, keys, hooks] = await Promise.all([
    api.get<NotificationList>('/notifications?limit=1'),
    api.get<{ items: DeviceView[] }>('/devices'),
    thisDeviceId(),
    api.get<KeyView[]>('/integrations/keys'),
    api.get<{ items: HookView[] }>('/integrations/hooks'),
  ])
  return { newestId: items[0]?.id, devices: devices.items, ownDeviceId, keys, hooks: hooks.items }
}

// Changes of these kinds may complete a step.
export const STEP_EVENTS = ['notification.', 'device.', 'key.', 'hook.']

export function stepsOf({ newestId, devices, ownDeviceId, keys, hooks }: Account): Steps {
  const receiving = devices.filter(canRing)
  return {
    sent: newestId !== undefined,
    browser: receiving.some(({ id }) => id === ownDeviceId),
    phone: receiving.find(({ id }) => id !== ownDeviceId),
    // A key or an address alone connects nothing.
    program: keys.some(({ last_used_at }) => last_used_at) || hooks.some(({ last_received_at }) => last_received_at),
  }
}

export const statesOf = ({ sent, browser, phone, program }: Steps): boolean[] => [
  sent,
  browser,
  phone !== undefined,
  program,
]
