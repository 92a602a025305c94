// Generic template: a state and a progress bar.
import type { ActivityContent, ShownActivity } from '../../../../src/domain/screens/activity-content.ts'
import { fractionDone, secondsLeft } from '../../../../src/domain/screens/activity-glance.ts'
import { coarseDuration, timeLeft } from '../../../../src/domain/screens/duration.ts'
import { formatPercent } from '../../../../src/domain/screens/format.ts'
import { Bar } from '../shapes.tsx'
import { useViewer } from '../surroundings.ts'
import type { ActivityFace } from './face.ts'

function Body({ activity: { content } }: { activity: ShownActivity }) {
  const fraction = fractionDone(content, useViewer())
  if (fraction === undefined) return <TimeLeft content={content} />
  return (
    <div class="activity-progress">
      <Bar fraction={fraction} />
      <div class="activity-ends">
        <span>{formatPercent(fraction)}</span>
        <TimeLeft content={content} />
      </div>
    </div>
  )
}

function TimeLeft({ content }: { content: ActivityContent }) {
  const viewer = useViewer()
  const { end_date, remaining_time } = content
  const seconds = secondsLeft(content, viewer)
  if (end_date !== undefined && seconds > 0) return <span>{timeLeft(viewer, seconds)}</span>
  return remaining_time === undefined ? null : <span>{viewer.words.left(coarseDuration(remaining_time))}</span>
}

export const generic: ActivityFace = { Body }
