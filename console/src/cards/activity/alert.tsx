// Alert template: what is wrong, how severe it is and since when.
import type { ShownActivity } from '../../../../src/domain/screens/activity-content.ts'
import { timePassed } from '../../../../src/domain/screens/duration.ts'
import { useViewer } from '../surroundings.ts'
import type { ActivityFace } from './face.ts'

function Body({ activity: { content } }: { activity: ShownActivity }) {
  const viewer = useViewer()
  const { severity = 'info', severity_label, fired_at } = content
  return (
    <div class="activity-row">
      <span class="alert-severity">
        <span class="dot-tint" />
        {severity_label || viewer.words.severities[severity]}
      </span>
      {fired_at !== undefined && (
        <span class="face-note">{viewer.words.ago(timePassed(viewer, viewer.now / 1000 - fired_at, 'coarse'))}</span>
      )}
    </div>
  )
}

export const alert: ActivityFace = { Body }
