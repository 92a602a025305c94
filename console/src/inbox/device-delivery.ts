// Derives the delivery state per device from the timeline of a notification, and why a device showed nothing.
import type { DeviceView } from '../../../src/contract/devices.ts'
import type { NotificationView, TimelineView } from '../../../src/contract/notifications/notification.ts'
import { neverConnected } from '../devices/connected.ts'
import { TEXTS } from '../texts/base.ts'
import { QUIET_TEXTS } from '../texts/quiet.ts'

export type TimelineEntry = TimelineView['items'][number]
export type DeliveryState = 'arrived' | 'refused' | 'trying' | 'silent'
export type DeviceDelivery = { device: string; state: DeliveryState; words: string; entries: TimelineEntry[] }

const PUSH_EVENTS = new Set(['push_sent', 'push_accepted', 'push_rejected', 'retried'])

export function deliveriesOf(
  notification: NotificationView,
  entries: TimelineEntry[],
  devices: DeviceView[],
): DeviceDelivery[] {
  const byDevice = new Map<string, TimelineEntry[]>()
  for (const entry of entries) {
    if (entry.device === undefined || !PUSH_EVENTS.has(entry.event)) continue
    byDevice.set(entry.device, [...(byDevice.get(entry.device) ?? []), entry])
  }
  const pushed = [...byDevice].map(([device, own]) => ({
    device,
    entries: own,
    ...stateOf(notification, own, devices.find(({ name }) => name === device)?.channel),
  }))
  const untouched = devices
    // The timeline has names only, and another device may have the same.
    .filter((device) => !byDevice.has(device.name) || neverConnected(device))
    .filter(({ created_at }) => created_at <= notification.created_at)
    .map(({ name, ...device }) => ({
      device: name,
      entries: [],
      state: 'silent' as const,
      words: heldInWords(entries, name) ?? reasonFor(notification, device),
    }))
  return [...pushed, ...untouched]
}

// What became of a notification on all devices together.
export function resultOf(deliveries: DeviceDelivery[]): 'all' | 'partial' | 'none' | 'underWay' {
  if (deliveries.some(({ state }) => state === 'trying')) return 'underWay'
  const arrived = deliveries.filter(({ state }) => state === 'arrived').length
  if (arrived === 0) return 'none'
  return arrived === deliveries.length ? 'all' : 'partial'
}

function stateOf(
  { level }: NotificationView,
  entries: TimelineEntry[],
  channel: DeviceView['channel'] | undefined,
): { state: DeliveryState; words: string } {
  const last = entries.at(-1)
  const { delivery } = TEXTS
  if (last?.event === 'push_accepted' && channel === 'stream') return { state: 'arrived', words: delivery.connected }
  if (last?.event === 'push_accepted') {
    return { state: 'arrived', words: level === 'passive' ? delivery.arrivedSilently : delivery.arrived }
  }
  if (last?.event === 'push_rejected') return { state: 'refused', words: pushErrorInWords(last.detail) }
  if (last?.event === 'retried') return { state: 'trying', words: delivery.retrying(last.detail ?? '') }
  return { state: 'trying', words: delivery.underWay }
}

// Which rule of the person held the push back, if one did. An entry without a device is about all of them.
export function heldInWords(entries: readonly TimelineEntry[], name: string): string | undefined {
  const { held } = QUIET_TEXTS
  for (const { event, device = name, detail = '' } of entries) {
    if (device !== name) continue
    if (event === 'muted') return held.muted
    if (event === 'quiet_hours') return held.quietHours(detail.replace('held until ', ''))
    if (event === 'storm') return held.storm(detail.match(/\d+/)?.[0] ?? '')
  }
  return undefined
}

function reasonFor({ pushed }: NotificationView, device: Omit<DeviceView, 'name'>): string {
  if (!pushed) return TEXTS.delivery.inboxOnly
  if (neverConnected(device)) return TEXTS.delivery.neverConnected
  return device.channel === 'stream' ? TEXTS.delivery.streamOnly : TEXTS.delivery.notTried
}

// Explains a push error: our text for known errors, otherwise the text of the push service.
export function pushErrorInWords(reason = ''): string {
  const known = Object.entries(TEXTS.pushErrors).find(([sign]) => reason.toLowerCase().includes(sign.toLowerCase()))
  return known ? known[1] : TEXTS.delivery.refused(reason)
}
