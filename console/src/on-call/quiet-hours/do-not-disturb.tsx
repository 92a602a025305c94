// "Do not disturb until…": quiet from now on, once, besides the weekly windows.
import { useState } from 'preact/hooks'
import type { QuietHoursView } from '../../../../src/contract/holds.ts'
import { snoozeTimes } from '../../mutes/times.ts'
import { UntilField } from '../../mutes/until-field.tsx'
import { attempt } from '../../state/toasts.ts'
import { QUIET_TEXTS } from '../../texts/quiet.ts'
import { QUIET_HOURS_TEXTS } from '../../texts/quiet-hours.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { shortMoment } from '../../ui/time.tsx'
import { beQuietUntil, endQuiet } from './now.ts'

const words = QUIET_HOURS_TEXTS

type DoNotDisturbProps = { hours: QuietHoursView; onChange: () => Promise<void> }

export function DoNotDisturb({ hours: { until, quiet_until }, onChange }: DoNotDisturbProps) {
  const [isChoosing, setChoosing] = useState(false)
  const set = async (at: Date) => {
    if (!(await beQuietUntil(at))) return
    setChoosing(false)
    await onChange()
  }
  const end = async () => {
    if (await attempt(endQuiet, words.ended)) await onChange()
  }
  return (
    <section class="card section quiet-now">
      <h2>{words.now}</h2>
      <p class="note" role="status">
        <Icon name={quiet_until ? 'mute' : 'bell'} size={18} />
        <span>{quiet_until ? words.quietUntil(shortMoment(quiet_until)) : words.notQuietNow}</span>
        {until && (
          <Button size="small" onClick={end}>
            {words.end}
          </Button>
        )}
      </p>
      <h3 class="form-title">{words.until}</h3>
      <div class="quiet-choices">
        {snoozeTimes(new Date()).map(([choice, at]) => (
          <Button key={choice} onClick={() => set(at)}>
            {QUIET_TEXTS.snoozeChoices[choice]}
            <span class="muted">{shortMoment(at.toISOString())}</span>
          </Button>
        ))}
        <Button pressed={isChoosing} onClick={() => setChoosing(!isChoosing)}>
          {QUIET_TEXTS.untilTime}
        </Button>
      </div>
      {isChoosing && <UntilField submit={words.set} onChoose={set} />}
    </section>
  )
}
