// Rules for the content of every template: common members, placeholders, changes of template, and refusals.
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../../src/contract/problems.ts'
import { TEMPLATE_NAMES } from '../../../src/domain/activities/templates/templates.ts'
import {
  chars,
  expectBounds,
  NOW_SECONDS,
  patched,
  placesOf,
  stored,
  violationsOf,
} from '../../support/activity-content.ts'

const GOOD: Record<string, Record<string, unknown>> = {
  generic: {},
  countdown: { end_date: NOW_SECONDS + 60 },
  steps: { total_steps: 3, current_step: 1 },
  alert: { severity: 'info' },
  gauge: { value: 5, min_value: 0, max_value: 10 },
  timeline: { value: { CPU: 1 } },
  board: { tiles: [{ label: 'A', value: '1' }] },
  log: { lines: [{ text: 'x' }] },
  media: {},
  approval: {
    options: [
      { id: 'yes', title: 'Yes' },
      { id: 'no', title: 'No' },
    ],
  },
}

describe('common members', () => {
  test.each(TEMPLATE_NAMES)('%s: limits on both sides', (template) => {
    const computesProgress = template === 'gauge'
    expectBounds({ template, ...GOOD[template] }, [
      ['state', ['', chars(256)], [chars(257), 5]],
      ['subtitle', ['', chars(256)], [chars(257), true]],
      ['icon', ['mdi:eye', chars(128)], [chars(129)]],
      ...(computesProgress
        ? []
        : [['progress', [0, 1, 0.5], [-0.01, 1.01, '1', true]] as [string, unknown[], unknown[]]]),
      ['remaining_time', [0, 3600], [-1, 1.5, true]],
      ['accent_color', ['blue', 'TEAL', '#12345678', '123456', ''], ['#123', 'neon', 5]],
      ['background_color', ['red'], ['#12']],
      ['text_color', ['red'], ['#12']],
      ['compact_label', [chars(4), `  ${chars(4)} `, ' '], [chars(5)]],
      ['completion_message', [chars(512)], [chars(513)]],
      [
        'url',
        ['https://example.org', 'app://x', ''],
        ['example.org', 'javascript:x', 'https://', `https://x/${chars(2048)}`],
      ],
      ['secondary_url', ['https://example.org'], ['data:x', 7]],
      ['tap_action', [{ url: 'app://x' }], [{ foreground: true }, 'app://x', { url: 'app://x', method: 'POST' }]],
      ['url_action', [{ url: 'https://x.org', method: 'post' }], [{ url: 'https://x.org', method: 'FETCH' }]],
      [
        'secondary_url_action',
        [{ url: 'https://x.org', title: chars(64) }],
        [{ url: 'https://x.org', title: chars(65) }],
      ],
    ])
  })

  test('unknown members are kept, also inside known ones', () => {
    const content = { template: 'board', mood: { deep: [1] }, tiles: [{ label: 'A', value: '1', later: true }] }
    expect(stored(content)).toEqual(content)
  })

  test('unknown members cannot grow without limit over several patches', () => {
    const before = stored({ blob: 'x'.repeat(50_000) })
    expect(violationsOf({ more: 'x'.repeat(50_000) }, before)).toEqual([
      { location: 'body.content', message: 'must have at most 2000 values and 65536 characters in all' },
    ])
  })

  test('methods are stored in upper case', () => {
    expect(stored({ url_action: { url: 'https://x.org', method: 'post' } }).url_action).toMatchObject({
      method: 'POST',
    })
  })

  test('server-owned members sent by a client are dropped silently', () => {
    const owned = { warning_pushed: true, snoozed_until: 5, answer: {}, answer_round: 9, log_backlog: [{}] }
    expect(stored({ template: 'generic', state: 'x', ...owned })).toEqual({ template: 'generic', state: 'x' })
  })
})

