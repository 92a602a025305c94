// The fields of a widget, by its template.

import type { WidgetTemplate } from '../../../../src/contract/widgets.ts'
import type { Content } from './document.ts'
import {
  BOUNDS,
  BUTTONS,
  type ContentField,
  choice,
  color,
  flag,
  group,
  icon,
  LOOKS,
  moment,
  number,
  rows,
  TREND,
  text,
} from './field.ts'
import { objectsAt, valuesAt } from './rows.ts'

const HOUR_MS = 3_600_000

const TIMER_STYLE = ['timer', 'relative']

const statRows = rows('stat_rows', {
  source: objectsAt('stat_rows'),
  fields: [text('label'), text('value'), text('unit'), moment('timer.date'), choice('timer.style', TIMER_STYLE)],
  most: 6,
})

const points = rows('points', {
  source: valuesAt('points'),
  fields: [number('value')],
  most: 48,
  next: (last) => ({ value: last?.value ?? 0 }),
})

const devices = rows('devices', {
  source: objectsAt('devices'),
  fields: [text('name'), number('level'), flag('charging'), icon(), color('color')],
  most: 8,
  next: () => ({ level: 100 }),
})

const deviceSort = rows('device_sort', {
  source: objectsAt('device_sort'),
  fields: [choice('field', ['level', 'name']), choice('direction', ['asc', 'desc'])],
  most: 2,
  next: (last) => ({ field: last?.field === 'level' ? 'name' : 'level' }),
})

const periods = rows('periods', {
  source: objectsAt('periods'),
  fields: [moment('start'), number('value'), choice('level', ['low', 'medium', 'high'])],
  most: 48,
  next: (last) => ({ start: anHourAfter(last?.start), value: last?.value ?? 0 }),
})

const anHourAfter = (start: unknown): string => {
  const at = typeof start === 'string' ? Date.parse(start) + HOUR_MS : Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  return new Date(at).toISOString()
}

const FLOW_NODE = [text('name'), number('rate'), number('total'), icon(), color('color')]

const FLOW: ContentField[] = [
  rows('flow.inputs', {
    source: objectsAt('flow.inputs'),
    fields: FLOW_NODE,
    most: 3,
    next: () => ({ rate: 0 }),
  }),
  group('flow.exchange', FLOW_NODE),
  group('flow.storage', [...FLOW_NODE, number('level')]),
  group('flow.output', FLOW_NODE),
]

const WIDGET_FIELDS: Record<WidgetTemplate, ContentField[]> = {
  value: [number('value'), text('unit'), TREND, statRows],
  progress: [number('value'), moment('start_date'), moment('end_date')],
  status: [number('value'), text('unit')],
  gauge: [number('value'), text('unit'), ...BOUNDS],
  stat_list: [statRows],
  trend: [number('value'), text('unit'), TREND, points],
  countdown: [moment('start_date'), moment('end_date'), text('expired_text')],
  battery: [devices, deviceSort],
  schedule: [text('unit'), periods],
  flow: [text('unit'), ...FLOW],
}

export function widgetFields({ template }: Content): ContentField[] {
  const own = WIDGET_FIELDS[template as WidgetTemplate] ?? []
  return [
    ...own,
    text('label'),
    text('subtitle'),
    icon(),
    color('accent_color'),
    choice('severity', ['info', 'warning', 'critical', 'success']),
    { ...LOOKS, fields: [...LOOKS.fields, group('subtitle_timer', [moment('date'), choice('style', TIMER_STYLE)])] },
    BUTTONS,
  ]
}
