// Asks how long a notification is snoozed, or how long its source, its thread or its key is muted.
import { useState } from 'preact/hooks'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import { nameOfKey } from '../inbox/sender.ts'
import { snooze } from '../inbox/triage.ts'
import { attempt } from '../state/toasts.ts'
import { QUIET_TEXTS } from '../texts/quiet.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { shortMoment } from '../ui/time.tsx'
import { endMute, isSameTarget, kindOf, type MuteTarget, mute, useMutes } from './mutes.ts'
import { inHours, snoozeTimes } from './times.ts'
import { UntilField } from './until-field.tsx'

type QuietDialogProps = {
  notification: NotificationView
  onClose: () => void
  onSnoozed?: () => void
}

export function QuietDialog({ notification, onClose, onSnoozed }: QuietDialogProps) {
  const { id, receipt, source, source_display_name, thread_id, key_id, org_id } = notification
  const snoozeUntil = async (until: Date) => {
    if (!(await snooze([id], until))) return
    onClose()
    onSnoozed?.()
  }
  return (
    <Dialog title={QUIET_TEXTS.title} onClose={onClose}>
      <section class="quiet">
        <h3>{QUIET_TEXTS.snooze}</h3>
        {receipt?.status === 'active' ? (
          <p class="muted">{QUIET_TEXTS.rings}</p>
        ) : (
          <div class="quiet-choices">
            {snoozeTimes(new Date()).map(([choice, until], index) => (
              <Button key={choice} autoFocus={index === 0} onClick={() => snoozeUntil(until)}>
                {QUIET_TEXTS.snoozeChoices[choice]}
                <span class="muted">{shortMoment(until.toISOString())}</span>
              </Button>
            ))}
          </div>
        )}
      </section>
      {source && <MuteChoices target={{ source }} name={source_display_name ?? source} onClose={onClose} />}
      {thread_id && <MuteChoices target={{ thread_id }} name={thread_id} onClose={onClose} />}
      {/* The keys of an organization are not the person's. */}
      {key_id && !org_id && <MuteChoices target={{ key_id }} name={nameOfKey(key_id)} onClose={onClose} />}
      <p class="muted">{QUIET_TEXTS.muteText}</p>
    </Dialog>
  )
}

const HOURS = Object.keys(QUIET_TEXTS.muteChoices).map(Number) as (keyof typeof QUIET_TEXTS.muteChoices)[]

type MuteChoicesProps = { target: MuteTarget; name: string; onClose: () => void }

function MuteChoices({ target, name, onClose }: MuteChoicesProps) {
  const { value: mutes } = useMutes()
  const [isChoosing, setChoosing] = useState(false)
  const current = mutes?.find((one) => isSameTarget(one, target))
  const set = async (until: Date) => {
    const done = QUIET_TEXTS.muted(name, shortMoment(until.toISOString()))
    if (await attempt(() => mute(target, until), done)) onClose()
  }
  return (
    <section class="quiet">
      <h3 dir="auto">{QUIET_TEXTS.muteTitle[kindOf(target)](name)}</h3>
      {current && (
        <p>
          {QUIET_TEXTS.mutedUntil(shortMoment(current.until))}{' '}
          <Button size="small" onClick={() => attempt(() => endMute(current.id), QUIET_TEXTS.ended)}>
            {QUIET_TEXTS.end}
          </Button>
        </p>
      )}
      <div class="quiet-choices">
        {HOURS.map((hours) => (
          <Button
            key={hours}
            size="small"
            label={QUIET_TEXTS.muteFor(name, hours)}
            onClick={() => set(inHours(new Date(), hours))}
          >
            {QUIET_TEXTS.muteChoices[hours]}
          </Button>
        ))}
        <Button
          size="small"
          label={QUIET_TEXTS.muteUntilTime(name)}
          pressed={isChoosing}
          onClick={() => setChoosing(!isChoosing)}
        >
          {QUIET_TEXTS.untilTime}
        </Button>
      </div>
      {isChoosing && <UntilField submit={QUIET_TEXTS.mute} onChoose={set} />}
    </section>
  )
}
