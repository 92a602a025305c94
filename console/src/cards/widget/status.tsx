// Status template: a short text as a chip in the colour of its severity.
import { formatNumber, withUnit } from '../../../../src/domain/screens/format.ts'
import { symbolOf } from '../../../../src/domain/screens/widget-glance.ts'
import { Glyph } from '../glyph.tsx'
import { useViewer } from '../surroundings.ts'
import type { FaceProps, WidgetFace } from './face.ts'

function Body({ content: { severity, label, value, unit, icon } }: FaceProps) {
  const viewer = useViewer()
  return (
    <div class="face-status">
      <span class="status-medal">
        <Glyph name={symbolOf({ icon, severity })} />
      </span>
      <span class="card-chip">{label || viewer.words.severities[severity || 'none']}</span>
      {value !== undefined && <span class="face-note">{withUnit(formatNumber(viewer, value), unit)}</span>}
    </div>
  )
}

export const status: WidgetFace = { Body, showsLabel: true }
