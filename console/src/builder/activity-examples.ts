// An example activity per template, as a program would send it.
import type { ActivityContent, ActivityTemplate, HistoryPoint } from '../../../src/domain/screens/activity-content.ts'
import { EXAMPLE_TEXTS } from '../texts/examples.ts'

export type ActivityExample = { slug: string; name: string; content: ActivityContent }

const words = EXAMPLE_TEXTS.activities

export const ACTIVITY_EXAMPLES: Record<ActivityTemplate, (now: number) => ActivityExample> = {
  generic: (now) => ({
    slug: 'washing-machine',
    name: words.generic.name,
    content: {
      template: 'generic',
      state: words.generic.state,
      subtitle: words.generic.subtitle,
      icon: 'washer',
      accent_color: 'cyan',
      start_date: seconds(now) - 2400,
      end_date: seconds(now) + 1500,
      live_progress: true,
    },
  }),
  countdown: (now) => ({
    slug: 'pizza',
    name: words.countdown.name,
    content: {
      template: 'countdown',
      state: words.countdown.state,
      icon: 'oven',
      start_date: seconds(now) - 300,
      end_date: seconds(now) + 432,
      warning_threshold: 60,
      alarm: true,
      snooze_seconds: 120,
      completion_message: words.countdown.completion,
    },
  }),
  steps: () => ({
    slug: 'deploy',
    name: words.steps.name,
    content: {
      template: 'steps',
      state: words.steps.state,
      subtitle: 'main · 4f1c9ab',
      icon: 'rocket',
      total_steps: 5,
      current_step: 3,
      step_labels: words.steps.labels,
      step_weights: [1, 3, 4, 2, 2],
      step_rows: [1, 1, 3, 1, 1],
    },
  }),
  alert: (now) => ({
    slug: 'disk-db01',
    name: 'db01',
    content: {
      template: 'alert',
      state: words.alert.state,
      subtitle: words.alert.subtitle,
      severity: 'critical',
      severity_label: words.alert.severity,
      fired_at: seconds(now) - 840,
      url_action: { url: 'https://wiki.example/runbooks/disk', title: words.alert.runbook },
    },
  }),
  gauge: () => ({
    slug: 'car',
    name: words.gauge.name,
    content: {
      template: 'gauge',
      state: words.gauge.state,
      icon: 'ev.charger',
      value: 72,
      min_value: 0,
      max_value: 100,
      unit: '%',
    },
  }),
  timeline: (now) => ({
    slug: 'api-latency',
    name: words.timeline.name,
    content: {
      template: 'timeline',
      state: words.timeline.state,
      value: { p95: 212, p50: 84 },
      unit: 'ms',
      smoothing: true,
      thresholds: [{ value: 300, color: 'red', label: words.timeline.limit }],
      history: { p95: past(now, 212, 120), p50: past(now, 84, 26) },
    },
  }),
  board: () => ({
    slug: 'shop',
    name: words.board.name,
    content: {
      template: 'board',
      state: words.board.state,
      icon: 'cart',
      tiles: [
        { label: words.board.tiles.orders, value: '214', icon: 'bag', trend: 'up', color: 'green' },
        { label: words.board.tiles.revenue, value: '8.4', unit: 'k€', icon: 'eurosign', trend: 'up', color: 'blue' },
        {
          label: words.board.tiles.returns,
          value: '3',
          icon: 'arrow.counterclockwise',
          trend: 'flat',
          color: 'orange',
        },
        { label: words.board.tiles.queue, value: '12', icon: 'shippingbox', trend: 'down', color: 'purple' },
      ],
    },
  }),
  log: (now) => ({
    slug: 'import',
    name: words.log.name,
    content: {
      template: 'log',
      state: words.log.state,
      lines: [
        { text: words.log.rows('orders-08.csv', 48_210), at: seconds(now) - 4 },
        { text: words.log.skipped('orders-07.csv', 3), at: seconds(now) - 31, level: 'warn' },
        { text: words.log.rows('orders-06.csv', 47_118), at: seconds(now) - 58 },
        { text: words.log.unreadable('orders-05.csv'), at: seconds(now) - 90, level: 'error' },
      ],
    },
  }),
  media: (now) => ({
    slug: 'living-room',
    name: words.media.name,
    content: {
      template: 'media',
      media_title: 'Clair de lune',
      subtitle: 'Claude Debussy',
      playback_state: 'playing',
      position_seconds: 83,
      position_at: seconds(now),
      duration_seconds: 301,
      volume: 0.4,
      favorite: true,
      controls: {
        favorite: { url: 'https://home.example/media/favorite' },
        previous: { url: 'https://home.example/media/previous' },
        play_pause: { url: 'https://home.example/media/toggle' },
        next: { url: 'https://home.example/media/next' },
        volume_up: { url: 'https://home.example/media/louder' },
      },
    },
  }),
  approval: (now) => ({
    slug: 'release-approval',
    name: words.approval.name,
    content: {
      template: 'approval',
      state: words.approval.state,
      source: 'CI',
      details: [
        { label: words.approval.commit, value: '4f1c9ab' },
        { label: words.approval.checks, value: words.approval.green },
      ],
      options: [
        { id: 'deploy', title: words.approval.options.deploy, style: 'primary', icon: 'checkmark' },
        { id: 'later', title: words.approval.options.later, style: 'secondary', icon: 'clock' },
        { id: 'reject', title: words.approval.options.reject, style: 'destructive', icon: 'xmark' },
      ],
      end_date: seconds(now) + 1800,
      on_expire: 'later',
    },
  }),
}

const seconds = (now: number): number => Math.floor(now / 1000)

const SHAPE = [0, 0.1, -0.1, 0.2, 0.1, 0.4, 0.9, 1, 0.7, 0.8, 0.5, 0.3, 0.4, 0.2, 0.1, 0]

function past(now: number, value: number, swing: number): HistoryPoint[] {
  return SHAPE.map((part, index) => ({
    timestamp: seconds(now) - (SHAPE.length - 1 - index) * 240,
    value: Math.round(value + part * swing),
  }))
}
