// Gauge template: a number between two bounds.
import type { ShownActivity } from '../../../../src/domain/screens/activity-content.ts'
import { fractionInBounds, gaugeText } from '../../../../src/domain/screens/activity-glance.ts'
import { formatNumber } from '../../../../src/domain/screens/format.ts'
import { Bar, Figure } from '../shapes.tsx'
import { useViewer } from '../surroundings.ts'
import type { ActivityFace } from './face.ts'

function Body({ activity: { content } }: { activity: ShownActivity }) {
  const viewer = useViewer()
  const { unit, min_value = 0, max_value = 1 } = content
  return (
    <div class="activity-countdown">
      <Figure text={gaugeText(content, viewer)} unit={unit} />
      <div class="activity-progress">
        <Bar fraction={fractionInBounds(content)} />
        <div class="activity-ends">
          <span>{formatNumber(viewer, min_value)}</span>
          <span>{formatNumber(viewer, max_value)}</span>
        </div>
      </div>
    </div>
  )
}

export const gauge: ActivityFace = { Body }
