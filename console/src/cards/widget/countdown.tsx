// Countdown template: the remaining time.
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import { timeLeft } from '../../../../src/domain/screens/duration.ts'
import { momentOf } from '../../../../src/domain/screens/format.ts'
import { fractionGone, secondsLeft } from '../../../../src/domain/screens/widget-glance.ts'
import { Bar, Figure, Ring, ticks } from '../shapes.tsx'
import { useViewer } from '../surroundings.ts'
import type { FaceProps, WidgetFace } from './face.ts'

function Body({ content, family }: FaceProps) {
  const viewer = useViewer()
  const { end_date, start_date } = content
  const date = end_date && family !== 'small' && (
    <span class="face-note">
      <time dateTime={end_date}>{momentOf(viewer, Date.parse(end_date))}</time>
    </span>
  )
  if (family === 'large' && start_date) {
    return (
      <div class="face-dial">
        <Ring fraction={1 - fractionGone(content, viewer)} thickness={7}>
          <TimeLeft content={content} align="center" />
          {date}
        </Ring>
      </div>
    )
  }
  return (
    <div class="face-countdown">
      <TimeLeft content={content} align="start" />
      {start_date && <Bar fraction={fractionGone(content, viewer)} />}
      {date}
    </div>
  )
}

function TimeLeft({ content, align }: { content: WidgetContent; align: 'start' | 'center' }) {
  const viewer = useViewer()
  const seconds = secondsLeft(content, viewer)
  const ends = Date.parse(content.end_date ?? '')
  if (seconds > 0) return <Figure text={timeLeft(viewer, seconds)} marks={ticks(ends, 1, align)} />
  return <span class="figure figure-words">{content.expired_text || viewer.words.over}</span>
}

export const countdown: WidgetFace = { Body }
