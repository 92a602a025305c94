// Countdown template: the remaining time, and a snooze button.
import type { ShownActivity } from '../../../../src/domain/screens/activity-content.ts'
import { fractionGone, secondsLeft } from '../../../../src/domain/screens/activity-glance.ts'
import { coarseDuration, timeLeft } from '../../../../src/domain/screens/duration.ts'
import { Glyph } from '../glyph.tsx'
import { Bar, Figure, ticks } from '../shapes.tsx'
import { useSurroundings, useViewer } from '../surroundings.ts'
import type { ActivityFace } from './face.ts'
import { mayChange } from './sharing.ts'

// The server's default snooze length.
const SNOOZE_SECONDS = 300

function Body({ activity }: { activity: ShownActivity }) {
  const { state, content } = activity
  const viewer = useViewer()
  const { press } = useSurroundings()
  const seconds = secondsLeft(content, viewer)
  const marks = ticks((content.end_date ?? 0) * 1000, 1)
  return (
    <div class="activity-countdown">
      <div class="activity-row">
        {seconds > 0 ? (
          <Figure text={timeLeft(viewer, seconds)} marks={marks} />
        ) : (
          <span class="face-note">{viewer.words.over}</span>
        )}
        {press && state === 'ongoing' && content.alarm && mayChange(activity) && (
          <button type="button" class="card-button" onClick={() => press.snooze(activity)}>
            <Glyph name="mdi:alarm-snooze" />
            <span>{viewer.words.snooze(coarseDuration(content.snooze_seconds ?? SNOOZE_SECONDS))}</span>
          </button>
        )}
      </div>
      {content.start_date !== undefined && <Bar fraction={fractionGone(content, viewer)} />}
    </div>
  )
}

export const countdown: ActivityFace = { Body }
