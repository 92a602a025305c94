// What became of a request: its result in words, and the notification or activity that it made.
import type { HookOutcome } from '../../../src/contract/hooks.ts'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import { api, unlessMissing } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { HOOK_TEXTS } from '../texts/hooks.ts'
import { MessagePreview } from './message-preview.tsx'
import { toolName } from './tools.ts'

const TAGS: Record<HookOutcome['result'], string> = {
  sent: 'tag-verified',
  activity: 'tag-verified',
  dropped: 'tag-plain',
  duplicate: 'tag-plain',
  refused: 'tag-suppressed',
}

function ResultTag({ result }: Pick<HookOutcome, 'result'>) {
  return <span class={`tag ${TAGS[result]}`}>{HOOK_TEXTS.results[result]}</span>
}

export function Outcome({ outcome }: { outcome: HookOutcome }) {
  const { result, kind, detail, notification_ids, activity_slug } = outcome
  const [id] = notification_ids
  return (
    <div class="hook-outcome">
      <p class="hook-outcome-words">
        <ResultTag result={result} />
        <span class="muted">{HOOK_TEXTS.readAs(toolName(kind))}</span>
      </p>
      {detail && <p class={result === 'refused' ? 'bad' : 'muted'}>{detail}</p>}
      {id !== undefined && <SentNotification key={id} id={id} />}
      {activity_slug && <a href={`/app/activities/${activity_slug}`}>{HOOK_TEXTS.openActivity}</a>}
    </div>
  )
}

// Null once it is deleted.
function SentNotification({ id }: { id: number }) {
  const load = async () => (await unlessMissing(api.get<NotificationView>(`/notifications/${id}`))) ?? null
  const { value } = useLoaded(load, { on: 'notification.', id, key: id })
  if (!value) return null
  return (
    <MessagePreview message={value}>
      <a href={`/app/n/${id}`}>{HOOK_TEXTS.openNotification}</a>
    </MessagePreview>
  )
}
