// Widgets and activities as texts and values, for status bars, terminals and other programs.
import { type Static, Type } from 'typebox'
import { closed, OneOf, Slug, Timestamp } from '../fields.ts'
import { LIMITS } from '../limits.ts'
import { FRAMES } from './frames.ts'

export const TEXT_FORMS = [
  'plain',
  'starship',
  'conky',
  'polybar',
  'tmux',
  'i3blocks',
  'i3blocks-json',
  'waybar',
  'swiftbar',
  'xbar',
  'argos',
] as const
export type TextForm = (typeof TEXT_FORMS)[number]

// The forms that are JSON.
const JSON_FORMS = ['waybar', 'i3blocks-json'] as const satisfies TextForm[]

// In which language and time zone something is read.
export const viewer = {
  lang: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$',
      description: 'a language such as en or de-AT; there are texts in English and German, and others get English',
    }),
  ),
  tz: Type.Optional(
    Type.String({
      maxLength: LIMITS.schedule.maxTimezoneChars,
      description: 'a time zone such as Europe/Berlin; without one, times are in UTC and say so',
    }),
  ),
}
const Flag = (description: string) => Type.Optional(OneOf(['1'], description))

const textOptions = {
  ...viewer,
  max: Type.Optional(
    Type.Integer({
      minimum: LIMITS.screen.textChars.min,
      maximum: LIMITS.screen.textChars.max,
      description: 'the largest number of characters of a line',
    }),
  ),
}
const markup = Flag('with i3blocks: Pango markup is on, so the characters that it interprets are escaped')
const style = Flag('with tmux: the line has the colour of the card')

const follow = Flag('keeps the answer open: a text at each change, at most one a second, and again after 30 s')

export const TextQuery = Type.Object(
  {
    ...textOptions,
    form: Type.Optional(OneOf(TEXT_FORMS, 'who reads the text; plain by default')),
    markup,
    style,
    follow,
  },
  closed,
)
export type TextQuery = Static<typeof TextQuery>

const glanceOptions = {
  ...textOptions,
  form: Type.Optional(OneOf(JSON_FORMS, 'who reads it; without one, the answer is a Glance')),
  markup,
}
export const GLANCE_QUERIES = {
  widgets: Type.Object({ ...glanceOptions, ...FRAMES.widgets }, closed),
  activities: Type.Object({ ...glanceOptions, ...FRAMES.activities }, closed),
}

export const TextListQuery = Type.Object(textOptions, closed)
export const GlanceListQuery = Type.Object(viewer, closed)
export type ViewerQuery = Static<typeof GlanceListQuery>

export const GlanceParams = Type.Object({ slug: Slug })

export const BarLine = Type.Object(
  {},
  { title: 'BarLine', additionalProperties: true, description: 'What the status bar of the form reads.' },
)

const TimerHole = Type.Object(
  {
    x: Type.Number(),
    y: Type.Number(),
    width: Type.Number(),
    height: Type.Number(),
    font_size: Type.Number(),
    align: OneOf(['start', 'center']),
    date: Timestamp,
  },
  { title: 'TimerHole', description: 'Where the timer of a picture was, in points, and to or from when it runs.' },
)
export type TimerHole = Static<typeof TimerHole>

export const Glance = Type.Object(
  {
    slug: Type.String(),
    kind: OneOf(['widget', 'activity']),
    name: Type.String(),
    label: Type.String({ description: 'The label of a widget, otherwise its name.' }),
    template: Type.String(),
    text: Type.String({ description: 'The value, such as `63°C` or `14 min`.' }),
    detail: Type.Optional(Type.String()),
    fraction: Type.Optional(Type.Number({ description: 'From 0 to 1, where there is a bar or a ring.' })),
    severity: Type.Optional(Type.String()),
    color: Type.String({ description: 'The accent, as `#RRGGBB` or `#RRGGBBAA`.' }),
    icon: Type.Optional(Type.String()),
    state: Type.Optional(OneOf(['ongoing', 'ended', 'preempted'], 'Of an activity.')),
    stale: Type.Boolean(),
    updated_at: Timestamp,
    valid_until: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the text changes without an update.' }),
    ),
    tap: Type.Optional(
      Type.String({ description: 'The address that a tap opens. Never one that is called silently.' }),
    ),
    hole: Type.Optional(TimerHole),
  },
  { title: 'Glance' },
)
export type Glance = Static<typeof Glance>
