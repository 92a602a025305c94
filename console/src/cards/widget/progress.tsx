// Progress template: the given fraction, or the elapsed part between two dates.
import { formatPercent } from '../../../../src/domain/screens/format.ts'
import { fractionDone } from '../../../../src/domain/screens/widget-glance.ts'
import { Bar, Figure, Ring } from '../shapes.tsx'
import { useViewer } from '../surroundings.ts'
import type { FaceProps, WidgetFace } from './face.ts'
import { Rows } from './rows.tsx'

function Body({ content, family }: FaceProps) {
  const fraction = fractionDone(content, useViewer())
  if (family === 'medium') {
    return (
      <div class="face-progress">
        <Figure text={formatPercent(fraction)} />
        <Bar fraction={fraction} />
      </div>
    )
  }
  return (
    <div class="face-dial">
      <Ring fraction={fraction}>
        <Figure text={formatPercent(fraction)} />
      </Ring>
      {family === 'large' && <Rows rows={(content.stat_rows ?? []).slice(0, 3)} />}
    </div>
  )
}

export const progress: WidgetFace = { Body }
