// A display that asks for a picture, shows it and sleeps: how long it may sleep, and the size of its picture.

import { WEEKDAYS } from '../../contract/holds.ts'
import { LIMITS } from '../../contract/limits.ts'
import { NO_QUIET_HOURS, quietUntil } from '../holds/quiet-hours.ts'
import { type Instant, instant, plusSeconds } from '../instant.ts'

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

// What a display says of itself when it calls.
export type DisplayReport = {
  calledAt: Instant
  batteryVolts?: number | undefined
  signalDbm?: number | undefined
  firmware?: string | undefined
  model?: string | undefined
}

type Header = string | string[] | undefined

// Without what it cannot mean: a reading that failed, or text that nobody should see in a list.
export function readReport(headers: Record<string, Header>, calledAt: Instant): DisplayReport {
  const volts = numberIn(headers['battery-voltage'], 1, 10)
  return {
    calledAt,
    batteryVolts: volts === undefined ? undefined : Math.round(volts * 100) / 100,
    signalDbm: numberIn(headers.rssi, -150, -1),
    firmware: wordIn(headers['fw-version']),
    model: wordIn(headers.model),
  }
}

function numberIn(header: Header, least: number, most: number): number | undefined {
  const number = Number.parseFloat(String(header))
  return number >= least && number <= most ? number : undefined
}

const wordIn = (header: Header): string | undefined => /^[\w. +-]{1,32}$/.exec(String(header ?? ''))?.[0]

export const isBatteryLow = ({ batteryVolts = 10 }: DisplayReport): boolean =>
  batteryVolts < LIMITS.display.lowBatteryVolts

// When it has not called three times: after this sleep, and twice again.
export const missedAt = ({ everySeconds }: DisplaySettings, now: Instant, sleepsSeconds: number): Instant =>
  plusSeconds(now, sleepsSeconds + 2 * everySeconds)

const LINE_CHARS = 200

// The messages of a log, in one of the two forms that firmware has, or the lines of a text.
export function logLines(body: string): string[] {
  const lines = entriesOf(body).map((entry) => {
    const { message, log_message } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<
      string,
      unknown
    >
    const text = String(message ?? log_message ?? (typeof entry === 'string' ? entry : JSON.stringify(entry)))
    return withoutControls(text).slice(0, LINE_CHARS)
  })
  return lines.filter((line) => line.trim() !== '').slice(-LIMITS.display.keptLogLines)
}

function entriesOf(body: string): unknown[] {
  try {
    const { logs, log } = JSON.parse(body)
    return [logs, log?.logs_array].find(Array.isArray) ?? [log ?? body]
  } catch {
    return body.split('\n')
  }
}

const withoutControls = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')

// How a display wants its picture.
export type DisplayLook = { size: string; colors: '2' | '4'; format: 'png' | 'bmp' }

// Firmware before 1.5.2 knows only the bitmap of the first display. Four levels of grey need a panel and a firmware that have them.
export function displayLook({ width, height, model, ...headers }: Record<string, Header>): DisplayLook {
  const firmware = headers['fw-version']
  if (isOlder(firmware, [1, 5, 2])) return { size: USUAL_SIZE, colors: '2', format: 'bmp' }
  const hasGrey = model === 'x' || (model === 'og' && firmware !== undefined && !isOlder(firmware, [1, 6, 0]))
  return { size: displaySize(width, height), colors: hasGrey ? '4' : '2', format: 'png' }
}

function isOlder(firmware: Header, than: [number, number, number]): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(String(firmware))?.slice(1).map(Number)
  if (!parts) return false
  const different = parts.findIndex((part, index) => part !== than[index])
  return different >= 0 && (parts[different] as number) < (than[different] as number)
}

export const USUAL_SIZE = '800x480'

// As the display says it; the usual one if it says nothing that can be drawn.
export function displaySize(width: unknown, height: unknown): string {
  const { min, max } = LIMITS.screen.pictureSide
  const isSide = (side: unknown) => /^\d{2,4}$/.test(String(side)) && Number(side) >= min && Number(side) <= max
  return isSide(width) && isSide(height) ? `${width}x${height}` : USUAL_SIZE
}

export const isMac = (text: string): boolean => /^([\dA-F]{2}:){5}[\dA-F]{2}$/i.test(text)
