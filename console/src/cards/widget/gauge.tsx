// Gauge template: a number between two bounds.
import { formatNumber } from '../../../../src/domain/screens/format.ts'
import { fractionInBounds, valueText } from '../../../../src/domain/screens/widget-glance.ts'
import { Figure, Gauge } from '../shapes.tsx'
import { useViewer } from '../surroundings.ts'
import type { FaceProps, WidgetFace } from './face.ts'

function Body({ content }: FaceProps) {
  const viewer = useViewer()
  const { unit, min_value = 0, max_value = 1 } = content
  return (
    <div class="face-dial">
      <Gauge fraction={fractionInBounds(content)}>
        <Figure text={valueText(content, viewer)} unit={unit} />
        <span class="dial-ends">
          <span>{formatNumber(viewer, min_value)}</span>
          <span>{formatNumber(viewer, max_value)}</span>
        </span>
      </Gauge>
    </div>
  )
}

export const gauge: WidgetFace = { Body }
