// Board template: up to four tiles.
import type { ShownActivity, Tile } from '../../../../src/domain/screens/activity-content.ts'
import { cssColor } from '../color.ts'
import { Glyph } from '../glyph.tsx'
import { useSurroundings } from '../surroundings.ts'
import { TrendArrow } from '../widget/value.tsx'
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
  const { press } = useSurroundings()
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
  if (!action || !press) return <span class="tile">{face}</span>
  return (
    <button type="button" class="tile" onClick={() => press.run(action, true)}>
      {face}
    </button>
  )
}

export const board: ActivityFace = { Body }
