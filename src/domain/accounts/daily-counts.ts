// What an account has sent, counted by day, key, source and outcome; and what its devices have taken, by day and outcome.
import { LIMITS } from '../../contract/limits.ts'
import type { KeyId } from '../caller.ts'
import type { DeviceId } from '../devices.ts'
import { DAY_SECONDS, type Instant, instant } from '../instant.ts'

// `sent`, the reason for which it was stored and not pushed, or the code of the problem with which the request was refused.
export type SendOutcome = string

// `source`: '' for none. `day`: the number of the day since 1970 (UTC).
export type DailyCount = { day: number; keyId: KeyId | null; source: string; outcome: SendOutcome; count: number }

// `not_connected`: the device has no push channel and no open event stream.
export type DeliveryOutcome = 'accepted' | 'refused' | 'not_connected'
export type DailyDelivery = { day: number; deviceId: DeviceId; outcome: DeliveryOutcome; count: number }

const DAY_MS = DAY_SECONDS * 1000

export const dayOf = (now: Instant): number => Math.floor(now / DAY_MS)
export const startOfDay = (day: number): Instant => instant(day * DAY_MS)

export type Usage = {
  days: { day: number; sent: number; muted: number; held: number; refused: number }[]
  sources: { source: string; sent: number; byDay: number[] }[]
  keys: { keyId: KeyId | null; sent: number; muted: number; held: number; refused: Map<SendOutcome, number> }[]
}

export type DeviceDeliveries = { deviceId: DeviceId } & Record<DeliveryOutcome, number>

// One entry for each device, in the order of the counts.
export function deliveriesByDevice(counts: readonly Omit<DailyDelivery, 'day'>[]): DeviceDeliveries[] {
  const devices = new Map<DeviceId, DeviceDeliveries>()
  for (const { deviceId, outcome, count } of counts) {
    const device = devices.get(deviceId) ?? { deviceId, accepted: 0, refused: 0, not_connected: 0 }
    devices.set(deviceId, device)
    device[outcome] += count
  }
  return [...devices.values()]
}

const isHeld = ({ outcome }: DailyCount): boolean => outcome === 'quiet_hours' || outcome === 'storm'
const isStored = (one: DailyCount): boolean => one.outcome === 'sent' || one.outcome === 'muted' || isHeld(one)

// Muted and held notifications are sent ones that were not pushed. Sources beyond the first are added up under ''.
export function summarize(counts: readonly DailyCount[], firstDay: number, dayCount: number): Usage {
  const days = Array.from({ length: dayCount }, (_, index) => ({
    day: firstDay + index,
    sent: 0,
    muted: 0,
    held: 0,
    refused: 0,
  }))
  const keys = new Map<KeyId | null, Usage['keys'][number]>()
  for (const one of counts) {
    const key = keys.get(one.keyId) ?? { keyId: one.keyId, sent: 0, muted: 0, held: 0, refused: new Map() }
    keys.set(one.keyId, key)
    const day = days[one.day - firstDay]
    if (!day) continue
    if (!isStored(one)) {
      day.refused += one.count
      key.refused.set(one.outcome, (key.refused.get(one.outcome) ?? 0) + one.count)
      continue
    }
    for (const total of [day, key]) {
      total.sent += one.count
      if (one.outcome === 'muted') total.muted += one.count
      if (isHeld(one)) total.held += one.count
    }
  }
  const stored = counts.filter(isStored)
  return { days, sources: sourcesOf(stored, firstDay, dayCount), keys: [...keys.values()].sort(mostFirst) }
}

function sourcesOf(stored: readonly DailyCount[], firstDay: number, dayCount: number): Usage['sources'] {
  const totals = new Map<string, number>()
  for (const { source, count } of stored) totals.set(source, (totals.get(source) ?? 0) + count)
  const named = [...totals].filter(([source]) => source !== '').sort(([, one], [, other]) => other - one)
  const shown = new Set(named.slice(0, LIMITS.dailyCounts.maxSources).map(([source]) => source))
  const sources = new Map<string, Usage['sources'][number]>()
  for (const { source, day, count } of stored) {
    const name = shown.has(source) ? source : ''
    const entry = sources.get(name) ?? { source: name, sent: 0, byDay: Array<number>(dayCount).fill(0) }
    sources.set(name, entry)
    entry.sent += count
    const index = day - firstDay
    entry.byDay[index] = (entry.byDay[index] ?? 0) + count
  }
  // The rest comes last of those with the same number.
  return [...sources.values()].sort((one, other) => mostFirst(one, other) || restLast(one.source, other.source))
}

const restLast = (one: string, other: string) => (one === '' ? 1 : other === '' || one < other ? -1 : 1)

const mostFirst = (one: { sent: number }, other: { sent: number }) => other.sent - one.sent
