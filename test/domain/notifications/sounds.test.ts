// The sounds of other services under our names.
import { describe, expect, test } from 'vitest'
import { soundFromBark, soundFromPushover } from '../../../src/domain/notifications/sounds.ts'

describe('a sound of Bark', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    // The number of the default in iOS.
    ['1107', undefined],
    ['glass', 'ding'],
    ['glass.caf', 'ding'],
    ['silence', 'none'],
    ['minuet', 'file:minuet'],
    ['not a name', undefined],
  ])('%j is %j', (name, sound) => {
    expect(soundFromBark(name, false)).toBe(sound)
  })

  test('the alarm is the siren if it rings on', () => {
    expect([soundFromBark('alarm', false), soundFromBark('alarm', true)]).toEqual(['alert', 'siren'])
  })
})

test.each([
  [undefined, undefined],
  ['pushover', 'default'],
  ['siren', 'siren'],
  ['alien', 'siren'],
  ['none', 'none'],
  ['vibrate', 'none'],
  ['tugboat', 'file:tugboat'],
  ['../secret', undefined],
])('the sound %j of Pushover is %j', (name, sound) => {
  expect(soundFromPushover(name)).toBe(sound)
})
