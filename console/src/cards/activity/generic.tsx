// Generic template: a state and a progress bar.
import { CARD_TEXTS } from '../../texts/cards.ts'
import { clockDuration, coarseDuration } from '../../ui/duration.ts'
import { formatPercent } from '../format.ts'
import { Bar } from '../shapes.tsx'
import type { ActivityContent, ShownActivity } from './content.ts'
import { type ActivityFace, fractionDone, secondsLeft } from './face.ts'

function Body({ activity: { content } }: { activity: ShownActivity }) {
  const fraction = fractionDone(content)
  return fraction === undefined ? <TimeLeft content={content} /> : <Progress content={content} fraction={fraction} />
}

export function Progress({ content, fraction }: { content: ActivityContent; fraction: number }) {
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
  const { end_date, remaining_time } = content
  if (end_date !== undefined && secondsLeft(content) > 0) return <span>{clockDuration(secondsLeft(content))}</span>
  return remaining_time === undefined ? null : <span>{CARD_TEXTS.left(coarseDuration(remaining_time))}</span>
}

export const generic: ActivityFace = {
  color: 'blue',
  icon: 'bolt',
  Body,
  compact: (content) => {
    const fraction = fractionDone(content)
    return fraction === undefined ? { text: content.state ?? '' } : { text: formatPercent(fraction), fraction }
  },
}
