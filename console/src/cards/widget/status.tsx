// Status template: a short text as a chip in the colour of its severity.
import { CARD_TEXTS } from '../../texts-cards.ts'
import { formatNumber, withUnit } from '../format.ts'
import { Glyph } from '../glyph.tsx'
import type { FaceProps, WidgetFace } from './face.ts'

const SYMBOLS = {
  info: 'info.circle',
  warning: 'exclamationmark.triangle',
  critical: 'exclamationmark.octagon',
  success: 'checkmark.circle',
} as const

function Body({ content: { severity, label, value, unit, icon } }: FaceProps) {
  return (
    <div class="face-status">
      <span class="status-medal">
        <Glyph name={icon || SYMBOLS[severity || 'info']} />
      </span>
      <span class="card-chip">{label || CARD_TEXTS.severities[severity || 'none']}</span>
      {value !== undefined && <span class="face-note">{withUnit(formatNumber(value), unit)}</span>}
    </div>
  )
}

export const status: WidgetFace = {
  color: '8E8E93',
  Body,
  glance: ({ label, severity }) => ({ text: label || CARD_TEXTS.severities[severity || 'none'] }),
  showsLabel: true,
}
