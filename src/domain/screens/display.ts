// A display that asks for a picture, shows it and sleeps: how long it may sleep, and the size of its picture.

import { WEEKDAYS } from '../../contract/holds.ts'
import { LIMITS } from '../../contract/limits.ts'
import { NO_QUIET_HOURS, quietUntil } from '../holds/quiet-hours.ts'
import { type Instant, instant } from '../instant.ts'

export type DisplaySettings = {
  everySeconds: number
  // Times of day, by the clock of the link's zone.
  night: { from: string; to: string } | null
}

// How long the display sleeps. By day no longer than the picture is right.
export function sleepSeconds(
  { everySeconds, night }: DisplaySettings,
  { now, timezone, validUntil }: { now: Instant; timezone: string; validUntil: Instant | undefined },
): number {
  const windows = night ? [{ days: [...WEEKDAYS], ...night }] : []
  const morning = quietUntil({ ...NO_QUIET_HOURS, timezone, windows }, now)
  const until = morning ?? Math.min(now + everySeconds * 1000, validUntil ?? Number.POSITIVE_INFINITY)
  return Math.max(Math.ceil((instant(until) - now) / 1000), LIMITS.display.everySeconds.min)
}

const USUAL_SIZE = '800x480'

// As the display says it; the usual one if it says nothing that can be drawn.
export function displaySize(width: unknown, height: unknown): string {
  const { min, max } = LIMITS.screen.pictureSide
  const isSide = (side: unknown) => /^\d{2,4}$/.test(String(side)) && Number(side) >= min && Number(side) <= max
  return isSide(width) && isSide(height) ? `${width}x${height}` : USUAL_SIZE
}

export const isMac = (text: string): boolean => /^([\dA-F]{2}:){5}[\dA-F]{2}$/i.test(text)
