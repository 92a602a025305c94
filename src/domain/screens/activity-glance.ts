// What an activity says at a glance, by template: next to the camera of a phone, in status bars, and read aloud.
import type { ActivityContent, ActivityTemplate } from './activity-content.ts'
import { timeLeft, timePassed } from './duration.ts'
import { formatNumber, formatPercent, fractionOf, fractionOver, withUnit } from './format.ts'
import type { Viewer } from './viewer.ts'

type Glancing = (content: ActivityContent, viewer: Viewer) => { text: string; fraction?: number }

export const secondsLeft = ({ end_date = 0 }: ActivityContent, { now }: Viewer): number =>
  Math.ceil(end_date - now / 1000)

// With `live_progress` the bar follows the clock; otherwise it shows `progress`.
export function fractionDone(content: ActivityContent, viewer: Viewer): number | undefined {
  const { live_progress, start_date, end_date, progress } = content
  const isLive = live_progress && end_date !== undefined && start_date !== undefined
  return isLive ? fractionGone(content, viewer) : progress
}

export const fractionGone = ({ start_date = 0, end_date = 0 }: ActivityContent, viewer: Viewer): number =>
  fractionOver(viewer, start_date * 1000, end_date * 1000)

const numberOf = ({ value }: ActivityContent): number => (typeof value === 'number' ? value : 0)

export const gaugeText = (content: ActivityContent, viewer: Viewer): string =>
  formatNumber(viewer, numberOf(content), content.decimals)

export const fractionInBounds = (content: ActivityContent): number =>
  fractionOf(numberOf(content), content.min_value ?? 0, content.max_value ?? 1)

// While it plays, the position advances with the clock; without seconds, by minutes.
export function positionOf(content: ActivityContent, { now, showsSeconds }: Viewer): number {
  const { position_seconds = 0, position_at, duration_seconds, playback_state } = content
  const elapsed = playback_state === 'playing' && position_at !== undefined ? now / 1000 - position_at : 0
  const position = Math.min(position_seconds + Math.max(elapsed, 0), duration_seconds ?? Number.POSITIVE_INFINITY)
  return showsSeconds ? position : Math.floor(position / 60) * 60
}

const valuesOf = ({ value }: ActivityContent): Record<string, number> => (typeof value === 'object' ? value : {})

export function seriesOf(content: ActivityContent): string[] {
  const names = Object.keys(valuesOf(content))
  const { primary_series: primary } = content
  return primary && names.includes(primary) ? [primary, ...names.filter((name) => name !== primary)] : names
}

export function seriesText(content: ActivityContent, name: string, viewer: Viewer): string {
  const value = valuesOf(content)[name] ?? 0
  return withUnit(formatNumber(viewer, value, content.decimals), content.units?.[name] ?? content.unit)
}

const generic: Glancing = (content, viewer) => {
  const fraction = fractionDone(content, viewer)
  return fraction === undefined ? { text: content.state ?? '' } : { text: formatPercent(fraction), fraction }
}

const GLANCES: Record<ActivityTemplate, Glancing> = {
  generic,
  countdown(content, viewer) {
    const seconds = secondsLeft(content, viewer)
    const isOver = seconds <= 0 && !viewer.showsSeconds
    return {
      text: isOver ? viewer.words.over : timeLeft(viewer, seconds),
      ...(content.start_date !== undefined && { fraction: 1 - fractionGone(content, viewer) }),
    }
  },
  steps: ({ current_step: current = 0, total_steps: total = 1 }) => ({
    text: `${current}/${total}`,
    fraction: current / total,
  }),
  alert: ({ severity = 'info', severity_label }, { words }) => ({ text: severity_label || words.severities[severity] }),
  gauge: (content, viewer) => ({
    text: withUnit(gaugeText(content, viewer), content.unit),
    fraction: fractionInBounds(content),
  }),
  timeline(content, viewer) {
    const [first] = seriesOf(content)
    return { text: first === undefined ? '' : seriesText(content, first, viewer) }
  },
  board: ({ tiles: [first] = [] }) => ({ text: first ? withUnit(first.value, first.unit) : '' }),
  log: ({ state, lines: [first] = [] }) => ({ text: state || first?.text || '' }),
  media(content, viewer) {
    const { duration_seconds: duration } = content
    if (duration === undefined) return { text: content.media_title ?? content.state ?? '' }
    const position = positionOf(content, viewer)
    return { text: timePassed(viewer, position), fraction: fractionOf(position, 0, duration) }
  },
  approval(content, { words }) {
    const title = content.options?.find(({ id }) => id === content.answer?.option)?.title
    return { text: title ?? words.question }
  },
}

export const activityGlance: Glancing = (content, viewer) => GLANCES[content.template ?? 'generic'](content, viewer)
