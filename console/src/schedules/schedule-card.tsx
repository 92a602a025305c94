// One scheduled or recurring notification: when it is or was sent, and canceling it.
import { useState } from 'preact/hooks'
import type { ScheduleView } from '../../../src/contract/schedule.ts'
import { api } from '../api/client.ts'
import { TEXTS } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Ago, Moment } from '../ui/time.tsx'
import { SendTimes } from './send-times.tsx'

const { schedules } = TEXTS

type ScheduleCardProps = {
  schedule: ScheduleView
  // Collection of the API that the schedule is in.
  path: string
  // Page of a notification that was sent; left out where there is none.
  notificationPage?: (id: number) => string
  // What else is to be said about it.
  facts?: string
  onChange: () => Promise<void>
}

export function ScheduleCard({ schedule, path, notificationPage, facts, onChange }: ScheduleCardProps) {
  const { id, title, body, status, recurrence, send_at, notification_id } = schedule
  const [isCanceling, setCanceling] = useState(false)
  const cancel = async () => {
    await api.delete(`${path}/${id}`)
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
        {facts && ` · ${facts}`}
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
          <SendTimes recurrence={recurrence} from={send_at} path={path} />
        </details>
      )}
      <div class="card-actions">
        {notificationPage && notification_id !== undefined && (
          <a class="button button-plain button-small" href={notificationPage(notification_id)}>
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
