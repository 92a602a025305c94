// The order in which a picture draws the parts of a line, from left to right.
import { expect, test } from 'vitest'
import type { Face } from '../../console/src/pictures/faces.ts'
import { isFromRight, runsOf } from '../../console/src/pictures/order.ts'

const face = {} as Face
const drawn = (text: string) =>
  runsOf(text, isFromRight(text), () => face).map((run) => (run.fromRight ? `<${run.text}` : run.text))

test.each([
  ['numbers beside Arabic letters keep their order', 'آخر تحديث 12:30', ['12:30', '<آخر تحديث ']],
  ['Latin words within Hebrew ones', 'שלום world 12:30', ['world 12:30', '<שלום ']],
  [
    'Hebrew words within Latin ones, with brackets that are mirrored',
    'Uhr: שלום (12:30) an',
    ['Uhr: ', '<)', '12:30', '<שלום (', ' an'],
  ],
  ['signs take the direction around them', 'الغسالة 🧺 im Keller', ['im Keller', '<الغسالة 🧺 ']],
  ['a space at the end is at the end', 'שלום 12 ', ['< ', '12', '<שלום ']],
  ['of Latin letters alone', 'abc 12:30 🚀', ['abc 12:30 🚀']],
])('%s', (_what, text, parts) => {
  expect(drawn(text)).toEqual(parts)
})
