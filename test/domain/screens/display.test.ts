// The size of the picture that a display gets.
import { expect, test } from 'vitest'
import { displaySize } from '../../../src/domain/screens/display.ts'

test.each([
  [800, 480, '800x480'],
  ['1600', '40', '1600x40'],
  [1601, 480, '800x480'],
  [800, 1601, '800x480'],
  [39, 480, '800x480'],
  ['1e3', 480, '800x480'],
  [undefined, undefined, '800x480'],
])('a display that says %s by %s gets a picture of %s', (width, height, size) => {
  expect(displaySize(width, height)).toBe(size)
})
