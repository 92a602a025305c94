// One scheduled or recurring notification: when it is or was sent, and what can be done with it.
import type { ScheduleView } from '../../../src/contract/schedules.ts'
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { SCHEDULE_TEXTS } from '../texts/schedules.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
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

function CardActions({ schedule, path, home, notificationPage, onChange }: ScheduleCardProps) {
  const { id, title, status, recurrence, notification_id, paused, encrypted } = schedule
  const one = `${path}/${id}`
  const isPending = status === 'scheduled'
  const run = async (work: () => Promise<unknown>) => {
    await work()
    await onChange()
  }
  const setPaused = async (isPaused: boolean) => {
    await attempt(() => api.patch(one, { paused: isPaused }), isPaused ? words.pausedNow : words.resumedNow)
    await onChange()
  }
  return (
    <div class="card-actions">
      {notificationPage && notification_id !== undefined && (
        <ButtonLink size="small" href={notificationPage(notification_id)}>
          {words.open}
        </ButtonLink>
      )}
      {/* The console cannot read what is encrypted, so it cannot offer it for editing. */}
      {isPending && !encrypted && (
        <ButtonLink size="small" icon="edit" href={`${home}/${id}/edit`}>
          {TEXTS.edit}
        </ButtonLink>
      )}
      {isPending && (
        <Button size="small" icon={paused ? 'play' : 'pause'} onClick={() => setPaused(!paused)}>
          {paused ? words.resume : words.pause}
        </Button>
      )}
      {isPending && (
        <ConfirmButton
          size="small"
          icon="bell"
          text={words.sendNow}
          title={words.sendNowTitle(title ?? words.encrypted)}
          confirmLook="primary"
          work={() => run(() => api.post(`${one}/send`))}
        >
          {words.sendNowText[recurrence ? 'series' : 'once']}
        </ConfirmButton>
      )}
      {!encrypted && (
        <ButtonLink size="small" icon="copy" href={`${home}/new?from=${id}`}>
          {words.duplicate}
        </ButtonLink>
      )}
      <ConfirmButton
        size="small"
        look="danger"
        icon="trash"
        text={isPending ? words.cancel : words.remove}
        title={isPending ? words.cancelTitle : words.removeTitle}
        work={() => run(() => api.delete(one))}
      >
        {title}
      </ConfirmButton>
    </div>
  )
}
