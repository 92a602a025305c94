// Scheduled and recurring notifications.
import { useState } from 'preact/hooks'
import type { ScheduleList, ScheduleView } from '../../../src/contract/schedule.ts'
import { allPages, api } from '../api/client.ts'
import { ScheduleForm } from '../schedules/schedule-form.tsx'
import { SendTimes } from '../schedules/send-times.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Segments } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Ago, Moment } from '../ui/time.tsx'

const { schedules } = TEXTS

type Status = ScheduleView['status']
const STATUSES = Object.entries(schedules.statuses) as [Status, string][]

// All pending schedules (the API allows 25), otherwise the latest 100.
async function loadSchedules(status: Status): Promise<Pick<ScheduleList, 'items'>> {
  const path = `/notifications/scheduled?status=${status}&limit=100`
  return status === 'scheduled' ? { items: await allPages<ScheduleView>(path) } : api.get<ScheduleList>(path)
}

export function SchedulesPage() {
  const [status, setStatus] = useState<Status>('scheduled')
  const [isMaking, setMaking] = useState(false)
  const load = () => loadSchedules(status)
  const { value, error, reload } = useLoaded(load, { on: 'schedule.', key: status })
  return (
    <Page
      title={TEXTS.nav.schedules}
      intro={schedules.intro}
      actions={
        <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
          {schedules.create}
        </Button>
      }
    >
      <Segments label={schedules.status} value={status} options={STATUSES} onChange={setStatus} />
      {!value && <Waiting error={error} retry={reload} />}
      {value?.items.length === 0 && <Empty icon="schedule" title={schedules.none[status]} />}
      <ul class="cards">
        {value?.items.map((schedule) => (
          <ScheduleCard key={schedule.id} schedule={schedule} onChange={reload} />
        ))}
      </ul>
      {isMaking && <ScheduleForm onClose={() => setMaking(false)} />}
    </Page>
  )
}

function ScheduleCard({ schedule, onChange }: { schedule: ScheduleView; onChange: () => Promise<void> }) {
  const { id, title, body, status, recurrence, send_at, notification_id } = schedule
  const [isCanceling, setCanceling] = useState(false)
  const cancel = async () => {
    await api.delete(`/notifications/scheduled/${id}`)
    await onChange()
  }
  return (
    <li class="card schedule-card">
      <div class="card-head">
        <h2>{title ?? schedules.encrypted}</h2>
        {recurrence && <span class="tag">{schedules.series}</span>}
      </div>
      {body && <p class="card-text">{body}</p>}
      <p class="muted card-facts">
        <WhenLine schedule={schedule} />
      </p>
      {recurrence && (
        <p class="muted card-facts">
          <code>{recurrence.cron}</code> {recurrence.timezone}
          {schedule.occurrence !== undefined && ` · ${schedules.occurrences(schedule.occurrence, recurrence.count)}`}
        </p>
      )}
      {recurrence && status === 'scheduled' && (
        <details class="steps">
          <summary>{schedules.next}</summary>
          <SendTimes recurrence={recurrence} from={send_at} />
        </details>
      )}
      <div class="card-actions">
        {notification_id !== undefined && (
          <a class="button button-plain button-small" href={`/app/n/${notification_id}`}>
            {schedules.open}
          </a>
        )}
        <Button size="small" look="danger" icon="trash" onClick={() => setCanceling(true)}>
          {status === 'scheduled' ? schedules.cancel : schedules.remove}
        </Button>
      </div>
      {isCanceling && (
        <Confirm
          title={status === 'scheduled' ? schedules.cancelTitle : schedules.removeTitle}
          confirm={status === 'scheduled' ? schedules.cancel : schedules.remove}
          work={cancel}
          onClose={() => setCanceling(false)}
        >
          {title}
        </Confirm>
      )}
    </li>
  )
}

function WhenLine({ schedule }: { schedule: ScheduleView }) {
  const { status, send_at, sent_at, canceled_at, failure_reason, delivery } = schedule
  switch (status) {
    case 'scheduled':
      return (
        <>
          <Icon name="clock" size={16} /> <Moment at={send_at} /> (<Ago at={send_at} />)
        </>
      )
    case 'sent':
      return (
        <>
          {schedules.sent} <Moment at={sent_at ?? send_at} />
          {delivery && ` · ${schedules.deliveries[delivery]}`}
        </>
      )
    case 'failed':
      return <span class="bad">{schedules.failures[failure_reason ?? 'internal_error']}</span>
    case 'canceled':
      return (
        <>
          {schedules.canceled} <Moment at={canceled_at ?? send_at} />
        </>
      )
  }
}
