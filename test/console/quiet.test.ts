// Times of snoozes and mutes, storm shields, why a device stayed silent, and matches of a search.
import { describe, expect, test } from 'vitest'
import { heldInWords } from '../../console/src/inbox/device-delivery.ts'
import { inHours, snoozeTimes } from '../../console/src/mutes/times.ts'
import { stormError, stormInWords, stormText, toStorm } from '../../console/src/on-call/storm.tsx'
import { partsOf } from '../../console/src/ui/highlight.tsx'

describe('the times to snooze until', () => {
  const times = (now: Date) => snoozeTimes(now).map(([choice, until]) => [choice, until.toString().slice(0, 21)])

  test('are an hour, the evening and tomorrow morning, where the person is', () => {
    expect(times(new Date(2026, 10, 30, 9, 15))).toEqual([
      ['hour', 'Mon Nov 30 2026 10:15'],
      ['evening', 'Mon Nov 30 2026 18:00'],
      ['tomorrow', 'Tue Dec 01 2026 08:00'],
    ])
  })

  test('leave the evening out when it is near or over', () => {
    expect(times(new Date(2026, 10, 30, 17, 0)).map(([choice]) => choice)).toEqual(['hour', 'tomorrow'])
    expect(times(new Date(2026, 10, 30, 23, 59)).map(([choice]) => choice)).toEqual(['hour', 'tomorrow'])
  })

  test('a mute lasts full hours', () => {
    expect(inHours(new Date(0), 24).toISOString()).toBe('1970-01-02T00:00:00.000Z')
  })
})

describe('why a phone stayed silent', () => {
  const at = '2026-11-30T09:00:00Z'
  const stored = { at, event: 'stored' } as const

  test.each([
    [{ event: 'muted', detail: 'until 2026-12-01T00:00:00.000Z' }, /source, its thread or its key was muted/],
    [{ event: 'quiet_hours', detail: 'held until 07:00' }, /quiet hours held it until 07:00\.$/],
    [{ event: 'storm', detail: 'more than 30 pushes a minute' }, /more than 30 pushes within a minute\.$/],
  ] as const)('%j', (entry, words) => {
    expect(heldInWords([stored, { at, ...entry }], 'Phone')).toMatch(words)
  })

  test('is nobody else’s reason, and none if nothing was held', () => {
    expect(heldInWords([stored], 'Phone')).toBeUndefined()
    const tablet = { at, event: 'quiet_hours', device: 'Tablet', detail: 'held until 07:00' } as const
    expect(heldInWords([tablet], 'Phone')).toBeUndefined()
    expect(heldInWords([tablet], 'Tablet')).toContain('07:00')
  })
})

describe('the matches of a search', () => {
  const marked = (text: string, words?: string) =>
    partsOf(text, words)
      .map(({ part, isMatch }) => (isMatch ? `[${part}]` : part))
      .join('')

  test.each([
    ['Disk almost full: DISK 1', 'disk', '[Disk] almost full: [DISK] 1'],
    ['aaaa', 'aa', '[aa][aa]'],
    ['nothing', 'disk', 'nothing'],
    ['nothing', undefined, 'nothing'],
    ['', 'disk', ''],
    // Its lower case is longer.
    ['İstanbul disk', 'disk', 'İstanbul disk'],
  ])('%j for %j', (text, words, expected) => {
    expect(marked(text, words)).toBe(expected)
  })
})

describe('a storm shield', () => {
  test('is a whole number of the allowed ones, or empty for no limit', () => {
    expect(['', ' ', '1', '600'].map(stormError)).toEqual([undefined, undefined, undefined, undefined])
    for (const text of ['0', '601', '1.5', '-3']) expect(stormError(text)).toBe('A whole number from 1 to 600.')
    expect([toStorm(''), toStorm('30')]).toEqual([null, { pushes_per_minute: 30 }])
    expect([stormText(undefined), stormText({ pushes_per_minute: 30 })]).toEqual(['', '30'])
  })

  test('is said in words', () => {
    expect([
      stormInWords({ pushes_per_minute: 1 }),
      stormInWords({ pushes_per_minute: 30 }),
      stormInWords(undefined),
    ]).toEqual(['At most 1 push a minute', 'At most 30 pushes a minute', undefined])
  })
})
