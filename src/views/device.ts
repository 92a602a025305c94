// A device as clients see it.
import type { DeviceView } from '../contract/device.ts'
import type { Device } from '../domain/device.ts'
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
