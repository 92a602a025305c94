// Form that schedules a notification, once or by a cron expression in a time zone.
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { hasMessage, type MessageDraft, MessageFields, toMessage } from './message-fields.tsx'
import { isTimingComplete, newTiming, type Timing, toTimingInput, type When } from './timing.ts'
import { TimingFields } from './timing-fields.tsx'

type Draft = MessageDraft & { timing: Timing }

const { schedules } = TEXTS
const CHOICES: When[] = ['once', 'repeat']

type ScheduleFormProps = { path: string; onClose: () => void }

export function ScheduleForm({ path, onClose }: ScheduleFormProps) {
  const [draft, setDraft] = useState<Draft>(() => ({ title: '', body: '', timing: newTiming('once') }))
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { timing } = draft
  const save = async () => {
    const input = { ...toMessage(draft), ...toTimingInput(timing) }
    if (await attempt(() => api.post(path, input), schedules.made)) onClose()
  }
  return (
    <Dialog title={schedules.createTitle} onClose={onClose} isWide>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <MessageFields draft={draft} onChange={change} />
        <TimingFields timing={timing} choices={CHOICES} path={path} onChange={(chosen) => change({ timing: chosen })} />
        <footer class="dialog-foot">
          <Button onClick={onClose}>{TEXTS.cancel}</Button>
          <Button type="submit" look="primary" disabled={!hasMessage(draft) || !isTimingComplete(timing)}>
            {schedules.create}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
