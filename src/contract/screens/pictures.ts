// Widgets and activities as pictures: what a request may ask for.
import { Type } from 'typebox'
import { closed, OneOf } from '../fields.ts'
import { type ViewerQuery, viewer } from './texts.ts'

const THEMES = ['light', 'dark'] as const
const SCALES = ['1', '1.5', '2', '2.5', '3', '3.5', '4'] as const
const WIDGET_FAMILIES = ['small', 'medium', 'large', 'circular', 'rectangular', 'inline'] as const
const ACTIVITY_FAMILIES = ['card', 'compact'] as const

const theme = Type.Optional(OneOf(THEMES, 'light by default'))
const scale = Type.Optional(OneOf(SCALES, 'pixels per point; 2 by default'))
const widgetPicture = {
  family: Type.Optional(OneOf(WIDGET_FAMILIES, 'medium by default, or by the size')),
  size: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$',
      description: 'width and height in points, such as 300x200; otherwise those of the family',
    }),
  ),
  theme,
  ...viewer,
}
const activityPicture = {
  family: Type.Optional(OneOf(ACTIVITY_FAMILIES, 'card by default')),
  theme,
  ...viewer,
}

export const PICTURE_QUERIES = {
  widgets: {
    svg: Type.Object(widgetPicture, closed),
    png: Type.Object({ ...widgetPicture, scale }, closed),
  },
  activities: {
    svg: Type.Object(activityPicture, closed),
    png: Type.Object({ ...activityPicture, scale }, closed),
  },
}
export type PictureQuery = ViewerQuery & { family?: string; size?: string; theme?: 'light' | 'dark'; scale?: string }
