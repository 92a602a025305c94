// The texts of glances for status bars: whatever a sender writes, a reader of the format finds no command, tag or line in it.
import { describe, expect, test } from 'vitest'
import { TEXT_FORMS, type TextForm } from '../../../src/contract/screens/texts.ts'
import { instant } from '../../../src/domain/instant.ts'
import type { ScreenGlance } from '../../../src/domain/screens/glance.ts'
import { textOf } from '../../../src/domain/screens/text-forms.ts'
import { WORDS } from '../../../src/domain/screens/words.ts'

const HOSTILE = 'x | bash=/bin/sh #[fg=red] #(id) %{A1:id:} <b>& eval=1'

const glance = (words: Partial<ScreenGlance>): ScreenGlance => ({
  kind: 'widget',
  slug: 'boiler',
  name: 'Boiler',
  label: 'Boiler',
  template: 'value',
  text: '63°C',
  detail: undefined,
  fraction: 0.63,
  severity: 'warning',
  color: '#FF950080',
  icon: 'flame',
  state: undefined,
  isStale: true,
  updatedAt: instant(0),
  validUntil: undefined,
  tap: undefined,
  ...words,
})

const written = (form: TextForm, words: Partial<ScreenGlance> = {}, options: object = {}) =>
  textOf(glance(words), {
    form,
    maxChars: undefined,
    hasMarkup: false,
    hasStyle: false,
    page: 'https://h.example/app/widgets/boiler',
    words: WORDS.en,
    ...options,
  })

test('a plain text is the label and the value', () => {
  expect(written('plain')).toBe('Boiler 63°C\n')
  expect(written('plain', { label: 'W'.repeat(50) }, { maxChars: 8 })).toBe('WWWWWWW…\n')
})

test('waybar gets classes, a percentage and a tooltip of several lines', () => {
  expect(JSON.parse(written('waybar', { detail: 'since 9:00' }))).toEqual({
    text: 'Boiler 63°C',
    alt: 'value',
    tooltip: 'Boiler\r63°C\rsince 9:00',
    class: ['warning', 'value', 'stale'],
    percentage: 63,
  })
})

test('i3blocks, tmux, SwiftBar and xbar get the colour in the way that they read it', () => {
  expect(written('i3blocks')).toBe('Boiler 63°C\n63°C\n#FF9500\n')
  expect(written('tmux', {}, { hasStyle: true })).toBe('#[fg=#FF9500]Boiler 63°C#[default]\n')
  expect(written('swiftbar')).toBe(
    [
      'Boiler 63°C | color=#FF9500 sfimage=flame symbolize=false emojize=false ansi=false',
      '---',
      'Boiler | symbolize=false emojize=false ansi=false',
      '63°C | symbolize=false emojize=false ansi=false',
      'Open | href=https://h.example/app/widgets/boiler symbolize=false emojize=false ansi=false',
      '',
    ].join('\n'),
  )
  expect(written('xbar')).not.toMatch(/symbolize|sfimage/)
})

describe('a hostile text', () => {
  const words = {
    label: `${HOSTILE}\n---\n~~~\u001b[31m\u202e`,
    name: '--- sub',
    text: '~~~',
    detail: '-- x|terminal=true',
    icon: 'x bash=/bin/sh',
  }

  test.each(TEXT_FORMS)('has no control, escape or line break of its own in %s', (form) => {
    const text = written(form, words)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    const lines = { i3blocks: 3, swiftbar: 6, xbar: 6, argos: 6 }[form as string] ?? 1
    expect(text.trimEnd().split('\n')).toHaveLength(lines)
  })

  test.each(['swiftbar', 'xbar', 'argos'] as const)(
    'adds no parameter, submenu or separator to the menu of %s',
    (form) => {
      const [head, separator, ...rows] = written(form, words).trimEnd().split('\n') as [string, string, ...string[]]
      expect(separator).toBe('---')
      for (const row of [head, ...rows]) {
        const [text, parameters, ...more] = row.split('|') as [string, string, ...string[]]
        expect(more).toEqual([])
        expect(text).not.toMatch(/^\s*(?:-|~~~)/)
        const names = [...parameters.matchAll(/(\w+)=/g)].map(([, name]) => name)
        const allowed = ['color', 'href', 'symbolize', 'emojize', 'ansi', 'useMarkup', 'unescape']
        expect(names.filter((name) => !allowed.includes(String(name)))).toEqual([])
      }
    },
  )

  test('runs and paints nothing in polybar and tmux, and is no markup where Pango is read', () => {
    expect(written('polybar', words)).not.toContain('%{')
    expect(written('tmux', words).replaceAll('##', '')).not.toContain('#')
    expect(JSON.parse(written('waybar', words)).text).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/)
    expect(written('i3blocks', words, { hasMarkup: true })).not.toMatch(/[<>"']/)
  })
})
