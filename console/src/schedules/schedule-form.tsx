// Form that schedules a notification, once or by a cron expression in a time zone.
import { useEffect, useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Segments, SelectField, TextField } from '../ui/field.tsx'
import { SendTimes } from './send-times.tsx'

type Draft = { title: string; body: string; when: 'once' | 'repeat'; sendAt: string; cron: string; timezone: string }

const { schedules } = TEXTS
const ZONES = Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')] as const)

const NEW: Draft = {
  title: '',
  body: '',
  when: 'once',
  sendAt: '',
  cron: '0 8 * * 1-5',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
}

export function ScheduleForm({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState(NEW)
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { cron, timezone } = draft
  const debounced = useDebounced(cron, timezone)
  const isComplete = draft.title.trim() && draft.body.trim() && (draft.when === 'once' ? draft.sendAt : cron.trim())
  const save = async () => {
    if (await attempt(() => api.post('/notifications/scheduled', toBody(draft)), schedules.made)) onClose()
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
        <TextField
          label={schedules.title}
          value={draft.title}
          onInput={(title) => change({ title })}
          maxLength={256}
          required
          autoFocus
        />
        <TextField
          label={schedules.body}
          value={draft.body}
          onInput={(body) => change({ body })}
          maxLength={4096}
          required
        />
        <Segments
          label={schedules.when}
          value={draft.when}
          options={[
            ['once', schedules.once],
            ['repeat', schedules.repeat],
          ]}
          onChange={(when) => change({ when })}
        />
        {draft.when === 'once' ? (
          <TextField
            label={schedules.sendAt}
            type="datetime-local"
            value={draft.sendAt}
            onInput={(sendAt) => change({ sendAt })}
          />
        ) : (
          <>
            <div class="form-pair">
              <TextField
                label={schedules.cron}
                hint={schedules.cronHint}
                value={cron}
                onInput={(text) => change({ cron: text })}
                maxLength={128}
                isCode
              />
              <SelectField
                label={schedules.timezone}
                value={timezone}
                options={ZONES}
                onChange={(zone) => change({ timezone: zone })}
              />
            </div>
            <h3 class="form-title">{schedules.next}</h3>
            <SendTimes recurrence={debounced} from="" />
          </>
        )}
        <footer class="dialog-foot">
          <Button onClick={onClose}>{TEXTS.cancel}</Button>
          <Button type="submit" look="primary" disabled={!isComplete}>
            {schedules.create}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

// Debounce: one dry run after the last keystroke.
const DEBOUNCE_MS = 300

function useDebounced(cron: string, timezone: string) {
  const [debounced, setDebounced] = useState({ cron, timezone })
  useEffect(() => {
    const timer = setTimeout(() => setDebounced({ cron, timezone }), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [cron, timezone])
  return debounced
}

function toBody({ title, body, when, sendAt, cron, timezone }: Draft): object {
  const timing = when === 'once' ? { send_at: new Date(sendAt).toISOString() } : { recurrence: { cron, timezone } }
  return { title: title.trim(), body: body.trim(), ...timing }
}