describe('the template', () => {
  test.each(TEMPLATE_NAMES)('%s refuses the members of other templates, unless they are placeholders', (template) => {
    const own = { template, ...GOOD[template] }
    const samples: Record<string, unknown> = {
      warning_threshold: 5,
      total_steps: 3,
      severity: 'info',
      min_value: 1,
      scale: 'linear',
      tiles: [{ label: 'A', value: '1' }],
      lines: [{ text: 'x' }],
      media_title: 'x',
      options: [
        { id: 'a', title: 'A' },
        { id: 'b', title: 'B' },
      ],
      image_url: 'https://x.org/a',
      live_progress: true,
      end_date: NOW_SECONDS + 60,
    }
    const owners: Record<string, string[]> = {
      warning_threshold: ['countdown'],
      total_steps: ['steps'],
      severity: ['alert'],
      min_value: ['gauge'],
      scale: ['timeline'],
      tiles: ['board'],
      lines: ['log'],
      media_title: ['media'],
      options: ['approval'],
      image_url: ['generic', 'steps', 'media'],
      live_progress: ['generic', 'steps'],
      end_date: ['generic', 'countdown', 'steps', 'approval'],
    }
    for (const [member, value] of Object.entries(samples)) {
      if (owners[member]?.includes(template)) continue
      expect(placesOf({ ...own, [member]: value })).toEqual([member])
      for (const placeholder of [null, false, '', [], {}]) {
        expect(stored({ ...own, [member]: placeholder })).not.toHaveProperty(member)
      }
    }
  })

  test('an unknown template is refused with a list of the known ones; null and "" leave it unchanged', () => {
    expect(violationsOf({ template: 'bogus' })[0]?.message).toContain('generic, countdown, steps')
    for (const template of [null, '']) {
      expect(patched({ template: 'alert', severity: 'info' }, { template, state: 'x' }).template).toBe('alert')
    }
  })

  test.each([
    [{ progress: 0.5 }, 'generic'],
    [{ current_step: 1, total_steps: 2 }, 'steps'],
    [{ value: { CPU: 1 } }, 'timeline'],
    [{ value: 1, min_value: 0, max_value: 2 }, 'gauge'],
    [{ duration: '5m', warning_threshold: 5 }, 'countdown'],
  ])('without a template, %j is stored as %s', (content, template) => {
    expect(stored(content).template).toBe(template)
  })

  test('a change of template drops the members of the old one, and keeps common and unknown members', () => {
    const gauge = stored({ template: 'gauge', value: 1, min_value: 0, max_value: 2, unit: 'V', state: 'on', mood: 1 })
    expect(patched(gauge, { template: 'alert', severity: 'info' })).toEqual({
      template: 'alert',
      state: 'on',
      mood: 1,
      severity: 'info',
      progress: 0.5,
    })
    expect(placesOf({ template: 'timeline' }, gauge)).toEqual(['value'])
  })

  test('a refusal names the template, the location and the limit, and lists every violation', () => {
    expect.assertions(2)
    try {
      stored({ template: 'gauge', value: 'x', min_value: 0, unit: chars(33), severity: 'info', progress: 2 })
    } catch (error) {
      const { detail, members } = error as Problem
      expect(detail).toBe('With the template gauge, body.content.progress must be at most 1 (and 4 more; see errors).')
      expect(members.errors?.map(({ location }) => location)).toEqual(
        ['progress', 'value', 'unit', 'severity', 'max_value'].map((member) => `body.content.${member}`),
      )
    }
  })

  test('a patch changes the members sent, null clears, and lists are replaced', () => {
    const before = stored({
      template: 'board',
      state: 'a',
      subtitle: 'b',
      tiles: [
        { label: 'A', value: '1' },
        { label: 'B', value: '2' },
      ],
    })
    expect(patched(before, { state: null, tiles: [{ label: 'C', value: '3', icon: null }] })).toEqual({
      template: 'board',
      subtitle: 'b',
      tiles: [{ label: 'C', value: '3' }],
    })
  })
})
