// Alert template: what is wrong, how severe it is and since when.
import { CARD_TEXTS } from '../../texts/cards.ts'
import { coarseDuration } from '../../ui/duration.ts'
import { now } from '../../ui/time.tsx'
import type { ShownActivity } from './content.ts'
import type { ActivityFace } from './face.ts'

function Body({ activity: { content } }: { activity: ShownActivity }) {
  const { severity = 'info', severity_label, fired_at } = content
  return (
    <div class="activity-row">
      <span class="alert-severity">
        <span class="dot-tint" />
        {severity_label || CARD_TEXTS.severities[severity]}
      </span>
      {fired_at !== undefined && (
        <span class="face-note">{CARD_TEXTS.ago(coarseDuration(now.value / 1000 - fired_at))}</span>
      )}
    </div>
  )
}

export const alert: ActivityFace = {
  color: 'red',
  icon: 'exclamationmark.triangle',
  Body,
  compact: ({ severity = 'info', severity_label }) => ({ text: severity_label || CARD_TEXTS.severities[severity] }),
}
