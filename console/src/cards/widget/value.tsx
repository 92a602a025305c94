// Value template: one number.
import { valueText } from '../../../../src/domain/screens/widget-glance.ts'
import { Glyph } from '../glyph.tsx'
import { Figure } from '../shapes.tsx'
import { useViewer } from '../surroundings.ts'
import type { FaceProps, WidgetFace } from './face.ts'
import { Rows } from './rows.tsx'

const ARROWS = { up: 'arrow.up.right', down: 'mdi:arrow-bottom-right', flat: 'arrow.right' } as const

function Body({ content, family }: FaceProps) {
  const { unit, trend, stat_rows = [] } = content
  return (
    <div class="face-value">
      <Figure text={valueText(content, useViewer())} unit={unit}>
        {trend && family !== 'small' && <TrendArrow trend={trend} />}
      </Figure>
      {family === 'large' && <Rows rows={stat_rows.slice(0, 3)} />}
    </div>
  )
}

export function TrendArrow({ trend }: { trend: keyof typeof ARROWS }) {
  const { words } = useViewer()
  return (
    <span class="trend-arrow">
      <Glyph name={ARROWS[trend]} />
      <span class="hidden">{words.trends[trend]}</span>
    </span>
  )
}

export const value: WidgetFace = { Body }
