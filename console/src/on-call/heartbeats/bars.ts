// The last pings as bars: how high each is drawn, and how many there are of each kind.
import type { PingView } from '../../../../src/contract/heartbeats.ts'

export type Bar = { at: string; kind: PingView['kind']; durationMs: number | undefined; height: number }

export const SHOWN_BARS = 30

// Heights are shares of the highest bar. A run that took no measurable time is still seen.
const LOWEST = 0.25
// For a success or failure whose start was not told.
const WITHOUT_DURATION = 0.5

// Oldest first, as one reads them; the API lists the newest first. The root of the duration is drawn, so that one slow run
// does not flatten all others.
export function barsOf(pings: readonly PingView[]): Bar[] {
  const shown = pings.slice(0, SHOWN_BARS).toReversed()
  const longest = Math.max(1, ...shown.map(({ duration_ms = 0 }) => duration_ms))
  return shown.map(({ at, kind, duration_ms }) => ({
    at,
    kind,
    durationMs: duration_ms,
    height: heightOf(kind, duration_ms, longest),
  }))
}

function heightOf(kind: PingView['kind'], durationMs: number | undefined, longest: number): number {
  if (kind === 'start' || kind === 'log') return LOWEST
  if (durationMs === undefined) return WITHOUT_DURATION
  return LOWEST + (1 - LOWEST) * Math.sqrt(durationMs / longest)
}

export function countByKind(bars: readonly Pick<Bar, 'kind'>[]): Record<PingView['kind'], number> {
  const counts = { success: 0, start: 0, fail: 0, log: 0 }
  for (const { kind } of bars) counts[kind]++
  return counts
}
