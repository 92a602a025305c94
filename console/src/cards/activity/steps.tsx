// Steps template: one segment per step, with its weight as width and a row for each of its parts.
import type { ActivityContent, ShownActivity } from '../../../../src/domain/screens/activity-content.ts'
import { fractionDone, secondsLeft } from '../../../../src/domain/screens/activity-glance.ts'
import { timeLeft } from '../../../../src/domain/screens/duration.ts'
import { cssColor } from '../color.ts'
import { useViewer } from '../surroundings.ts'
import type { ActivityFace } from './face.ts'

function Body({ activity: { content } }: { activity: ShownActivity }) {
  const viewer = useViewer()
  const { total_steps: total = 0, current_step: current = 0, step_labels = [] } = content
  const label = step_labels[Math.max(current - 1, 0)]
  return (
    <div class="activity-progress">
      <div class="segments-bar" aria-hidden="true">
        {Array.from({ length: total }, (_, index) => (
          <Segment key={index} content={content} index={index} />
        ))}
      </div>
      <div class="activity-ends">
        <span>{[viewer.words.step(current, total), label].filter(Boolean).join(' · ')}</span>
        {content.end_date !== undefined && secondsLeft(content, viewer) > 0 && (
          <span>{timeLeft(viewer, secondsLeft(content, viewer))}</span>
        )}
      </div>
    </div>
  )
}

function Segment({ content, index }: { content: ActivityContent; index: number }) {
  const viewer = useViewer()
  const { current_step: current = 0, step_rows = [], step_weights = [], step_colors = [] } = content
  const isCurrent = index === current - 1
  const within = (isCurrent && content.live_progress && fractionDone(content, viewer)) || 1
  const color = cssColor(step_colors[index])
  return (
    <span
      class={isCurrent ? 'segment-column segment-current' : 'segment-column'}
      style={{ flexGrow: String(step_weights[index] ?? 1), ...(color && { '--tint': color }) }}
    >
      {Array.from({ length: step_rows[index] ?? 1 }, (_, row) => (
        <span key={row} class="track">
          <span style={{ width: index < current ? `${within * 100}%` : '0' }} />
        </span>
      ))}
    </span>
  )
}

export const steps: ActivityFace = { Body }
