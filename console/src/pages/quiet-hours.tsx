// Quiet hours: the present state, the week, and what is muted.
import '../on-call/quiet-hours/quiet-hours.css'
import { useState } from 'preact/hooks'
import type { QuietHoursView } from '../../../src/contract/holds.ts'
import { api } from '../api/client.ts'
import { MuteList } from '../mutes/mute-list.tsx'
import { DoNotDisturb } from '../on-call/quiet-hours/do-not-disturb.tsx'
import { windowInWords } from '../on-call/quiet-hours/week.ts'
import { WeekChart } from '../on-call/quiet-hours/week-chart.tsx'
import { QUIET_HOURS, WindowsForm } from '../on-call/quiet-hours/windows-form.tsx'
import { zoneInWords } from '../schedules/pattern.ts'
import { attempt, showToast } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { QUIET_HOURS_TEXTS } from '../texts/quiet-hours.ts'
import { Button } from '../ui/button.tsx'
import { Facts, Page, Waiting } from '../ui/page.tsx'

const words = QUIET_HOURS_TEXTS

// No event tells of the begin and the end of a window.
const REFRESH_MS = 60_000

export function QuietHoursPage() {
  const load = () => api.get<QuietHoursView>(QUIET_HOURS)
  const { value, error, reload } = useLoaded(load, { on: 'quiet_hours.', everyMs: REFRESH_MS })
  return (
    <Page title={TEXTS.nav.quietHours} intro={words.intro}>
      {!value && <Waiting error={error} retry={reload} />}
      {value && <DoNotDisturb hours={value} onChange={reload} />}
      {value && <Week hours={value} onChange={reload} />}
      <MuteList />
    </Page>
  )
}

type WeekProps = { hours: QuietHoursView; onChange: () => Promise<void> }

function Week({ hours, onChange }: WeekProps) {
  const [isEdited, setEdited] = useState(false)
  if (isEdited) {
    const done = async () => {
      await onChange()
      setEdited(false)
    }
    return (
      <section>
        <h2 class="section-title">{words.week}</h2>
        <WindowsForm hours={hours} onDone={done} onCancel={() => setEdited(false)} />
      </section>
    )
  }
  const { windows, timezone, passes, digest } = hours
  if (windows.length === 0) {
    return (
      <section class="card section">
        <h2>{words.week}</h2>
        <p class="muted">{words.none}</p>
        <div>
          <Button look="primary" icon="plus" onClick={() => setEdited(true)}>
            {words.create}
          </Button>
        </div>
      </section>
    )
  }
  return (
    <section class="card section">
      <h2>{words.week}</h2>
      <WeekChart windows={windows} timezone={timezone} />
      <ul class="quiet-list">
        {windows.map((window, index) => (
          <li key={index}>{windowInWords(window)}</li>
        ))}
      </ul>
      <Facts
        rows={[
          [words.zone, zoneInWords(timezone)],
          [words.passes, words.passesChoices[passes]],
          [words.digestTitle, digest ? words.digestOn : words.digestOff],
        ]}
      />
      <div class="card-actions">
        <Button icon="edit" onClick={() => setEdited(true)}>
          {TEXTS.edit}
        </Button>
        <TurnOff hours={hours} onChange={onChange} />
      </div>
    </section>
  )
}

function TurnOff({ hours, onChange }: WeekProps) {
  const { timezone, windows, passes, digest, until } = hours
  const restore = async () => {
    await attempt(async () => {
      await api.put(QUIET_HOURS, { timezone, windows, passes, digest })
      if (until) await api.post(`${QUIET_HOURS}/now`, { until })
    })
    await onChange()
  }
  const remove = async () => {
    if (!(await attempt(() => api.delete(QUIET_HOURS)))) return
    showToast(words.removed, 'plain', { label: TEXTS.undo, run: restore })
    await onChange()
  }
  return (
    <Button look="danger" icon="trash" onClick={remove}>
      {words.remove}
    </Button>
  )
}
