// The inbox: the list and the open notification, side by side or, on a phone, one at a time.
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { FirstRunPane } from '../first-run/pane.tsx'
import { progress } from '../first-run/visibility.ts'
import { leaveFor, listedIds } from '../inbox/focus.ts'
import { listPage, notifications, pageOf, takeFilterFromAddress } from '../inbox/inbox.ts'
import { InboxList } from '../inbox/list.tsx'
import { clearSelection, selected, setSelected } from '../inbox/triage.ts'
import { TEXTS } from '../texts/base.ts'
import { lazy } from '../ui/lazy.tsx'
import { Empty } from '../ui/page.tsx'
import { useKeys } from '../ui/use-keys.ts'

const NotificationDetail = lazy(async () => (await import('../inbox/detail.tsx')).NotificationDetail)
const FirstRunChip = lazy(async () => (await import('../first-run/chip.tsx')).FirstRunChip)

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
    const ids = listedIds(current)
    const at = current === undefined ? -1 : ids.indexOf(current)
    const next = ids[Math.min(Math.max(at + by, 0), ids.length - 1)]
    if (next !== undefined) route(pageOf(next), current !== undefined)
    return next
  }
  // Selects the open one and the one that is opened next.
  const extend = (by: 1 | -1) => {
    const current = idIn(location.pathname)
    const next = step(by)
    setSelected(
      [current, next].filter((id) => id !== undefined),
      true,
    )
  }
  useKeys({
    c: () => route('/app/new'),
    j: () => step(1),
    k: () => step(-1),
    J: () => extend(1),
    K: () => extend(-1),
    x: () => selectedId !== undefined && setSelected([selectedId], !selected.value.has(selectedId)),
    Escape: () => {
      if (selected.value.size > 0) clearSelection()
      else if (selectedId !== undefined) leaveFor(selectedId, () => route(listPage()))
    },
  })
  return (
    <div class={selectedId === undefined ? 'inbox' : 'inbox inbox-open'}>
      <InboxList selectedId={selectedId} />
      <section class="inbox-detail" aria-label={TEXTS.inbox.detail}>
        {/* A phone does not show the list beside a notification, and with it not the heading of the page. */}
        {selectedId !== undefined && <h1 class="only-phone hidden">{TEXTS.nav.inbox}</h1>}
        {selectedId === undefined ? (
          <FirstRunPane isAsked={isFirstRunAsked}>
            <Empty icon="inbox" title={TEXTS.inbox.nothingSelected}>
              <span class="keys-hint" hidden={notifications.value.length === 0}>
                <kbd>j</kbd> <kbd>k</kbd> {TEXTS.inbox.toMove} · <kbd>?</kbd> {TEXTS.inbox.forKeys}
              </span>
            </Empty>
          </FirstRunPane>
        ) : (
          <NotificationDetail key={selectedId} id={selectedId} />
        )}
      </section>
      {progress.value && (
        <div class="first-run-chip">
          <FirstRunChip />
        </div>
      )}
    </div>
  )
}

const idIn = (path: string): number | undefined => Number(/^\/app\/n\/(\d+)/.exec(path)?.[1]) || undefined
