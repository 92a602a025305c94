// When a picture or a text without seconds must change although nobody has changed what it shows.
import type { WidgetContent } from '../../contract/widgets.ts'
import type { ActivityContent } from './activity-content.ts'
import { nextStepOf } from './duration.ts'

// A progress bar that follows the clock moves by whole percents, and not more than once a minute.
const LEAST_MS = 60_000

export type ShownWidget = {
  content: WidgetContent
  stale_after?: number | undefined
  updated_at: string
}

export const isStale = ({ stale_after, updated_at }: ShownWidget, now: number): boolean =>
  stale_after !== undefined && now > Date.parse(updated_at) + stale_after * 1000

// Undefined if nothing in it depends on the time.
export function widgetValidUntil(widget: ShownWidget, now: number): number | undefined {
  const { content, stale_after } = widget
  const { template, subtitle_timer, stat_rows = [], start_date = '', end_date = '' } = content
  const timers = [subtitle_timer, ...stat_rows.map(({ timer }) => timer)].flatMap((timer) => timer ?? [])
  const ends = Date.parse(end_date)
  return earliest([
    ...timers.map(({ date }) => nextStepOf(Date.parse(date), now)),
    ...(template === 'countdown' && ends > now ? [nextStepOf(ends, now)] : []),
    ...(template === 'progress' && content.value === undefined ? nextPercent(Date.parse(start_date), ends, now) : []),
    ...(template === 'schedule' ? nextPeriods(content, now) : []),
    ...(stale_after !== undefined && !isStale(widget, now)
      ? [Date.parse(widget.updated_at) + stale_after * 1000 + 1]
      : []),
  ])
}

export function activityValidUntil(content: ActivityContent, now: number): number | undefined {
  const { start_date = 0, end_date = 0, fired_at, position_at, position_seconds = 0 } = content
  const ends = end_date * 1000
  const isPlaying = content.template === 'media' && content.playback_state === 'playing'
  return earliest([
    ...(ends > now ? [nextStepOf(ends, now)] : []),
    ...(content.live_progress ? nextPercent(start_date * 1000, ends, now) : []),
    ...(content.template === 'alert' && fired_at !== undefined ? [nextStepOf(fired_at * 1000, now)] : []),
    ...(isPlaying && position_at !== undefined ? [nextStepOf((position_at - position_seconds) * 1000, now)] : []),
  ])
}

function nextPercent(from: number, to: number, now: number): number[] {
  if (!(now < to && from < to)) return []
  if (now < from) return [from]
  const percent = Math.round((100 * (now - from)) / (to - from))
  const next = from + ((percent + 0.5) / 100) * (to - from)
  const minute = from + (Math.floor((now - from) / LEAST_MS) + 1) * LEAST_MS
  return [Math.min(Math.max(next, minute), to)]
}

const nextPeriods = ({ periods = [] }: WidgetContent, now: number): number[] =>
  periods.map(({ start }) => Date.parse(start)).filter((start) => start > now)

const earliest = (times: number[]): number | undefined => (times.length > 0 ? Math.min(...times) : undefined)
