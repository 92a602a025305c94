// The wall: all widgets of an account on one screen, in an order and in sizes that the person chose; and links that show it
// without a session.
import { type Static, Type } from 'typebox'
import { closed, OneOf, Slug, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'

export const WALL_SIZES = ['small', 'medium', 'large'] as const
export type WallSize = (typeof WALL_SIZES)[number]

const WallPlace = Type.Object({ slug: Slug, size: OneOf(WALL_SIZES) }, { ...closed, title: 'WallPlace' })
export type WallPlace = Static<typeof WallPlace>

export const Wall = Type.Object(
  {
    items: Type.Array(WallPlace, {
      description: 'Every widget once, in its order. One without a place comes last, in medium size.',
    }),
    shows_clock: Type.Boolean(),
  },
  { title: 'Wall' },
)

export const WallInput = Type.Object(
  {
    items: Type.Array(WallPlace, {
      maxItems: LIMITS.widget.maxPerAccount,
      description: 'Widgets that are not named come after these. A slug without a widget has no effect.',
    }),
    shows_clock: Type.Optional(Type.Boolean({ description: 'Default: as it is.' })),
  },
  { ...closed, title: 'WallInput', examples: [{ items: [{ slug: 'office', size: 'large' }], shows_clock: true }] },
)
export type WallInput = Static<typeof WallInput>

export const WallLinkInput = Type.Object(
  { name: Text(LIMITS.wall.maxLinkNameChars, { minLength: 1, description: 'Where it is shown.' }) },
  { ...closed, title: 'WallLinkInput', examples: [{ name: 'Tablet in the kitchen' }] },
)
export type WallLinkInput = Static<typeof WallLinkInput>

const LINK = {
  id: Type.String(),
  name: Type.Optional(Type.String({ description: 'Absent for a widget token that an operator made.' })),
  created_at: Timestamp,
}
const WallLinkView = Type.Object(LINK, { title: 'WallLink', description: 'Never has the token itself.' })
export type WallLinkView = Static<typeof WallLinkView>

export const NewWallLink = Type.Object(
  {
    ...LINK,
    url: Type.String({
      description: 'Shows the wall to everyone who has it, until it is revoked. No later response repeats it.',
    }),
  },
  { title: 'NewWallLink' },
)

export const WallLinkList = Type.Object({ items: Type.Array(WallLinkView) }, { title: 'WallLinkList' })

export const WallLinkParams = Type.Object({ link_id: Type.String({ description: 'The id of the link.' }) })
