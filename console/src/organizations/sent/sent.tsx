// What the organization has sent and will send: reach, receipt and answer of each, sending and recalling. A new message and
// a schedule that is changed have pages of their own below it.
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { AnswerView } from '../../../../src/contract/answers.ts'
import type { NotificationView } from '../../../../src/contract/notifications/notification.ts'
import type { ScheduleView } from '../../../../src/contract/schedules.ts'
import { allPages, api, unlessMissing } from '../../api/client.ts'
import { GivenAnswer } from '../../inbox/given-answer.tsx'
import { ReceiptCard } from '../../inbox/receipt-card.tsx'
import { LevelTag } from '../../inbox/rows/row.tsx'
import { newDraft } from '../../messages/draft.ts'
import { MessageBuilder } from '../../messages/message-builder.tsx'
import { ScheduleEditor } from '../../messages/schedule-editor.tsx'
import type { When } from '../../schedules/timing.ts'
import { useLoaded } from '../../state/use-loaded.ts'
import { usePages } from '../../state/use-pages.ts'
import { ORG_TEXTS } from '../../texts/organizations.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/dialog.tsx'
import { CardList } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import type { TabProps } from '../tab.ts'
import { targetInWords } from '../target.ts'
import { PendingSchedules } from './pending-schedules.tsx'

const { sent: words } = ORG_TEXTS

// A notification to many members is stored in steps, of which no event tells.
const PROGRESS_MS = 2000

const CHOICES: When[] = ['now', 'once', 'repeat']

export function SentTab({ organization, onChange }: TabProps) {
  const { path, query, route } = useLocation()
  const home = `/app/organizations/${organization.id}/sent`
  const [which, mode] = path.slice(home.length + 1).split('/')
  const done = () => route(home)
  const edited = which === 'new' ? query.from : mode === 'edit' ? which : undefined
  if (edited) {
    return <ScheduleEditor key={path} id={edited} isCopy={which === 'new'} {...{ organization, home }} onDone={done} />
  }
  if (which === 'new') {
    const initial = newDraft('now', organization.id)
    return (
      <>
        <h2 class="section-title">{words.composeTitle}</h2>
        <MessageBuilder choices={CHOICES} {...{ initial, organization, home }} onDone={done} />
      </>
    )
  }
  return <SentList organization={organization} onChange={onChange} />
}

function SentList({ organization: { id } }: TabProps) {
  const path = `/orgs/${id}/notifications`
  const { value, error, reload, more } = usePages<NotificationView>(`${path}?limit=50`, {
    on: 'notification.',
  })
  const schedules = useLoaded(() => allPages<ScheduleView>(`${path}/scheduled?limit=100`), { on: 'schedule.', key: id })
  useEffect(() => {
    if (!value?.items.some(({ recipients }) => recipients?.done === false)) return
    const timer = setTimeout(reload, PROGRESS_MS)
    return () => clearTimeout(timer)
  }, [value])
  const recall = async ({ id: headId }: NotificationView) => {
    await unlessMissing(api.delete(`${path}/${headId}`))
    await reload()
  }
  return (
    <>
      <div class="page-actions">
        <ButtonLink look="primary" icon="plus" href={`/app/organizations/${id}/sent/new`}>
          {words.compose}
        </ButtonLink>
      </div>
      <PendingSchedules orgId={id} schedules={schedules} />
      <CardList loaded={{ error, reload }} items={value?.items} icon="bell" words={words}>
        {(head) => <SentCard key={head.id} orgId={id} head={head} recall={() => recall(head)} />}
      </CardList>
      {value?.hasMore && <Button onClick={more}>{ORG_TEXTS.more}</Button>}
    </>
  )
}

type SentCardProps = { orgId: string; head: NotificationView; recall: () => Promise<void> }

function SentCard({ orgId, head, recall }: SentCardProps) {
  const { id, title, body, level, created_at, recipients, target, actions } = head
  return (
    <li class="card">
      <div class="card-head">
        <h2>{title}</h2>
        <LevelTag level={level} />
      </div>
      <p class="card-text">{body}</p>
      <p class="muted card-facts">
        <Ago at={created_at} />
        {recipients && ` · ${words.reach(recipients)}`}
        {target && ` · ${targetInWords(target)}`}
      </p>
      <ReceiptCard id={id} actions={actions} organization={{ id: orgId, isSender: true }} />
      <SentAnswer orgId={orgId} head={head} />
      <div class="card-actions">
        <ConfirmButton
          size="small"
          look="danger"
          text={words.recall}
          label={words.recallLabel(title)}
          title={words.recallTitle(title)}
          work={recall}
        >
          {words.recallText}
        </ConfirmButton>
      </div>
    </li>
  )
}

function SentAnswer({ orgId, head: { id, actions = [] } }: { orgId: string; head: NotificationView }) {
  const isAnswerable = actions.some(({ url }) => !url)
  const load = async () =>
    isAnswerable ? unlessMissing(api.get<AnswerView>(`/orgs/${orgId}/notifications/answers/${id}`)) : undefined
  const { value } = useLoaded(load, { on: 'notification.answered', id })
  if (value?.status !== 'answered') return null
  return <GivenAnswer answer={value} actions={actions} orgId={orgId} />
}
