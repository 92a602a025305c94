// A device as clients see it, and what a person types into the app of another service.
import type { AppDeviceView, DeviceView, PushEndpointView } from '../contract/devices.ts'
import { optionsOf } from '../domain/apps/options.ts'
import type { Device } from '../domain/devices.ts'
import { DAY_SECONDS, type Instant, plusSeconds, toRfc3339, yearMonthDay } from '../domain/instant.ts'

// A link to an app that is pushed to, without what is secret.
type LinkParts = { host: string | null; asks: { id: string; askedAt: Instant; from: string }[] }

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
    options: optionsOf(device.platform, device.options),
  }
}

export function listedDeviceView(
  { device, link, isConnected }: { device: Device; link?: LinkParts; isConnected?: boolean },
  now: Instant,
): DeviceView {
  if (!link) return deviceView(device)
  const newest = link.asks.findLast(({ askedAt }) => now < plusSeconds(askedAt, DAY_SECONDS))
  return {
    ...deviceView(device),
    host: link.host ?? undefined,
    connected: isConnected,
    pending: newest && { id: newest.id, asked_at: toRfc3339(newest.askedAt), from: newest.from },
  }
}

type EndpointParts = {
  id: string
  prefix: string
  createdAt: Instant
  lastMessageAt: Instant | null
  day: number
  messagesToday: number
  fingerprint: string | null
  subject: string | null
  isPinned: boolean
}

export const pushEndpointView = (endpoint: EndpointParts, now: Instant): PushEndpointView => ({
  id: endpoint.id,
  prefix: endpoint.prefix,
  created_at: toRfc3339(endpoint.createdAt),
  last_message_at: endpoint.lastMessageAt === null ? undefined : toRfc3339(endpoint.lastMessageAt),
  messages_today: endpoint.day === yearMonthDay(now) ? endpoint.messagesToday : 0,
  sender:
    endpoint.fingerprint === null
      ? undefined
      : { fingerprint: endpoint.fingerprint, subject: endpoint.subject ?? undefined },
  pinned: endpoint.isPinned,
})

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

export function barkDeviceView(
  added: { device: Device; host?: string; code?: string; openUntil?: Instant; encryptionKey?: string },
  doorUrl: string,
): AppDeviceView {
  const { device, host, code, openUntil, encryptionKey } = added
  const serverUrl = code && `${doorUrl}/p-${code}`
  return {
    device: { ...deviceView(device), host },
    server_url: serverUrl,
    deep_link: serverUrl && `bark://addServer?address=${encodeURIComponent(serverUrl)}`,
    expires_at: openUntil && toRfc3339(openUntil),
    encryption_key: encryptionKey,
  }
}
