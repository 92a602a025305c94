// The inbox: the list and the open notification, side by side or, on a phone, one at a time.
import { useLocation } from 'preact-iso'
import { NotificationDetail } from '../inbox/detail.tsx'
import { rows } from '../inbox/inbox.ts'
import { InboxList } from '../inbox/list.tsx'
import { useKeys } from '../shell/use-keys.ts'
import { TEXTS } from '../texts.ts'
import { Empty } from '../ui/page.tsx'

export function InboxPage() {
  const { path, route } = useLocation()
  const selectedId = Number(/^\/app\/n\/(\d+)/.exec(path)?.[1]) || undefined
  const step = (by: 1 | -1) => {
    const ids = rows.value.flatMap(({ newest, earlier }) =>
      earlier.some(({ id }) => id === selectedId) ? [newest.id, selectedId as number] : [newest.id],
    )
    const at = selectedId === undefined ? -1 : ids.indexOf(selectedId)
    const next = ids[Math.min(Math.max(at + by, 0), ids.length - 1)]
    if (next !== undefined) route(`/app/n/${next}`, selectedId !== undefined)
  }
  useKeys({ j: () => step(1), k: () => step(-1), Escape: () => selectedId !== undefined && route('/app/') })
  return (
    <div class={selectedId === undefined ? 'inbox' : 'inbox inbox-open'}>
      <InboxList selectedId={selectedId} />
      <section class="inbox-detail" aria-label={TEXTS.inbox.detail}>
        {selectedId === undefined ? (
          <Empty icon="inbox" title={TEXTS.inbox.nothingSelected}>
            <span class="keys-hint">
              <kbd>j</kbd> <kbd>k</kbd> {TEXTS.inbox.toMove} · <kbd>?</kbd> {TEXTS.inbox.forKeys}
            </span>
          </Empty>
        ) : (
          <NotificationDetail key={selectedId} id={selectedId} />
        )}
      </section>
    </div>
  )
}
