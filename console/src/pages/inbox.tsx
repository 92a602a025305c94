// The inbox: the list and the open notification, side by side or, on a phone, one at a time.
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { FirstRunPane } from '../first-run/pane.tsx'
import { NotificationDetail } from '../inbox/detail.tsx'
import { listPage, pageOf, pinned, rows, takeFilterFromAddress } from '../inbox/inbox.ts'
import { InboxList } from '../inbox/list.tsx'
import { clearSelection, selected, setSelected } from '../inbox/triage.ts'
import { useKeys } from '../shell/use-keys.ts'
import { TEXTS } from '../texts.ts'
import { Empty } from '../ui/page.tsx'

export function InboxPage() {
  const { path, query, route } = useLocation()
  const selectedId = idIn(path)
  const isFirstRunAsked = 'first-run' in query
  useEffect(() => {
    if (!isFirstRunAsked) takeFilterFromAddress()
  }, [path, isFirstRunAsked])
  const step = (by: 1 | -1) => {
    // From the address: when keys are pressed fast, this component is not yet drawn for the last one.
    const current = idIn(location.pathname)
    const listed = rows.value.flatMap(({ newest, earlier }) =>
      earlier.some(({ id }) => id === current) ? [newest.id, current as number] : [newest.id],
    )
    const ids = [...pinned.value.map(({ id }) => id), ...listed]
    const at = current === undefined ? -1 : ids.indexOf(current)
    const next = ids[Math.min(Math.max(at + by, 0), ids.length - 1)]
    if (next !== undefined) route(pageOf(next), current !== undefined)
  }
  useKeys({
    c: () => route('/app/new'),
    j: () => step(1),
    k: () => step(-1),
    x: () => selectedId !== undefined && setSelected([selectedId], !selected.value.has(selectedId)),
    Escape: () => (selected.value.size > 0 ? clearSelection() : selectedId !== undefined && route(listPage())),
  })
  return (
    <div class={selectedId === undefined ? 'inbox' : 'inbox inbox-open'}>
      <InboxList selectedId={selectedId} />
      <section class="inbox-detail" aria-label={TEXTS.inbox.detail}>
        {selectedId === undefined ? (
          <FirstRunPane isAsked={isFirstRunAsked}>
            <Empty icon="inbox" title={TEXTS.inbox.nothingSelected}>
              <span class="keys-hint">
                <kbd>j</kbd> <kbd>k</kbd> {TEXTS.inbox.toMove} · <kbd>?</kbd> {TEXTS.inbox.forKeys}
              </span>
            </Empty>
          </FirstRunPane>
        ) : (
          <NotificationDetail key={selectedId} id={selectedId} />
        )}
      </section>
    </div>
  )
}

const idIn = (path: string): number | undefined => Number(/^\/app\/n\/(\d+)/.exec(path)?.[1]) || undefined
