// The form and size of a picture, and the place that it leaves empty: for the picture itself, and for the program that draws into it.
import { Type } from 'typebox'
import { OneOf } from '../fields.ts'

const WIDGET_FAMILIES = [
  'small',
  'medium',
  'large',
  'extra-large',
  'circular',
  'rectangular',
  'inline',
  'badge',
] as const
const ACTIVITY_FAMILIES = ['card', 'compact', 'badge'] as const

const rest = {
  size: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$',
      description: 'width and height in points, such as 300x200; otherwise those of the family',
    }),
  ),
  hole: Type.Optional(OneOf(['timer'], 'the place of a countdown or a timer, for one that runs')),
}

export const FRAMES = {
  widgets: { family: Type.Optional(OneOf(WIDGET_FAMILIES, 'medium by default, or by the size')), ...rest },
  activities: { family: Type.Optional(OneOf(ACTIVITY_FAMILIES, 'card by default')), ...rest },
}
export type FrameQuery = { family?: string; size?: string; hole?: 'timer' }
