// What a widget says at a glance, by template: on the lock screen, in status bars, and read aloud.
import type { WidgetContent, WidgetTemplate } from '../../contract/widgets.ts'
import { timeLeft } from './duration.ts'
import { clockTimeOf, formatNumber, formatPercent, fractionOf, fractionOver, timerText, withUnit } from './format.ts'
import type { Viewer } from './viewer.ts'
import type { Words } from './words.ts'

// `symbol`: in the circle of the lock screen, which has no room for a sentence, in place of the text.
export type Glance = { text: string; detail?: string; fraction?: number; symbol?: string }

type Glancing = (content: WidgetContent, viewer: Viewer) => Glance

export const NO_DATA = '–'

export const valueText = ({ value }: WidgetContent, viewer: Viewer): string =>
  value === undefined ? NO_DATA : formatNumber(viewer, value)

const valueWithUnit: Glancing = (content, viewer) => ({ text: withUnit(valueText(content, viewer), content.unit) })

export const fractionInBounds = ({ value = 0, min_value = 0, max_value = 1 }: WidgetContent): number =>
  fractionOf(value, min_value, max_value)

export function fractionDone(content: WidgetContent, viewer: Viewer): number {
  const { value, start_date, end_date } = content
  if (value !== undefined) return fractionOf(value, 0, 1)
  return start_date && end_date ? fractionGone(content, viewer) : 0
}

export const secondsLeft = ({ end_date = '' }: WidgetContent, { now }: Viewer): number =>
  Math.ceil((Date.parse(end_date) - now) / 1000)

export const fractionGone = ({ start_date = '', end_date = '' }: WidgetContent, viewer: Viewer): number =>
  fractionOver(viewer, Date.parse(start_date), Date.parse(end_date))

export type StatRow = NonNullable<WidgetContent['stat_rows']>[number]

export const rowText = ({ value, timer }: StatRow, viewer: Viewer): string => (timer ? timerText(viewer, timer) : value)

// Without a circle, because they are drawn in one.
const SYMBOLS = { info: 'info', warning: 'exclamationmark', critical: 'xmark', success: 'checkmark' } as const

export const symbolOf = ({ icon, severity }: Pick<WidgetContent, 'icon' | 'severity'>): string =>
  icon ? icon.replace(/\.circle(\.fill)?$/, '') : SYMBOLS[severity || 'info']

export type Period = NonNullable<WidgetContent['periods']>[number]

// The latest period that has begun, or the first one if none has.
export const currentPeriod = (periods: Period[], { now }: Viewer): number =>
  Math.max(
    periods.findLastIndex(({ start }) => Date.parse(start) <= now),
    0,
  )

export const WIDGET_GLANCES: Record<WidgetTemplate, Glancing> = {
  value: valueWithUnit,
  trend: valueWithUnit,
  progress(content, viewer) {
    const fraction = fractionDone(content, viewer)
    return { text: formatPercent(fraction), fraction }
  },
  status: ({ label, severity, icon }, { words }) => ({
    text: label || words.severities[severity || 'none'],
    symbol: symbolOf({ icon, severity }),
  }),
  gauge: (content, viewer) => ({ ...valueWithUnit(content, viewer), fraction: fractionInBounds(content) }),
  stat_list: ({ stat_rows: [first, second] = [] }, viewer) => ({
    text: first ? withUnit(rowText(first, viewer), first.unit) : NO_DATA,
    ...(second && { detail: `${second.label} ${withUnit(rowText(second, viewer), second.unit)}` }),
  }),
  countdown(content, viewer) {
    const seconds = secondsLeft(content, viewer)
    return {
      text: seconds > 0 ? timeLeft(viewer, seconds, 'coarse') : content.expired_text || viewer.words.over,
      ...(content.start_date && { fraction: 1 - fractionGone(content, viewer) }),
    }
  },
  battery: ({ devices: [first] = [] }) =>
    first
      ? { text: formatPercent(first.level / 100), detail: first.name, fraction: first.level / 100 }
      : { text: NO_DATA },
  schedule({ periods = [], unit }, viewer) {
    const current = currentPeriod(periods, viewer)
    const [period, next] = [periods[current], periods[current + 1]]
    if (!period) return { text: NO_DATA }
    const values = periods.map(({ value }) => value)
    return {
      text: withUnit(formatNumber(viewer, period.value), unit),
      fraction: fractionOf(period.value, Math.min(...values), Math.max(...values)),
      ...(next && { detail: viewer.words.until(clockTimeOf(viewer, Date.parse(next.start))) }),
    }
  },
  // What goes out, otherwise the last of the nodes that there are.
  flow({ flow = {}, unit }, viewer) {
    const { inputs = [], exchange, storage, output } = flow
    const named = (slot: keyof Words['flow'], node: typeof output) =>
      node ? [{ ...node, name: node.name || viewer.words.flow[slot] }] : []
    const nodes = [
      ...inputs.flatMap((node) => named('input', node)),
      ...named('exchange', exchange),
      ...named('storage', storage),
      ...named('output', output),
    ]
    const last = nodes.at(-1)
    return {
      text: last ? withUnit(formatNumber(viewer, Math.abs(last.rate)), unit) : NO_DATA,
      ...(last && { detail: last.name }),
      ...(storage?.level !== undefined && { fraction: storage.level / 100 }),
    }
  },
}
