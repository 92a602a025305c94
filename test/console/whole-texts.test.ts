// The texts of pictures at every scale: what fits a card is not cut because its box was rounded to pixels.
import { expect, test } from 'vitest'
import { WIDGET_EXAMPLES } from '../../console/src/builder/widget-examples.ts'
import { drawIn } from '../../console/src/pictures/draw.tsx'
import type { PictureTask } from '../../src/domain/screens/picture.ts'
import { isNightly } from '../support/nightly.ts'

const NOW = Date.parse('2026-11-18T12:00:00Z')
const SIZES = {
  small: [158, 158],
  medium: [338, 158],
  large: [338, 354],
  circular: [76, 76],
  rectangular: [172, 76],
} as const
type Family = keyof typeof SIZES
type Template = keyof typeof WIDGET_EXAMPLES
const SCALES = [1, 1.5, 2, 2.5, 3, 3.5, 4]
// At this one, a box is rounded by a hundredth of a point.
const EXACT = 97

// How many closed lines each text and shape has: a text that is cut has others.
async function linesOf(template: Template, family: Family, scale: number, changed: object = {}) {
  const { name, content: example } = WIDGET_EXAMPLES[template](NOW)
  const content = { ...example, ...changed }
  const [width, height] = SIZES[family]
  const widget = { name, content, updated_at: new Date(NOW).toISOString() }
  const svg = await drawIn(
    {
      ...{ shown: { widget, family }, width, height, icons: {}, theme: 'light', format: 'png', scale, title: '' },
      ...{
        background: 'card',
        corners: 'card',
        layer: 'all',
        hasHole: false,
        colors: 'full',
        dither: 'auto',
        rotate: 0,
      },
      ...{ lang: 'en', tz: 'UTC', now: NOW },
    } as PictureTask,
    'light',
  )
  return [...svg.matchAll(/ d="([^"]*)"/g)].map(([, path = '']) => path.split('M').length)
}

const CARDS = isNightly
  ? Object.keys(WIDGET_EXAMPLES).flatMap((template) => Object.keys(SIZES).map((family) => [template, family]))
  : [['gauge', 'small']]

test.each(CARDS as [Template, Family][])(
  'the texts of %s in the family %s are whole at every scale',
  async (template, family) => {
    const whole = await linesOf(template, family, EXACT)
    for (const scale of SCALES) expect([scale, await linesOf(template, family, scale)]).toEqual([scale, whole])
  },
)

test.each([
  [21.5, '°C'],
  [1_234_567, 'kWh'],
  [-12.34, '°C'],
  [21.5, 'µg/m³'],
])('a gauge shows the whole of %s %s', async (value, unit) => {
  const number = { value, unit, subtitle: undefined, trend: undefined }
  const bounds = { ...number, min_value: value - 1, max_value: value + 1 }
  const [text, itsUnit] = (await linesOf('gauge', 'small', 2, bounds)).slice(-4)
  // There is more than enough room.
  expect([text, itsUnit]).toEqual((await linesOf('value', 'medium', 2, number)).slice(-2))
})
