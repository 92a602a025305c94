// What the cards of widgets and activities say, in every family, as pictures and the console draw them.
import { describe, expect, test } from 'vitest'
import { pageOf } from '../../../console/src/pictures/draw.tsx'
import type { PictureTask } from '../../../src/domain/screens/picture.ts'

const NOW = Date.parse('2026-11-18T12:00:00Z')
const inSeconds = (seconds: number): number => NOW / 1000 + seconds
const at = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString()

function htmlOf(shown: object): string {
  const plain = { background: 'card', corners: 'card', layer: 'all', hasHole: false, colors: 'full' }
  const task = { shown, icons: {}, theme: 'light', format: 'svg', scale: 1, lang: 'en', tz: 'UTC', now: NOW, ...plain }
  return pageOf(task as unknown as PictureTask, 'light').html
}

const wordsOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const widget = (content: object, family: string, more: object = {}): string =>
  htmlOf({ widget: { name: 'Name', content, updated_at: at(0), ...more }, family })
const activity = (content: object, family = 'card', more: object = {}): string =>
  htmlOf({ activity: { slug: 's', name: 'Name', state: 'ongoing', content, ...more }, family })

describe('a widget', () => {
  const row = (label: number) => ({ label: `L${label}`, value: String(label) })

  test('has as many rows as its family has room for', () => {
    const count = (template: string, family: string) =>
      widget({ template, value: 0.5, stat_rows: [1, 2, 3, 4, 5, 6].map(row) }, family).match(/<dt>/g)?.length ?? 0
    const families = ['small', 'medium', 'large', 'extra-large']
    expect(families.map((family) => count('stat_list', family))).toEqual([3, 3, 6, 6])
    expect(families.map((family) => count('value', family))).toEqual([0, 0, 3, 3])
    expect(families.map((family) => count('progress', family))).toEqual([0, 0, 3, 3])
  })

  test('has its label in place of the name, and the subtitle where there is room', () => {
    const content = { template: 'value', value: 7, unit: 'kW', label: 'Label', subtitle: 'Sub' }
    expect(wordsOf(widget(content, 'medium'))).toBe('Label 7 kW Sub')
    expect(wordsOf(widget(content, 'small'))).toBe('Label 7 kW')
    expect(wordsOf(widget({ ...content, template: 'status', severity: 'warning' }, 'medium'))).toMatch(/^Name Label/)
  })

  test('says since when it is stale', () => {
    const content = { template: 'value', value: 7, subtitle: 'Sub' }
    const old = { updated_at: at(-1), stale_after: 600 }
    expect(wordsOf(widget(content, 'medium', old))).toBe('Name 7 as of 11:00 Sub')
    expect(widget(content, 'medium', old)).toContain('widget-stale')
    expect(wordsOf(widget(content, 'medium', { ...old, stale_after: 7200 }))).toBe('Name 7 Sub')
  })

  test('of batteries marks those that are low and those that are charging', () => {
    const devices = [
      { name: 'Door', level: 20 },
      { name: 'Watch', level: 21, charging: true },
      { name: 'Car', level: 5, color: 'blue' },
      ...['Four', 'Five'].map((name) => ({ name, level: 100 })),
    ]
    const large = widget({ template: 'battery', devices }, 'large')
    expect(wordsOf(large)).toBe('Name Door 20% Watch 21% charging Car 5% Four 100% Five 100%')
    expect([...large.matchAll(/<li style="--tint:\s*(#\w+)/g)].map(([, tint]) => tint)).toEqual(['#FF3B30', '#007AFF'])
    expect(widget({ template: 'battery', devices }, 'medium').match(/<li/g)).toHaveLength(4)
  })

  test('counts down to its end, and then has its words for it', () => {
    const content = { template: 'countdown', start_date: at(-1), end_date: at(1), expired_text: 'Shipped' }
    expect(wordsOf(widget(content, 'small'))).toBe('Name 1 h')
    expect(widget(content, 'small')).toContain('width:50%')
    expect(wordsOf(widget({ ...content, end_date: at(-0.5) }, 'small'))).toBe('Name Shipped')
    expect(wordsOf(widget({ ...content, end_date: at(-0.5), expired_text: '' }, 'small'))).toMatch(/^Name \w+/)
  })

  test('of a schedule shows the present period, until when, and what comes next', () => {
    const periods = [-1, 0, 1, 2, 3, 4, 5].map((hour) => ({ start: at(hour), value: 20 + hour, level: 'high' }))
    const content = { template: 'schedule', unit: 'ct', periods }
    expect(wordsOf(widget(content, 'small'))).toBe('Name 20 ct')
    expect(wordsOf(widget(content, 'medium'))).toBe('Name 20 ct until 13:00 11:00 17:00')
    const large = widget(content, 'large')
    expect(wordsOf(large)).toMatch(/13:00 high 21 ct 14:00 high 22 ct 15:00 high 23 ct 16:00 high 24 ct$/)
    expect([large.match(/bar-past/g)?.length, large.match(/bar-now/g)?.length]).toEqual([1, 1])
  })

  test('of flows has three nodes where it is small, and no direction in the words', () => {
    const flow = {
      inputs: [{ rate: 4 }, { rate: 2, name: 'Roof' }],
      exchange: { rate: -1.5 },
      storage: { rate: 0, level: 64 },
      output: { rate: 1 },
    }
    const small = widget({ template: 'flow', unit: 'kW', flow }, 'small')
    expect(small.match(/<li/g)).toHaveLength(3)
    expect(wordsOf(small)).toContain('1.5 kW')
    const large = widget({ template: 'flow', unit: 'kW', flow }, 'large')
    expect(wordsOf(large)).toContain('64%')
    // Four of five flow; of these the grid and the house take.
    expect(large.match(/class="flow-stream/g)).toHaveLength(4)
    expect(large.match(/flow-outward/g)).toHaveLength(2)
  })
})

describe('an activity', () => {
  test('of steps says which one, and how far', () => {
    const content = { template: 'steps', total_steps: 3, current_step: 2, step_labels: ['Build', 'Test', 'Ship'] }
    const html = activity({ ...content, step_rows: [1, 2, 1] })
    expect(wordsOf(html)).toBe('Name Step 2 of 3 · Test')
    expect([...html.matchAll(/width:\s*(\d+%?)/g)].map(([, width]) => width)).toEqual(['100%', '100%', '100%', '0'])
    expect(html.match(/segment-current/g)).toHaveLength(1)
  })

  test('of a log has five lines, the level in words where it is not usual', () => {
    const lines = [1, 2, 3, 4, 5, 6].map((n) => ({
      text: `line ${n}`,
      at: inSeconds(-60 * n),
      level: n === 1 ? 'error' : 'info',
    }))
    const html = activity({ template: 'log', lines })
    expect(html.match(/<li/g)).toHaveLength(5)
    expect(wordsOf(html)).toMatch(/11:59 Error: line 1 11:58 line 2/)
  })

  test('of a question says what was answered, by whom or when the time was over', () => {
    const options = [
      { id: 'yes', title: 'Ship' },
      { id: 'no', title: 'Reject', style: 'destructive' },
    ]
    const content = { template: 'approval', options, source: 'CI', end_date: inSeconds(600) }
    const answer = (option: string, by: string) =>
      activity({ ...content, answer: { option, by, at: 1 } }, 'card', { state: 'ended' })
    expect(wordsOf(activity(content))).toMatch(/CI .*Ship · Reject/)
    expect([wordsOf(answer('yes', 'user')), answer('yes', 'user')]).toEqual([
      expect.stringContaining('Answered: Ship'),
      expect.stringContaining('data-style="primary"'),
    ])
    expect(answer('no', 'user')).toContain('data-style="destructive"')
    expect(answer('no', 'expired')).toContain('data-style="expired"')
    expect(wordsOf(activity(content, 'card', { state: 'ended' }))).not.toContain('Ship · Reject')
  })

  test('of media says where it is and how loud', () => {
    const content = {
      template: 'media',
      media_title: 'Clair de lune',
      position_seconds: 60,
      duration_seconds: 240,
      volume: 0.4,
    }
    const html = activity({ ...content, playback_state: 'paused' })
    expect(wordsOf(html)).toMatch(/^Name Clair de lune Paused 1 min Volume 40% 4 min$/)
    expect(html).toContain('width:25%')
  })

  test('that has ended has its last words', () => {
    const content = { template: 'generic', state: 'Rinsing', progress: 0.6, completion_message: 'Clean' }
    expect(wordsOf(activity(content))).toBe('Name Rinsing 60%')
    expect(wordsOf(activity(content, 'card', { state: 'ended' }))).toBe('Name Clean 60%')
  })

  test('in the island has its short label, or a glance of it', () => {
    const content = { template: 'gauge', value: 72, min_value: 0, max_value: 100, unit: '%' }
    expect(wordsOf(activity(content, 'compact'))).toBe('Name 72%')
    expect(wordsOf(activity({ ...content, compact_label: 'Car' }, 'compact'))).toBe('Name Car')
  })
})
