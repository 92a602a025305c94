// Scheduled and recurring notifications.
import { useState } from 'preact/hooks'
import type { ScheduleList, ScheduleView } from '../../../src/contract/schedule.ts'
import { allPages, api } from '../api/client.ts'
import { ScheduleCard } from '../schedules/schedule-card.tsx'
import { ScheduleForm } from '../schedules/schedule-form.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Segments } from '../ui/field.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'

const { schedules } = TEXTS

type Status = ScheduleView['status']
const PATH = '/notifications/scheduled'
const STATUSES = Object.entries(schedules.statuses) as [Status, string][]

// All pending schedules (the API allows 25), otherwise the latest 100.
async function loadSchedules(status: Status): Promise<Pick<ScheduleList, 'items'>> {
  const path = `${PATH}?status=${status}&limit=100`
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
          <ScheduleCard
            key={schedule.id}
            schedule={schedule}
            path={PATH}
            notificationPage={(id) => `/app/n/${id}`}
            onChange={reload}
          />
        ))}
      </ul>
      {isMaking && <ScheduleForm path={PATH} onClose={() => setMaking(false)} />}
    </Page>
  )
}
