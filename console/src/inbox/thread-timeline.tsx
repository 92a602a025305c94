// The other notifications of the same source and thread, the oldest first, with the open one marked.
import type { NotificationList, NotificationView } from '../../../src/contract/notifications/notification.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { shortTime } from '../ui/time.tsx'
import { decryptedView } from './decryption.ts'
import { pageOf } from './inbox.ts'
import { LevelTag } from './rows/row.tsx'
import { isSameThread } from './threads.ts'

// The newest of a long thread.
const SHOWN = 50

export function ThreadTimeline({ notification }: { notification: NotificationView }) {
  const { id, thread_id } = notification
  const query = new URLSearchParams({ thread_id: thread_id ?? '', limit: String(SHOWN) })
  if (notification.source) query.set('source', notification.source)
  const load = async () => (thread_id ? (await api.get<NotificationList>(`/notifications?${query}`)).items : [])
  const { value = [] } = useLoaded(load, { on: 'notification.', key: `${query}` })
  const thread = value.filter((one) => isSameThread(one, notification)).reverse()
  if (thread.length < 2) return null
  return (
    <section class="detail-section">
      <h3>{TEXTS.detail.thread(thread.length)}</h3>
      <ol class="thread">
        {thread.map((one) => {
          const { title, level, created_at, read_at } = decryptedView(one)
          return (
            <li key={one.id} class={`thread-item thread-${level}`}>
              <time dateTime={created_at}>{shortTime(created_at)}</time>
              <a
                class={read_at ? undefined : 'thread-unread'}
                href={pageOf(one.id)}
                aria-current={one.id === id ? 'true' : undefined}
                dir="auto"
              >
                {title}
              </a>
              <LevelTag level={level} />
            </li>
          )
        })}
      </ol>
    </section>
  )
}
