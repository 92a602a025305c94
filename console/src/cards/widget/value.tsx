// Value template: one number.
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import { CARD_TEXTS } from '../../texts/cards.ts'
import { formatNumber, withUnit } from '../format.ts'
import { Glyph } from '../glyph.tsx'
import { Figure } from '../shapes.tsx'
import type { FaceProps, WidgetFace } from './face.ts'
import { Rows } from './rows.tsx'

const ARROWS = { up: 'arrow.up.right', down: 'mdi:arrow-bottom-right', flat: 'arrow.right' } as const

function Body({ content, family }: FaceProps) {
  const { unit, trend, stat_rows = [] } = content
  return (
    <div class="face-value">
      <Figure text={textOf(content)} unit={unit}>
        {trend && family !== 'small' && <TrendArrow trend={trend} />}
      </Figure>
      {family === 'large' && <Rows rows={stat_rows.slice(0, 3)} />}
    </div>
  )
}

export function TrendArrow({ trend }: { trend: keyof typeof ARROWS }) {
  return (
    <span class="trend-arrow">
      <Glyph name={ARROWS[trend]} />
      <span class="hidden">{CARD_TEXTS.trends[trend]}</span>
    </span>
  )
}

export const textOf = ({ value }: WidgetContent): string => (value === undefined ? '–' : formatNumber(value))

export const value: WidgetFace = {
  color: 'blue',
  Body,
  glance: (content) => ({ text: withUnit(textOf(content), content.unit) }),
}
