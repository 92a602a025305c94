// Icons: the names under which widgets, activities and buttons refer to them.
import { type Static, Type } from 'typebox'

const NAME_PATTERN = '[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}'

export const IconParams = Type.Object({
  file: Type.String({
    pattern: `^${NAME_PATTERN}\\.svg$`,
    description: 'a system symbol such as bolt.fill or an icon-set name such as mdi:home, followed by .svg',
    examples: ['mdi:home.svg'],
  }),
})
export type IconParams = Static<typeof IconParams>

const MOST_NAMES = 100

export const IconQuery = Type.Object({
  names: Type.String({
    pattern: `^${NAME_PATTERN}(?:,${NAME_PATTERN}){0,${MOST_NAMES - 1}}$`,
    description: `1 to ${MOST_NAMES} names, separated by commas`,
    examples: ['mdi:home,bolt.fill'],
  }),
})
export type IconQuery = Static<typeof IconQuery>

export const IconSearchQuery = Type.Object({
  search: Type.Optional(
    Type.String({ maxLength: 64, description: 'words that the names contain; without them, the system symbols' }),
  ),
})

export const IconNames = Type.Object(
  { items: Type.Array(Type.String(), { description: 'The best matches first.' }) },
  { title: 'IconNames', examples: [{ items: ['washer', 'mdi:washing-machine'] }] },
)
