// An example activity per template, as a program would send it.
import type { ActivityContent, ActivityTemplate, HistoryPoint } from '../cards/activity/content.ts'

export type ActivityExample = { slug: string; name: string; content: ActivityContent }

export const ACTIVITY_EXAMPLES: Record<ActivityTemplate, (now: number) => ActivityExample> = {
  generic: (now) => ({
    slug: 'washing-machine',
    name: 'Washing machine',
    content: {
      template: 'generic',
      state: 'Rinsing',
      subtitle: 'Cotton 40°',
      icon: 'washer',
      accent_color: 'cyan',
      start_date: seconds(now) - 2400,
      end_date: seconds(now) + 1500,
      live_progress: true,
    },
  }),
  countdown: (now) => ({
    slug: 'pizza',
    name: 'Pizza',
    content: {
      template: 'countdown',
      state: 'In the oven',
      icon: 'oven',
      start_date: seconds(now) - 300,
      end_date: seconds(now) + 432,
      warning_threshold: 60,
      alarm: true,
      snooze_seconds: 120,
      completion_message: 'The pizza is ready',
    },
  }),
  steps: () => ({
    slug: 'deploy',
    name: 'Deploy v1.2',
    content: {
      template: 'steps',
      state: 'Running the tests',
      subtitle: 'main · 4f1c9ab',
      icon: 'rocket',
      total_steps: 5,
      current_step: 3,
      step_labels: ['Check out', 'Build', 'Test', 'Canary', 'Roll out'],
      step_weights: [1, 3, 4, 2, 2],
      step_rows: [1, 1, 3, 1, 1],
    },
  }),
  alert: (now) => ({
    slug: 'disk-db01',
    name: 'db01',
    content: {
      template: 'alert',
      state: 'Disk almost full',
      subtitle: '/var is at 97 %',
      severity: 'critical',
      severity_label: 'Critical',
      fired_at: seconds(now) - 840,
      url_action: { url: 'https://wiki.example/runbooks/disk', title: 'Runbook' },
    },
  }),
  gauge: () => ({
    slug: 'car',
    name: 'Car',
    content: {
      template: 'gauge',
      state: 'Charging at 11 kW',
      icon: 'ev.charger',
      value: 72,
      min_value: 0,
      max_value: 100,
      unit: '%',
    },
  }),
  timeline: (now) => ({
    slug: 'api-latency',
    name: 'API',
    content: {
      template: 'timeline',
      state: 'Latency is falling again',
      value: { p95: 212, p50: 84 },
      unit: 'ms',
      smoothing: true,
      thresholds: [{ value: 300, color: 'red', label: 'limit' }],
      history: { p95: past(now, 212, 120), p50: past(now, 84, 26) },
    },
  }),
  board: () => ({
    slug: 'shop',
    name: 'Shop',
    content: {
      template: 'board',
      state: 'A busy Sunday',
      icon: 'cart',
      tiles: [
        { label: 'Orders', value: '214', icon: 'bag', trend: 'up', color: 'green' },
        { label: 'Revenue', value: '8.4', unit: 'k€', icon: 'eurosign', trend: 'up', color: 'blue' },
        { label: 'Returns', value: '3', icon: 'arrow.counterclockwise', trend: 'flat', color: 'orange' },
        { label: 'Queue', value: '12', icon: 'shippingbox', trend: 'down', color: 'purple' },
      ],
    },
  }),
  log: (now) => ({
    slug: 'import',
    name: 'Nightly import',
    content: {
      template: 'log',
      state: '8 of 12 files',
      lines: [
        { text: 'orders-08.csv: 48,210 rows', at: seconds(now) - 4 },
        { text: 'orders-07.csv: 3 rows skipped', at: seconds(now) - 31, level: 'warn' },
        { text: 'orders-06.csv: 47,118 rows', at: seconds(now) - 58 },
        { text: 'orders-05.csv: not readable', at: seconds(now) - 90, level: 'error' },
      ],
    },
  }),
  media: (now) => ({
    slug: 'living-room',
    name: 'Living room',
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
    name: 'Release',
    content: {
      template: 'approval',
      state: 'Deploy v1.2 to production?',
      source: 'CI',
      details: [
        { label: 'Commit', value: '4f1c9ab' },
        { label: 'Checks', value: '214 of 214 are green' },
      ],
      options: [
        { id: 'deploy', title: 'Deploy', style: 'primary', icon: 'checkmark' },
        { id: 'later', title: 'Not now', style: 'secondary', icon: 'clock' },
        { id: 'reject', title: 'Reject', style: 'destructive', icon: 'xmark' },
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
