// Countdown template: the remaining time.
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import { CARD_TEXTS } from '../../texts/cards.ts'
import { clockDuration, coarseDuration } from '../../ui/duration.ts'
import { Moment, now } from '../../ui/time.tsx'
import { fractionOf } from '../format.ts'
import { Bar, Figure, Ring } from '../shapes.tsx'
import type { FaceProps, WidgetFace } from './face.ts'

function Body({ content, family }: FaceProps) {
  const { end_date, start_date } = content
  const date = end_date && family !== 'small' && (
    <span class="face-note">
      <Moment at={end_date} />
    </span>
  )
  if (family === 'large' && start_date) {
    return (
      <div class="face-dial">
        <Ring fraction={1 - fractionGone(content)} thickness={7}>
          <TimeLeft content={content} />
          {date}
        </Ring>
      </div>
    )
  }
  return (
    <div class="face-countdown">
      <TimeLeft content={content} />
      {start_date && <Bar fraction={fractionGone(content)} />}
      {date}
    </div>
  )
}

function TimeLeft({ content }: { content: WidgetContent }) {
  const seconds = secondsLeft(content)
  if (seconds > 0) return <Figure text={clockDuration(seconds)} />
  return <span class="figure figure-words">{content.expired_text || CARD_TEXTS.over}</span>
}

const secondsLeft = ({ end_date = '' }: WidgetContent): number => Math.ceil((Date.parse(end_date) - now.value) / 1000)

const fractionGone = ({ start_date = '', end_date = '' }: WidgetContent): number =>
  fractionOf(now.value, Date.parse(start_date), Date.parse(end_date))

export const countdown: WidgetFace = {
  color: 'orange',
  Body,
  glance: (content) => {
    const seconds = secondsLeft(content)
    return {
      text: seconds > 0 ? coarseDuration(seconds) : content.expired_text || CARD_TEXTS.over,
      ...(content.start_date && { fraction: 1 - fractionGone(content) }),
    }
  },
}
