// One scheduled or recurring notification: when it is or was sent, and what can be done with it.
import { useState } from 'preact/hooks'
import type { ScheduleView } from '../../../src/contract/schedules.ts'
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { SCHEDULE_TEXTS } from '../texts/schedules.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Ago, Moment, shortMoment } from '../ui/time.tsx'
import { patternOf, zoneInWords } from './pattern.ts'
import { SendTimes } from './send-times.tsx'

const words = SCHEDULE_TEXTS

export type ScheduleCardProps = {
  schedule: ScheduleView
  // Collection of the API that the schedule is in.
  path: string
  // Page under which it is edited: `{home}/{id}/edit`.
  home: string
  // Page of a notification that was sent; left out where there is none.
  notificationPage?: (id: number) => string
  // What else is to be said about it.
  facts?: string
  onChange: () => Promise<unknown>
}

export function ScheduleCard(props: ScheduleCardProps) {
  const { schedule, path, facts } = props
  const { title, body, status, recurrence, send_at, paused } = schedule
  return (
    <li class="card schedule-card">
      <div class="card-head">
        <h2 dir="auto">{title ?? words.encrypted}</h2>
        {recurrence && <span class="tag">{words.repeats}</span>}
        {paused && <span class="tag tag-warm">{words.paused}</span>}
      </div>
      {body && (
        <p class="card-text" dir="auto">
          {body}
        </p>
      )}
      <p class="muted card-facts">
        <WhenLine schedule={schedule} />
        {facts && ` · ${facts}`}
        {recurrence && schedule.occurrence ? ` · ${words.occurrences(schedule.occurrence, recurrence.count)}` : ''}
      </p>
      {recurrence && status === 'scheduled' && !paused && (
        <details class="steps">
          <summary>{words.next}</summary>
          <SendTimes recurrence={recurrence} from={send_at} path={path} />
        </details>
      )}
      <CardActions {...props} />
    </li>
  )
}

function WhenLine({ schedule }: { schedule: ScheduleView }) {
  const { status, send_at, sent_at, canceled_at, failure_reason, delivery, recurrence, paused } = schedule
  switch (status) {
    case 'scheduled':
      return (
        <>
          <Icon name="clock" size={16} />{' '}
          {recurrence && words.series(patternOf(recurrence.cron), zoneInWords(recurrence.timezone))}
          {recurrence && !paused && '; '}
          {recurrence && !paused && <time dateTime={send_at}>{words.nextHere(shortMoment(send_at))}</time>}
          {!recurrence && (
            <>
              <Moment at={send_at} /> (<Ago at={send_at} />)
            </>
          )}
        </>
      )
    case 'sent':
      return (
        <>
          {words.sent} <Moment at={sent_at ?? send_at} />
          {delivery && ` · ${words.deliveries[delivery]}`}
        </>
      )
    case 'failed':
      return <span class="bad">{words.failures[failure_reason ?? 'internal_error']}</span>
    case 'canceled':
      return (
        <>
          {words.canceled} <Moment at={canceled_at ?? send_at} />
        </>
      )
  }
}

type Question = 'send' | 'cancel'

function CardActions({ schedule, path, home, notificationPage, onChange }: ScheduleCardProps) {
  const { id, title, status, recurrence, notification_id, paused, encrypted } = schedule
  const [question, setQuestion] = useState<Question>()
  const one = `${path}/${id}`
  const isPending = status === 'scheduled'
  const setPaused = async (isPaused: boolean) => {
    await attempt(() => api.patch(one, { paused: isPaused }), isPaused ? words.pausedNow : words.resumedNow)
    await onChange()
  }
  return (
    <div class="card-actions">
      {notificationPage && notification_id !== undefined && (
        <a class="button button-plain button-small" href={notificationPage(notification_id)}>
          {words.open}
        </a>
      )}
      {/* The console cannot read what is encrypted, so it cannot offer it for editing. */}
      {isPending && !encrypted && (
        <a class="button button-plain button-small" href={`${home}/${id}/edit`}>
          <Icon name="edit" size={16} />
          {TEXTS.edit}
        </a>
      )}
      {isPending && (
        <Button size="small" icon={paused ? 'play' : 'pause'} onClick={() => setPaused(!paused)}>
          {paused ? words.resume : words.pause}
        </Button>
      )}
      {isPending && (
        <Button size="small" icon="bell" onClick={() => setQuestion('send')}>
          {words.sendNow}
        </Button>
      )}
      {!encrypted && (
        <a class="button button-plain button-small" href={`${home}/new?from=${id}`}>
          <Icon name="copy" size={16} />
          {words.duplicate}
        </a>
      )}
      <Button size="small" look="danger" icon="trash" onClick={() => setQuestion('cancel')}>
        {isPending ? words.cancel : words.remove}
      </Button>
      {question === 'send' && (
        <Confirm
          title={words.sendNowTitle(title ?? words.encrypted)}
          confirm={words.sendNow}
          look="primary"
          work={async () => {
            await api.post(`${one}/send`)
            await onChange()
          }}
          onClose={() => setQuestion(undefined)}
        >
          {words.sendNowText[recurrence ? 'series' : 'once']}
        </Confirm>
      )}
      {question === 'cancel' && (
        <Confirm
          title={isPending ? words.cancelTitle : words.removeTitle}
          confirm={isPending ? words.cancel : words.remove}
          work={async () => {
            await api.delete(one)
            await onChange()
          }}
          onClose={() => setQuestion(undefined)}
        >
          {title}
        </Confirm>
      )}
    </div>
  )
}
