// Board template: up to four tiles.
import { runAction } from '../action-buttons.tsx'
import { cssColor } from '../color.ts'
import { withUnit } from '../format.ts'
import { Glyph } from '../glyph.tsx'
import { TrendArrow } from '../widget/value.tsx'
import type { ShownActivity, Tile } from './content.ts'
import type { ActivityFace } from './face.ts'

function Body({ activity: { content } }: { activity: ShownActivity }) {
  const { tiles = [] } = content
  return (
    <ul class="tiles" data-count={tiles.length}>
      {tiles.map((tile) => (
        <li key={tile.label} style={cssColor(tile.color) ? { '--tint': cssColor(tile.color) ?? '' } : {}}>
          <TileFace tile={tile} />
        </li>
      ))}
    </ul>
  )
}

function TileFace({ tile }: { tile: Tile }) {
  const { url_action: action } = tile
  const face = (
    <>
      <span class="tile-label">
        {tile.icon && <Glyph name={tile.icon} />}
        <span>{tile.label}</span>
      </span>
      <span class="tile-value">
        {tile.value}
        {tile.unit && <small>{tile.unit}</small>}
        {tile.trend && <TrendArrow trend={tile.trend} />}
      </span>
    </>
  )
  if (!action) return <span class="tile">{face}</span>
  return (
    <button type="button" class="tile" onClick={() => runAction(action, true)}>
      {face}
    </button>
  )
}

export const board: ActivityFace = {
  color: 'indigo',
  icon: 'mdi:view-dashboard',
  Body,
  compact: ({ tiles: [first] = [] }) => ({ text: first ? withUnit(first.value, first.unit) : '' }),
}
