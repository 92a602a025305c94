// Screen links: addresses that show chosen widgets and activities to everybody who has them.
import { type Static, Type } from 'typebox'
import { closed, Nullable, OneOf, SLUG_PATTERN, Text, Timestamp } from '../fields.ts'
import { LIMITS } from '../limits.ts'
import { viewer } from './texts.ts'

export const LINK_THEMES = ['light', 'dark', 'paper', 'auto'] as const
const TAPS = ['none', 'open'] as const

const Slugs = (things: string) =>
  Type.Array(
    Type.String({
      pattern: `^\\*$|${SLUG_PATTERN.replace('$', '\\*?$')}`,
      description: 'a slug, or a prefix with a trailing *',
    }),
    {
      maxItems: LIMITS.screen.maxSlugsOfLink,
      description: `The ${things} that the link shows: slugs, or prefixes with a trailing *.`,
    },
  )

const Name = Text(LIMITS.name.maxChars, { minLength: 1 })
const Shows = {
  widgets: Type.Optional(Slugs('widgets')),
  activities: Type.Optional(Slugs('activities')),
  wall: Type.Optional(Type.Boolean({ description: 'Whether the link shows the wall, with all its widgets.' })),
}
const Defaults = {
  theme: Type.Optional(Nullable(OneOf(LINK_THEMES, 'of pictures whose address has no theme'))),
  lang: Type.Optional(Nullable(viewer.lang)),
  time_zone: Type.Optional(Nullable(viewer.tz)),
  taps: Type.Optional(OneOf(TAPS, 'whether a glance has the address that a tap opens; none by default')),
  expires_at: Type.Optional(Nullable(Timestamp)),
}

const EXAMPLE = { widgets: ['office-*'], activities: ['deploy'], theme: 'dark', time_zone: 'Europe/Berlin' }

export const ScreenInput = Type.Object(
  { name: Name, ...Shows, ...Defaults },
  {
    ...closed,
    title: 'ScreenInput',
    description: 'At least one thing to show.',
    examples: [{ name: 'Kitchen', ...EXAMPLE }],
  },
)
export type ScreenInput = Static<typeof ScreenInput>

export const ScreenPatch = Type.Object(
  { name: Type.Optional(Name), ...Shows, ...Defaults },
  { ...closed, title: 'ScreenPatch', examples: [EXAMPLE] },
)
export type ScreenPatch = Static<typeof ScreenPatch>

const MEMBERS = {
  id: Type.String(),
  name: Type.String(),
  widgets: Type.Array(Type.String()),
  activities: Type.Array(Type.String()),
  wall: Type.Boolean(),
  theme: Type.Optional(OneOf(LINK_THEMES)),
  lang: Type.Optional(Type.String()),
  time_zone: Type.Optional(Type.String()),
  taps: OneOf(TAPS),
  expires_at: Type.Optional(Timestamp),
  last_used_at: Type.Optional(Timestamp),
  created_at: Timestamp,
}

export const ScreenView = Type.Object(MEMBERS, {
  title: 'Screen',
  description: '`last_used_at` is precise to ten minutes.',
})
export type ScreenView = Static<typeof ScreenView>

export const ScreenWithToken = Type.Object(
  {
    ...MEMBERS,
    token: Type.String({ description: 'No later response repeats it.', examples: ['hls_…'] }),
    url: Type.String({ description: 'Every address of the link begins with it.' }),
  },
  { title: 'ScreenWithToken' },
)
export type ScreenWithToken = Static<typeof ScreenWithToken>

export const ScreenParams = Type.Object({ screen_id: Type.String({ description: 'The id of the screen link.' }) })
export const LinkParams = Type.Object({ token: Type.String({ description: 'The token of a screen link (`hls_…`).' }) })
