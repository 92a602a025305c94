// From the timeline of a notification to what became of it on each device, and why a device stayed silent.
import type { DeviceView } from '../../../src/contract/device.ts'
import type { NotificationView, TimelineView } from '../../../src/contract/notification.ts'
import { TEXTS } from '../texts.ts'

export type TimelineEntry = TimelineView['items'][number]
export type Fate = 'arrived' | 'refused' | 'trying' | 'silent'
export type DeviceJourney = { device: string; fate: Fate; words: string; entries: TimelineEntry[] }

const PUSH_EVENTS = new Set(['push_sent', 'push_accepted', 'push_rejected', 'retried'])

export function journeysOf(
  notification: NotificationView,
  entries: TimelineEntry[],
  devices: DeviceView[],
): DeviceJourney[] {
  const byDevice = new Map<string, TimelineEntry[]>()
  for (const entry of entries) {
    if (entry.device === undefined || !PUSH_EVENTS.has(entry.event)) continue
    byDevice.set(entry.device, [...(byDevice.get(entry.device) ?? []), entry])
  }
  const pushed = [...byDevice].map(([device, own]) => ({ device, entries: own, ...fateOf(notification, own) }))
  const untouched = devices
    .filter(({ name, created_at }) => !byDevice.has(name) && created_at <= notification.created_at)
    .map(({ name, channel }) => ({
      device: name,
      entries: [],
      fate: 'silent' as const,
      words: reasonFor(notification, channel),
    }))
  return [...pushed, ...untouched]
}

function fateOf({ level }: NotificationView, entries: TimelineEntry[]): { fate: Fate; words: string } {
  const last = entries.at(-1)
  const { delivery } = TEXTS
  if (last?.event === 'push_accepted') {
    return { fate: 'arrived', words: level === 'passive' ? delivery.arrivedSilently : delivery.arrived }
  }
  if (last?.event === 'push_rejected') return { fate: 'refused', words: pushErrorInWords(last.detail) }
  if (last?.event === 'retried') return { fate: 'trying', words: delivery.retrying(last.detail ?? '') }
  return { fate: 'trying', words: delivery.underWay }
}

function reasonFor({ pushed }: NotificationView, channel: DeviceView['channel']): string {
  if (!pushed) return TEXTS.delivery.inboxOnly
  return channel === 'stream' ? TEXTS.delivery.streamOnly : TEXTS.delivery.notTried
}

// What a push service says, as a person would: the words we have for it, else its own.
export function pushErrorInWords(reason = ''): string {
  const known = Object.entries(TEXTS.pushErrors).find(([sign]) => reason.toLowerCase().includes(sign.toLowerCase()))
  return known ? known[1] : TEXTS.delivery.refused(reason)
}
