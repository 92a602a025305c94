// Steps template: one segment per step, with its weight as width and a row for each of its parts.
import { CARD_TEXTS } from '../../texts/cards.ts'
import { clockDuration } from '../../ui/duration.ts'
import { cssColor } from '../color.ts'
import type { ActivityContent, ShownActivity } from './content.ts'
import { type ActivityFace, fractionDone, secondsLeft } from './face.ts'

function Body({ activity: { content } }: { activity: ShownActivity }) {
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
        <span>{[CARD_TEXTS.step(current, total), label].filter(Boolean).join(' · ')}</span>
        {content.end_date !== undefined && secondsLeft(content) > 0 && (
          <span>{clockDuration(secondsLeft(content))}</span>
        )}
      </div>
    </div>
  )
}

function Segment({ content, index }: { content: ActivityContent; index: number }) {
  const { current_step: current = 0, step_rows = [], step_weights = [], step_colors = [] } = content
  const isCurrent = index === current - 1
  const within = (isCurrent && content.live_progress && fractionDone(content)) || 1
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

export const steps: ActivityFace = {
  color: 'green',
  icon: 'checklist',
  Body,
  compact: ({ current_step: current = 0, total_steps: total = 1 }) => ({
    text: `${current}/${total}`,
    fraction: current / total,
  }),
}
