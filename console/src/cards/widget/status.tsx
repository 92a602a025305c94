// Status template: a short text as a chip in the colour of its severity.
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import { CARD_TEXTS } from '../../texts/cards.ts'
import { formatNumber, withUnit } from '../format.ts'
import { Glyph } from '../glyph.tsx'
import type { FaceProps, WidgetFace } from './face.ts'

// Without a circle, because they are drawn in one.
const SYMBOLS = { info: 'info', warning: 'exclamationmark', critical: 'xmark', success: 'checkmark' } as const

const symbolOf = ({ icon, severity }: Pick<WidgetContent, 'icon' | 'severity'>): string =>
  icon ? icon.replace(/\.circle(\.fill)?$/, '') : SYMBOLS[severity || 'info']

function Body({ content: { severity, label, value, unit, icon } }: FaceProps) {
  return (
    <div class="face-status">
      <span class="status-medal">
        <Glyph name={symbolOf({ icon, severity })} />
      </span>
      <span class="card-chip">{label || CARD_TEXTS.severities[severity || 'none']}</span>
      {value !== undefined && <span class="face-note">{withUnit(formatNumber(value), unit)}</span>}
    </div>
  )
}

export const status: WidgetFace = {
  color: '8E8E93',
  Body,
  glance: ({ label, severity, icon }) => ({
    text: label || CARD_TEXTS.severities[severity || 'none'],
    symbol: symbolOf({ icon, severity }),
  }),
  showsLabel: true,
}
