// A live activity as text, for apps that show messages: the most important in the first line, and a percentage before its bar,
// because screen readers read in this order.
import { fromUnixSeconds, type Instant } from '../instant.ts'
import { toWallTime } from '../schedules/wall-clock.ts'
import type { Activity } from './activity.ts'
import type { ActivityContent } from './templates/content.ts'
import type { History, Point } from './timeline-history.ts'

const CELLS = 10

// Empty only at 0, and full only at 1.
export function barOf(progress: number): string {
  const filled = Math.round(CELLS * progress)
  const cells = progress >= 1 ? CELLS : Math.min(Math.max(filled, progress > 0 ? 1 : 0), CELLS - 1)
  return '▓'.repeat(cells) + '░'.repeat(CELLS - cells)
}

// `zone`: in which times are written. `history`: of a timeline.
export function wordsOf({ content }: Pick<Activity, 'content'>, zone: string, history: History = {}): string {
  const write = WRITERS[String(content.template)] ?? generic
  const lines = write(content, zone, history).filter((line) => line !== '')
  return lines.join('\n') || '…'
}

type Writer = (content: ActivityContent, zone: string, history: History) => string[]

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join(' · ')
const clock = (at: Instant, zone: string): string => new Date(toWallTime(at, zone)).toISOString().slice(11, 16)
const timeOf = (seconds: unknown, zone: string): string =>
  typeof seconds === 'number' ? clock(fromUnixSeconds(seconds), zone) : ''

const percent = (progress: unknown): string =>
  typeof progress === 'number' ? `${Math.floor(progress * 100)} % ${barOf(progress)}` : ''

const until = (word: string, seconds: unknown, zone: string): string => {
  const time = timeOf(seconds, zone)
  return time && `${word} ${time}`
}

const generic: Writer = (content, zone) => [
  joined(percent(content.progress), text(content.state)),
  joined(text(content.subtitle), until('done', content.end_date, zone)),
]

const SEVERITIES: Record<string, string> = { critical: 'Critical', warning: 'Warning', info: 'Info' }
const LINES = 4
const SERIES = 5

const WRITERS: Record<string, Writer> = {
  countdown: (content, zone) => [
    joined(until('until', content.end_date, zone), text(content.state)),
    text(content.subtitle),
  ],
  steps(content) {
    const [current, total] = [Number(content.current_step ?? 0), Number(content.total_steps ?? 0)]
    const labels = content.step_labels as string[] | undefined
    const label = labels?.[Math.max(current - 1, 0)] ?? ''
    const bar = barOf(total > 0 ? current / total : 0)
    return [
      [`${current}/${total}`, label, bar].filter(Boolean).join(' '),
      joined(text(content.state), text(content.subtitle)),
    ]
  },
  alert(content, zone) {
    const severity = text(content.severity_label) || (SEVERITIES[text(content.severity)] ?? '')
    const state = text(content.state)
    return [
      [severity, state].filter(Boolean).join(': '),
      joined(text(content.subtitle), until('since', content.fired_at, zone)),
    ]
  },
  gauge(content) {
    const value = [text(content.value), text(content.unit)].filter(Boolean).join(' ')
    return [`${value} (${text(content.min_value)}–${text(content.max_value)})`, text(content.state)]
  },
  timeline(content, _zone, history) {
    const values = Object.entries((content.value ?? {}) as Record<string, number>)
    const units = (content.units ?? {}) as Record<string, string>
    const lineOf = ([series, value]: [string, number]) =>
      [`${series}: ${value}`, units[series] ?? text(content.unit), arrowOf(history[series])].filter(Boolean).join(' ')
    const primary = text(content.primary_series)
    const sorted = values.toSorted(([one], [other]) => Number(other === primary) - Number(one === primary))
    return sorted.slice(0, SERIES + 1).map(lineOf)
  },
  board(content) {
    const tiles = (content.tiles ?? []) as { label: string; value: string; unit?: string }[]
    return [joined(...tiles.map(({ label, value, unit = '' }) => `${label} ${value}${unit}`))]
  },
  log: ({ lines }) => ((lines ?? []) as { text: string }[]).slice(0, LINES).map((line) => line.text),
  media(content) {
    const mark = content.playback_state === 'playing' ? '▶' : '⏸'
    const times = [content.position_seconds, content.duration_seconds].filter((one) => typeof one === 'number')
    return [`${mark} ${text(content.media_title)}`, joined(text(content.subtitle), times.map(minutes).join(' / '))]
  },
  approval(content) {
    const options = (content.options ?? []) as { title: string }[]
    return [text(content.state), options.map(({ title }) => title).join(' · ')]
  },
}

function arrowOf(points: readonly Point[] = []): string {
  const [before, now] = points.slice(-2)
  if (!before || !now) return ''
  if (now.value === before.value) return '→'
  return now.value > before.value ? '↗' : '↘'
}

const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
