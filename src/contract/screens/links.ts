// Screen links: addresses that show chosen widgets and activities to everybody who has them.
import { type Static, Type } from 'typebox'
import { closed, Nullable, OneOf, SLUG_PATTERN, Text, Timestamp } from '../fields.ts'
import { TimeOfDay } from '../holds.ts'
import { LIMITS } from '../limits.ts'
import { viewer } from './texts.ts'

export const LINK_THEMES = ['light', 'dark', 'paper', 'auto'] as const
const TAPS = ['none', 'open'] as const

export const SCREEN_KINDS = ['link', 'trmnl'] as const

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

const Night = Type.Object(
  { from: TimeOfDay, to: TimeOfDay },
  {
    ...closed,
    title: 'DisplayNight',
    description: 'When the display sleeps, by the clock of `time_zone`, else of UTC.',
  },
)
const Every = Type.Integer({
  minimum: LIMITS.display.everySeconds.min,
  maximum: LIMITS.display.everySeconds.max,
  description: `The longest time between two calls of the display by day, in seconds; ${LIMITS.display.everySeconds.usual} by default.`,
})
// Only of kind trmnl, which has no others but name, lang and time_zone.
const OfDisplay = {
  shows: Type.Optional(
    Type.Object(
      {
        wall: Type.Optional(Type.Literal(true)),
        widgets: Type.Optional(
          Type.Array(Type.String({ pattern: SLUG_PATTERN }), {
            minItems: 1,
            maxItems: LIMITS.display.maxWidgets,
            uniqueItems: true,
          }),
        ),
      },
      {
        ...closed,
        title: 'DisplayContent',
        description: 'What a display shows: `{"wall": true}`, or the slugs of widgets, in their order.',
      },
    ),
  ),
  every: Type.Optional(Every),
  night: Type.Optional(Nullable(Night)),
}

const EXAMPLE = { widgets: ['office-*'], activities: ['deploy'], theme: 'dark', time_zone: 'Europe/Berlin' }

export const ScreenInput = Type.Object(
  {
    kind: Type.Optional(OneOf(SCREEN_KINDS, 'trmnl is a display with the firmware of TRMNL; link by default')),
    name: Name,
    ...Shows,
    ...Defaults,
    ...OfDisplay,
  },
  {
    ...closed,
    title: 'ScreenInput',
    description:
      'At least one thing to show. Of kind trmnl: `name`, `shows`, `every`, `night`, `lang` and `time_zone`.',
    examples: [
      { name: 'Kitchen', ...EXAMPLE },
      {
        kind: 'trmnl',
        name: 'Hall',
        shows: { widgets: ['office'] },
        every: 900,
        night: { from: '23:00', to: '06:30' },
      },
    ],
  },
)
export type ScreenInput = Static<typeof ScreenInput>

export const ScreenPatch = Type.Object(
  { name: Type.Optional(Name), ...Shows, ...Defaults, ...OfDisplay },
  { ...closed, title: 'ScreenPatch', examples: [EXAMPLE] },
)
export type ScreenPatch = Static<typeof ScreenPatch>

const MEMBERS = {
  id: Type.String(),
  kind: OneOf(SCREEN_KINDS),
  name: Type.String(),
  widgets: Type.Array(Type.String()),
  activities: Type.Array(Type.String()),
  wall: Type.Boolean(),
  theme: Type.Optional(OneOf(LINK_THEMES)),
  lang: Type.Optional(Type.String()),
  time_zone: Type.Optional(Type.String()),
  taps: OneOf(TAPS),
  expires_at: Type.Optional(Timestamp),
  every: Type.Optional(Every),
  night: Type.Optional(Night),
  device: Type.Optional(
    Type.Object(
      {
        called_at: Timestamp,
        battery_volts: Type.Optional(Type.Number()),
        signal_dbm: Type.Optional(Type.Number()),
        firmware: Type.Optional(Type.String()),
        model: Type.Optional(Type.String()),
        log: Type.Array(Type.String(), { description: 'Its last lines, the newest last.' }),
      },
      { title: 'DisplayDevice', description: 'What a display said of itself when it called last.' },
    ),
  ),
  pairing_asked_at: Type.Optional(Timestamp),
  last_used_at: Type.Optional(Timestamp),
  created_at: Timestamp,
}

export const ScreenView = Type.Object(MEMBERS, {
  title: 'Screen',
  description:
    '`last_used_at` is precise to ten minutes. `pairing_asked_at`: when the display last asked to register again, which it may after `POST /screens/{screen_id}/pair`.',
})
export type ScreenView = Static<typeof ScreenView>

export const ScreenWithToken = Type.Object(
  {
    ...MEMBERS,
    token: Type.Optional(Type.String({ description: 'Of a link. No later response repeats it.', examples: ['hls_…'] })),
    url: Type.Optional(Type.String({ description: 'Every address of the link begins with it.' })),
    server_url: Type.Optional(
      Type.String({
        description: `Of a display: the address to be typed into its portal. It registers one display within ${LIMITS.display.registrationSeconds / 60} minutes. No later response repeats it.`,
      }),
    ),
  },
  { title: 'ScreenWithToken' },
)
export type ScreenWithToken = Static<typeof ScreenWithToken>

export const ScreenParams = Type.Object({ screen_id: Type.String({ description: 'The id of the screen link.' }) })
export const LinkParams = Type.Object({ token: Type.String({ description: 'The token of a screen link (`hls_…`).' }) })
