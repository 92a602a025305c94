// A device as clients see it, and what a person types into the app of another service.
import type { AppDeviceView, DeviceView } from '../contract/devices.ts'
import type { Device } from '../domain/devices.ts'
import { toRfc3339 } from '../domain/instant.ts'

export function deviceView(device: Device): DeviceView {
  return {
    id: device.id,
    name: device.name,
    platform: device.platform,
    channel: device.channel,
    tags: device.tags,
    created_at: toRfc3339(device.createdAt),
    last_seen_at: toRfc3339(device.lastSeenAt),
    last_push_at: device.lastPushAt === null ? undefined : toRfc3339(device.lastPushAt),
    last_push_error: device.lastPushError ?? undefined,
  }
}

// The doors take any user name, but the apps require one.
const USER = 'heliograph'
// At ntfy, the topic with every notification of the account.
const INBOX_TOPIC = 'inbox'

export const appDeviceView = (
  { device, password }: { device: Device; password: string },
  serverUrl: string,
  deepLink: string | undefined,
): AppDeviceView => ({
  device: deviceView(device),
  server_url: serverUrl,
  user: USER,
  password,
  topic: device.platform === 'ntfy' ? INBOX_TOPIC : undefined,
  deep_link: deepLink,
})
