// Countdown template: the remaining time, and a snooze button.
import { api } from '../../api/client.ts'
import { attempt } from '../../state/toasts.ts'
import { CARD_TEXTS } from '../../texts/cards.ts'
import { clockDuration, coarseDuration } from '../../ui/duration.ts'
import { now } from '../../ui/time.tsx'
import { fractionOf } from '../format.ts'
import { Glyph } from '../glyph.tsx'
import { Bar, Figure } from '../shapes.tsx'
import type { ActivityContent, ShownActivity } from './content.ts'
import { type ActivityFace, secondsLeft } from './face.ts'
import { mayChange, pathName } from './sharing.ts'

// The server's default snooze length.
const SNOOZE_SECONDS = 300

function Body({ activity }: { activity: ShownActivity }) {
  const { state, content } = activity
  const seconds = secondsLeft(content)
  const snooze = () => attempt(() => api.post(`/activities/${pathName(activity)}/snooze`), CARD_TEXTS.snoozed)
  return (
    <div class="activity-countdown">
      <div class="activity-row">
        {seconds > 0 ? <Figure text={clockDuration(seconds)} /> : <span class="face-note">{CARD_TEXTS.over}</span>}
        {state === 'ongoing' && content.alarm && mayChange(activity) && (
          <button type="button" class="card-button" onClick={snooze}>
            <Glyph name="mdi:alarm-snooze" />
            <span>{CARD_TEXTS.snooze(coarseDuration(content.snooze_seconds ?? SNOOZE_SECONDS))}</span>
          </button>
        )}
      </div>
      {content.start_date !== undefined && <Bar fraction={fractionGone(content)} />}
    </div>
  )
}

const fractionGone = ({ start_date = 0, end_date = 0 }: ActivityContent): number =>
  fractionOf(now.value / 1000, start_date, end_date)

export const countdown: ActivityFace = {
  color: 'orange',
  icon: 'timer',
  Body,
  compact: (content) => ({
    text: clockDuration(secondsLeft(content)),
    ...(content.start_date !== undefined && { fraction: 1 - fractionGone(content) }),
  }),
}
