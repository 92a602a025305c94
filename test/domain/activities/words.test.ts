// A live activity as text, for apps that show messages: every template, and how a bar is rounded.
import { expect, test } from 'vitest'
import { barOf, wordsOf } from '../../../src/domain/activities/words.ts'

// 14:05 in Berlin.
const END = Date.UTC(2026, 10, 18, 13, 5) / 1000
const TILES = [
  { label: 'CPU', value: '40', unit: '%' },
  { label: 'Jobs', value: '3' },
]
const OPTIONS = [
  { id: 'yes', title: 'Deploy' },
  { id: 'no', title: 'Wait' },
]

test.each<[object, string]>([
  [{ template: 'generic', progress: 0.62, state: 'Copying' }, '62 % ▓▓▓▓▓▓░░░░ · Copying'],
  [{ template: 'generic', state: 'Copying', subtitle: 'disk 2', end_date: END }, 'Copying\ndisk 2 · done 14:05'],
  [{ template: 'generic' }, '…'],
  [{ template: 'countdown', end_date: END, state: 'Pizza', subtitle: 'oven' }, 'until 14:05 · Pizza\noven'],
  [
    { template: 'steps', current_step: 3, total_steps: 7, step_labels: ['a', 'b', 'Build'], state: 'S', subtitle: 'T' },
    '3/7 Build ▓▓▓▓░░░░░░\nS · T',
  ],
  [
    { template: 'alert', severity: 'warning', state: 'Hot', subtitle: 'CPU', fired_at: END },
    'Warning: Hot\nCPU · since 14:05',
  ],
  [{ template: 'alert', severity: 'critical', severity_label: 'SEV1', state: 'Down' }, 'SEV1: Down'],
  [{ template: 'gauge', value: 21, unit: '°C', min_value: 0, max_value: 40, state: 'warm' }, '21 °C (0–40)\nwarm'],
  [{ template: 'board', tiles: TILES }, 'CPU 40% · Jobs 3'],
  [{ template: 'log', lines: ['5', '4', '3', '2', '1'].map((text) => ({ text })) }, '5\n4\n3\n2'],
  [
    {
      template: 'media',
      media_title: 'Blue',
      subtitle: 'Joni',
      playback_state: 'playing',
      position_seconds: 62,
      duration_seconds: 220,
    },
    '▶ Blue\nJoni · 1:02 / 3:40',
  ],
  [{ template: 'media', media_title: 'Blue', playback_state: 'paused' }, '⏸ Blue'],
  [{ template: 'approval', state: 'v2?', options: OPTIONS }, 'v2?\nDeploy · Wait'],
])('%j', (content, words) => {
  expect(wordsOf({ content } as never, 'Europe/Berlin')).toBe(words)
})

test('a timeline begins with its primary series, says where each goes, and has five more at most', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const value = Object.fromEntries(names.map((name, index) => [name, index]))
  const points = (...values: number[]) => values.map((one, timestamp) => ({ timestamp, value: one }))
  const history = { g: points(1, 6), a: points(3, 0), b: points(1, 1), c: points(2) }
  const content = { template: 'timeline', value, unit: 'ms', units: { g: 's' }, primary_series: 'g' }
  expect(wordsOf({ content } as never, 'UTC', history).split('\n')).toEqual([
    'g: 6 s ↗',
    'a: 0 ms ↘',
    'b: 1 ms →',
    'c: 2 ms',
    'd: 3 ms',
    'e: 4 ms',
  ])
})

test.each([
  [0, '░░░░░░░░░░'],
  [0.001, '▓░░░░░░░░░'],
  [0.25, '▓▓▓░░░░░░░'],
  [0.949, '▓▓▓▓▓▓▓▓▓░'],
  [0.999, '▓▓▓▓▓▓▓▓▓░'],
  [1, '▓▓▓▓▓▓▓▓▓▓'],
])('a bar of %d is %s: empty only at 0, full only at 1', (progress, bar) => {
  expect(barOf(progress)).toBe(bar)
})
