// What an activity says at a glance, template by template.
import { describe, expect, test } from 'vitest'
import { activityGlance } from '../../../src/domain/screens/activity-glance.ts'
import { stillViewer } from '../../../src/domain/screens/viewer.ts'

const NOW = Date.parse('2026-11-18T12:00:00Z')
const viewer = stillViewer('en', undefined, NOW)
const at = (seconds: number) => NOW / 1000 + seconds

type Content = Parameters<typeof activityGlance>[0]

test.each<[Content, { text: string; fraction?: number }]>([
  [{ state: 'Compiling' }, { text: 'Compiling' }],
  [
    { state: 'Compiling', progress: 0.4 },
    { text: '40%', fraction: 0.4 },
  ],
  [
    { progress: 0.4, live_progress: true, start_date: at(-60), end_date: at(180) },
    { text: '25%', fraction: 0.25 },
  ],
  [{ template: 'countdown', end_date: at(180) }, { text: '3 min' }],
  // The bar of a countdown shows what is left.
  [
    { template: 'countdown', start_date: at(-60), end_date: at(180) },
    { text: '3 min', fraction: 0.75 },
  ],
  [{ template: 'countdown', end_date: at(-1) }, { text: viewer.words.over }],
  [
    { template: 'steps', current_step: 1, total_steps: 4 },
    { text: '1/4', fraction: 0.25 },
  ],
  [{ template: 'alert', severity: 'critical' }, { text: viewer.words.severities.critical }],
  [{ template: 'alert', severity: 'critical', severity_label: 'P1' }, { text: 'P1' }],
  [
    { template: 'gauge', value: 30, min_value: 20, max_value: 60, unit: '°' },
    { text: '30°', fraction: 0.25 },
  ],
  [{ template: 'timeline', value: { out: 3, in: 4 }, primary_series: 'in', unit: 'kW' }, { text: '4\u202fkW' }],
  [{ template: 'timeline', value: { out: 3, in: 4 } }, { text: '3' }],
  [{ template: 'media', media_title: 'Aria' }, { text: 'Aria' }],
  [
    { template: 'media', media_title: 'Aria', position_seconds: 60, duration_seconds: 240 },
    { text: '1 min', fraction: 0.25 },
  ],
  [{ template: 'log', lines: [{ text: 'newest' }, { text: 'older' }] }, { text: 'newest' }],
] as [Content, { text: string; fraction?: number }][])('%j says %j', (content, said) => {
  expect(activityGlance(content, viewer)).toEqual(said)
})

describe('the position of a medium', () => {
  const playing = {
    template: 'media',
    position_seconds: 60,
    duration_seconds: 240,
    position_at: at(-60),
    playback_state: 'playing',
  } as Content

  test('advances while it plays, and stops at its end', () => {
    expect(activityGlance(playing, viewer)).toEqual({ text: '2 min', fraction: 0.5 })
    expect(activityGlance({ ...playing, position_at: at(-600) }, viewer)).toEqual({ text: '4 min', fraction: 1 })
  })

  test('stays while it is paused, and if it was noted by a clock that is ahead', () => {
    for (const content of [
      { ...playing, playback_state: 'paused' } as Content,
      { ...playing, position_at: at(60) } as Content,
    ]) {
      expect(activityGlance(content, viewer)).toEqual({ text: '1 min', fraction: 0.25 })
    }
  })
})
