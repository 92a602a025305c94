// Up to four tiles side by side.
import { Type } from 'typebox'
import { NonBlankText, OneOf, Text } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { actionViolations } from '../../action-rules.ts'
import { colorViolations } from '../../color.ts'
import { Action, Color, Icon } from './common.ts'
import { at } from './content.ts'
import { defineTemplate, type FieldsOf, type Reduction } from './template.ts'

const Tile = Type.Object({
  label: NonBlankText(LIMITS.activity.maxTileLabelChars),
  value: Text(LIMITS.activity.maxTileValueChars, { minLength: 1 }),
  unit: Type.Optional(Text(LIMITS.activity.maxTileUnitChars)),
  icon: Type.Optional(Icon),
  color: Type.Optional(Color),
  trend: Type.Optional(OneOf(['up', 'down', 'flat'])),
  url_action: Type.Optional(Action),
})

const FIELDS = { tiles: Type.Optional(Type.Array(Tile, { minItems: 1, maxItems: LIMITS.activity.maxTiles })) }
type Board = FieldsOf<typeof FIELDS>
type Tile = NonNullable<Board['tiles']>[number]

export const board = defineTemplate(FIELDS, {
  required: ['tiles'],
  rules: ({ tiles = [] }) =>
    tiles.flatMap(({ color, url_action }, index) => [
      ...colorViolations(at(`tiles[${index}].color`), color),
      ...(url_action ? actionViolations(at(`tiles[${index}].url_action`), url_action) : []),
    ]),
  reductions: [
    withTiles(({ url_action: _, ...tile }) => tile),
    withTiles(({ icon: _, ...tile }) => tile),
    withTiles(({ label, value }) => ({ label, value })),
  ],
})

function withTiles(reduce: (tile: Tile) => Tile): Reduction<Board> {
  return { member: 'tiles', reduce: (content) => ({ ...content, tiles: content.tiles?.map(reduce) }) }
}
