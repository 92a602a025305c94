// Scheduled and recurring notifications: the list, a new one, and changing one.
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { ScheduleList, ScheduleView } from '../../../src/contract/schedules.ts'
import { allPages, api } from '../api/client.ts'
import { newDraft, PERSONAL } from '../messages/draft.ts'
import { MessageBuilder } from '../messages/message-builder.tsx'
import { ScheduleEditor } from '../messages/schedule-editor.tsx'
import { ScheduleCard } from '../schedules/schedule-card.tsx'
import { LATER } from '../schedules/timing.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { SCHEDULE_TEXTS } from '../texts/schedules.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Segments } from '../ui/field.tsx'
import { CardList, Page } from '../ui/page.tsx'

const HOME = '/app/schedules'
const words = SCHEDULE_TEXTS

type Status = ScheduleView['status']
const STATUSES = Object.entries(words.statuses) as [Status, string][]

export function SchedulesPage() {
  const { path, query, route } = useLocation()
  const [id, mode] = path.slice(HOME.length + 1).split('/')
  const done = () => route(HOME)
  if (id === 'new' && !query.from) {
    return (
      <Page title={words.createTitle} isWide>
        <MessageBuilder initial={newDraft('repeat')} choices={LATER} home={HOME} onDone={done} />
      </Page>
    )
  }
  const edited = id === 'new' ? query.from : mode === 'edit' ? id : undefined
  if (edited) {
    const isCopy = id === 'new'
    return (
      <Page title={isCopy ? words.createTitle : words.editTitle} isWide>
        <ScheduleEditor key={path} id={edited} isCopy={isCopy} home={HOME} onDone={done} />
      </Page>
    )
  }
  return <Schedules />
}

// All pending schedules (the API allows 25), otherwise the latest 100.
async function loadSchedules(status: Status): Promise<Pick<ScheduleList, 'items'>> {
  const path = `${PERSONAL.schedules}?status=${status}&limit=100`
  return status === 'scheduled' ? { items: await allPages<ScheduleView>(path) } : api.get<ScheduleList>(path)
}

function Schedules() {
  const [status, setStatus] = useState<Status>('scheduled')
  const load = () => loadSchedules(status)
  const list = useLoaded(load, { on: 'schedule.', key: status })
  return (
    <Page
      title={TEXTS.nav.schedules}
      intro={words.intro}
      actions={
        <ButtonLink look="primary" icon="plus" href={`${HOME}/new`}>
          {words.create}
        </ButtonLink>
      }
    >
      <Segments label={words.status} value={status} options={STATUSES} onChange={setStatus} />
      <CardList loaded={list} items={list.value?.items} icon="schedule" words={{ none: words.none[status] }}>
        {(schedule) => (
          <ScheduleCard
            key={schedule.id}
            schedule={schedule}
            path={PERSONAL.schedules}
            home={HOME}
            notificationPage={(id) => `/app/n/${id}`}
            onChange={list.reload}
          />
        )}
      </CardList>
    </Page>
  )
}
