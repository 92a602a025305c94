// An example widget per template, as a program would send it.
import type { WidgetContent, WidgetTemplate } from '../../../src/contract/widgets.ts'
import { EXAMPLE_TEXTS } from '../texts/examples.ts'

export type WidgetExample = { slug: string; name: string; content: WidgetContent }

const HOUR_MS = 3_600_000
const words = EXAMPLE_TEXTS.widgets

export const WIDGET_EXAMPLES: Record<WidgetTemplate, (now: number) => WidgetExample> = {
  value: () => ({
    slug: 'visitors',
    name: words.value.name,
    content: {
      template: 'value',
      value: 1284,
      label: words.value.label,
      icon: 'person.2',
      trend: 'up',
      subtitle: words.value.subtitle,
      stat_rows: [
        { label: words.value.rows.new, value: '412' },
        { label: words.value.rows.returning, value: '872' },
        { label: words.value.rows.longest, value: '41', unit: 'min' },
      ],
    },
  }),
  progress: () => ({
    slug: 'backup',
    name: words.progress.name,
    content: {
      template: 'progress',
      value: 0.62,
      label: words.progress.label,
      icon: 'externaldrive',
      subtitle: words.progress.subtitle,
    },
  }),
  status: () => ({
    slug: 'production',
    name: words.status.name,
    content: {
      template: 'status',
      label: words.status.label,
      severity: 'success',
      subtitle: words.status.subtitle,
    },
  }),
  gauge: () => ({
    slug: 'office',
    name: words.gauge.name,
    content: {
      template: 'gauge',
      value: 21.5,
      min_value: 10,
      max_value: 35,
      unit: '°C',
      icon: 'thermometer',
      subtitle: words.gauge.subtitle,
    },
  }),
  stat_list: (now) => ({
    slug: 'builds',
    name: words.stat_list.name,
    content: {
      template: 'stat_list',
      icon: 'hammer',
      stat_rows: [
        { label: words.stat_list.rows.passed, value: '48' },
        { label: words.stat_list.rows.median, value: '3.2', unit: 'min' },
        { label: words.stat_list.rows.sinceFailure, value: '6 h', timer: { date: at(now, -6.4) } },
        { label: words.stat_list.rows.queue, value: '2' },
        { label: words.stat_list.rows.coverage, value: '94', unit: '%' },
      ],
    },
  }),
  trend: () => ({
    slug: 'latency',
    name: words.trend.name,
    content: {
      template: 'trend',
      value: 182,
      unit: 'ms',
      icon: 'chart.line.uptrend.xyaxis',
      trend: 'down',
      subtitle: words.trend.subtitle,
      points: [240, 232, 251, 248, 236, 229, 244, 262, 255, 238, 221, 214, 219, 208, 197, 203, 194, 188, 191, 182],
    },
  }),
  countdown: (now) => ({
    slug: 'release',
    name: words.countdown.name,
    content: {
      template: 'countdown',
      start_date: at(now, -30),
      end_date: at(now, 51.7),
      icon: 'rocket',
      expired_text: words.countdown.expired,
    },
  }),
  battery: () => ({
    slug: 'batteries',
    name: words.battery.name,
    content: {
      template: 'battery',
      icon: 'battery.75',
      device_sort: [{ field: 'level' }],
      devices: [
        { name: words.battery.devices.door, level: 12, icon: 'lock' },
        { name: words.battery.devices.watch, level: 46, icon: 'applewatch' },
        { name: words.battery.devices.phone, level: 81, icon: 'iphone', charging: true },
        { name: words.battery.devices.car, level: 94, icon: 'bolt.car' },
      ],
    },
  }),
  schedule: (now) => ({
    slug: 'power-price',
    name: words.schedule.name,
    content: { template: 'schedule', unit: 'ct', icon: 'bolt', label: words.schedule.label, periods: prices(now) },
  }),
  flow: () => ({
    slug: 'home-power',
    name: words.flow.name,
    content: {
      template: 'flow',
      unit: 'kW',
      icon: 'bolt.house',
      flow: {
        inputs: [{ rate: 4.2, name: words.flow.solar, icon: 'solarpanel' }],
        exchange: { rate: -1.1, name: words.flow.grid },
        storage: { rate: -1.8, name: words.flow.battery, level: 64 },
        output: { rate: 1.3, name: words.flow.home },
      },
    },
  }),
}

const at = (now: number, hours: number): string => new Date(now + hours * HOUR_MS).toISOString()

const CENTS = [24, 22, 21, 21, 23, 27, 33, 36, 34, 29, 24, 20, 18, 17, 19, 23, 28, 35, 41, 43, 38, 33, 29, 26]

function prices(now: number): NonNullable<WidgetContent['periods']> {
  const from = Math.floor(now / HOUR_MS) * HOUR_MS - 6 * HOUR_MS
  return CENTS.map((value, index) => ({
    start: new Date(from + index * HOUR_MS).toISOString(),
    value,
    level: value < 24 ? 'low' : value < 34 ? 'medium' : 'high',
  }))
}
