// An example widget per template, as a program would send it.
import type { WidgetContent, WidgetTemplate } from '../../../src/contract/widget.ts'

export type WidgetExample = { slug: string; name: string; content: WidgetContent }

const HOUR_MS = 3_600_000

export const WIDGET_EXAMPLES: Record<WidgetTemplate, (now: number) => WidgetExample> = {
  value: () => ({
    slug: 'visitors',
    name: 'Visitors',
    content: {
      template: 'value',
      value: 1284,
      label: 'Visitors today',
      icon: 'person.2',
      trend: 'up',
      subtitle: '12% more than last Sunday',
      stat_rows: [
        { label: 'New', value: '412' },
        { label: 'Returning', value: '872' },
        { label: 'Longest stay', value: '41', unit: 'min' },
      ],
    },
  }),
  progress: () => ({
    slug: 'backup',
    name: 'Backup',
    content: { template: 'progress', value: 0.62, label: 'Backup', icon: 'externaldrive', subtitle: '134 of 216 GB' },
  }),
  status: () => ({
    slug: 'production',
    name: 'Production',
    content: {
      template: 'status',
      label: 'All systems go',
      severity: 'success',
      subtitle: '14 of 14 checks are green',
    },
  }),
  gauge: () => ({
    slug: 'office',
    name: 'Office',
    content: {
      template: 'gauge',
      value: 21.5,
      min_value: 10,
      max_value: 35,
      unit: '°C',
      icon: 'thermometer',
      subtitle: 'Window closed',
    },
  }),
  stat_list: (now) => ({
    slug: 'builds',
    name: 'Builds',
    content: {
      template: 'stat_list',
      icon: 'hammer',
      stat_rows: [
        { label: 'Passed today', value: '48' },
        { label: 'Median time', value: '3.2', unit: 'min' },
        { label: 'Since last failure', value: '6 h', timer: { date: at(now, -6.4) } },
        { label: 'Queue', value: '2' },
        { label: 'Coverage', value: '94', unit: '%' },
      ],
    },
  }),
  trend: () => ({
    slug: 'latency',
    name: 'Latency',
    content: {
      template: 'trend',
      value: 182,
      unit: 'ms',
      icon: 'chart.line.uptrend.xyaxis',
      trend: 'down',
      subtitle: 'p95 of the last two hours',
      points: [240, 232, 251, 248, 236, 229, 244, 262, 255, 238, 221, 214, 219, 208, 197, 203, 194, 188, 191, 182],
    },
  }),
  countdown: (now) => ({
    slug: 'release',
    name: 'Release 2.0',
    content: {
      template: 'countdown',
      start_date: at(now, -30),
      end_date: at(now, 51.7),
      icon: 'rocket',
      expired_text: 'It is out',
    },
  }),
  battery: () => ({
    slug: 'batteries',
    name: 'Batteries',
    content: {
      template: 'battery',
      icon: 'battery.75',
      device_sort: [{ field: 'level' }],
      devices: [
        { name: 'Front door', level: 12, icon: 'lock' },
        { name: 'Watch', level: 46, icon: 'applewatch' },
        { name: 'Phone', level: 81, icon: 'iphone', charging: true },
        { name: 'Car', level: 94, icon: 'bolt.car' },
      ],
    },
  }),
  schedule: (now) => ({
    slug: 'power-price',
    name: 'Power price',
    content: { template: 'schedule', unit: 'ct', icon: 'bolt', label: 'Price per kWh', periods: prices(now) },
  }),
  flow: () => ({
    slug: 'home-power',
    name: 'Home power',
    content: {
      template: 'flow',
      unit: 'kW',
      icon: 'bolt.house',
      flow: {
        inputs: [{ rate: 4.2, name: 'Solar', icon: 'solarpanel' }],
        exchange: { rate: -1.1, name: 'Grid' },
        storage: { rate: -1.8, name: 'Battery', level: 64 },
        output: { rate: 1.3, name: 'Home' },
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
