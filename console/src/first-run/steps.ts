// Which of the first steps are done, derived from what the account has.
import type { DeviceView } from '../../../src/contract/devices.ts'
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import type { NotificationList } from '../../../src/contract/notifications/notification.ts'
import { api } from '../api/client.ts'
import { thisDeviceId } from '../state/this-browser.ts'

export type Account = {
  newestId: number | undefined
  devices: DeviceView[]
  ownDeviceId: string | undefined
  keys: KeyView[]
  hookCount: number
}

export type Steps = { sent: boolean; browser: boolean; phone: DeviceView | undefined; program: boolean }

export async function loadSteps(): Promise<Account> {
  const [{ items }, devices, ownDeviceId, keys, hooks] = await Promise.all([
    api.get<NotificationList>('/notifications?limit=1'),
    loadDevices(),
    thisDeviceId(),
    api.get<KeyView[]>('/integrations/keys'),
    api.get<{ items: unknown[] }>('/integrations/hooks'),
  ])
  return { newestId: items[0]?.id, devices, ownDeviceId, keys, hookCount: hooks.items.length }
}

// Changes of these kinds may complete a step.
export const STEP_EVENTS = ['notification.', 'device.', 'key.', 'hook.']

export async function loadDevices(): Promise<DeviceView[]> {
  return (await api.get<{ items: DeviceView[] }>('/devices')).items
}

export function stepsOf({ newestId, devices, ownDeviceId, keys, hookCount }: Account): Steps {
  const receiving = devices.filter(isPushable)
  return {
    sent: newestId !== undefined,
    browser: receiving.some(({ id }) => id === ownDeviceId),
    phone: receiving.find(({ id }) => id !== ownDeviceId),
    // The first start gives every account a default key, so only its use counts.
    program: hookCount > 0 || keys.some((key) => !key.is_default || key.last_used_at !== undefined),
  }
}

// Gets notifications while nobody looks at it. The apps of other services hold a connection for that.
export const isPushable = ({ channel, platform }: DeviceView): boolean =>
  channel !== 'stream' || platform === 'ntfy' || platform === 'gotify'
