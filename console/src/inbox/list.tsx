// The list of the inbox, grouped by day, with search and filters.
import { useEffect, useRef, useState } from 'preact/hooks'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty, PageTitle, Waiting } from '../ui/page.tsx'
import { dayInWords } from '../ui/time.tsx'
import { useKeys } from '../ui/use-keys.ts'
import { BulkBar } from './bulk-bar.tsx'
import { isFiltered } from './filter.ts'
import { Filters, SearchField } from './filters.tsx'
import {
  clearFilter,
  filter,
  listError,
  listState,
  loadInbox,
  loadMore,
  nextCursor,
  notifications,
  pinned,
  rows,
  unreadCount,
} from './inbox.ts'
import { NotificationRow } from './rows/row.tsx'
import { groupByDay, type Row } from './threads.ts'
import { markShownRead } from './triage.ts'
import { WaitingList } from './waiting-list.tsx'

export function InboxList({ selectedId }: { selectedId?: number }) {
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  useKeys({
    '/': () => search.current?.focus(),
    Enter: () => document.querySelector<HTMLElement>('.detail-title')?.focus(),
  })
  // A keyboard shortcut may have moved the selection out of view.
  const isReady = listState.value === 'ready'
  useEffect(() => {
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selectedId, isReady])
  return (
    <section class="inbox-list" aria-label={TEXTS.nav.inbox}>
      <header class="inbox-head">
        <div class="inbox-title">
          <PageTitle>{TEXTS.nav.inbox}</PageTitle>
          <div class="inbox-tools">
            <MarkRead />
            <ButtonLink size="small" icon="plus" href="/app/new">
              {TEXTS.inbox.compose}
            </ButtonLink>
          </div>
        </div>
        <SearchField input={search} />
        <Filters />
        <BulkBar />
      </header>
      <div class="rows" ref={list}>
        <Rows selectedId={selectedId} />
      </div>
    </section>
  )
}

// Always there, so that nothing moves when the count arrives. On a phone it is an icon.
function MarkRead() {
  const words = isFiltered(filter.value) ? TEXTS.inbox.markShownRead : TEXTS.inbox.markAllRead
  return (
    <Button
      look="quiet"
      size="small"
      icon="checks"
      label={words}
      disabled={unreadCount.value === 0}
      onClick={markShownRead}
    >
      <span class="not-phone">{words}</span>
    </Button>
  )
}

function Rows({ selectedId }: { selectedId?: number }) {
  const state = listState.value
  if (state === 'failed') return <Waiting error={listError.value} retry={loadInbox} />
  if (state === 'loading' && notifications.value.length === 0) return <Waiting rows={6} />
  if (rows.value.length === 0 && pinned.value.length === 0) return <NothingHere />
  return (
    <>
      <WaitingList selectedId={selectedId} />
      {groupByDay(rows.value).map(({ day, rows: ofDay }) => (
        <section key={day} aria-label={dayInWords(day)}>
          <h2 class="day">{dayInWords(day)}</h2>
          {blocksOf(ofDay).map((block, index) => (
            <Block key={index} block={block} selectedId={selectedId} />
          ))}
        </section>
      ))}
      {nextCursor.value && <Older />}
    </>
  )
}

const ROWS_OF_BLOCK = 50

const blocksOf = (ofDay: Row[]): Row[][] =>
  Array.from({ length: Math.ceil(ofDay.length / ROWS_OF_BLOCK) }, (_, index) =>
    ofDay.slice(index * ROWS_OF_BLOCK, (index + 1) * ROWS_OF_BLOCK),
  )

// So far beyond the window rows are drawn and loaded, so that nobody scrolls to an empty place.
const AHEAD = '1500px'

// On a wide screen the list scrolls by itself, elsewhere the page does. A margin counts only around what scrolls.
function scrollerOf(element: Element | null): Element | null {
  const scroller = element?.closest('.rows') ?? null
  return scroller && getComputedStyle(scroller).overflowY === 'auto' ? scroller : null
}

// Rows that are drawn together. Far from the window only their height stays, so that thousands of rows cost what dozens do.
function Block({ block, selectedId }: { block: Row[]; selectedId?: number }) {
  const list = useRef<HTMLUListElement>(null)
  const [awayHeight, setAwayHeight] = useState<number>()
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => entry && setAwayHeight(entry.isIntersecting ? undefined : entry.boundingClientRect.height),
      { root: scrollerOf(list.current), rootMargin: AHEAD },
    )
    if (list.current) observer.observe(list.current)
    return () => observer.disconnect()
  }, [])
  const isAway = awayHeight !== undefined && !block.some(({ newest }) => newest.id === selectedId)
  return (
    <ul class="row-list" ref={list} style={isAway ? { height: `${awayHeight}px` } : undefined}>
      {!isAway && block.map((row) => <NotificationRow key={row.newest.id} row={row} selectedId={selectedId} />)}
    </ul>
  )
}

// Loads older rows before it comes into view. The button is for those who do not scroll, and after a failure.
function Older() {
  const end = useRef<HTMLParagraphElement>(null)
  const cursor = nextCursor.value
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        void attempt(loadMore)
      },
      { root: scrollerOf(end.current), rootMargin: AHEAD },
    )
    if (end.current) observer.observe(end.current)
    return () => observer.disconnect()
  }, [cursor])
  return (
    <p class="rows-more" ref={end}>
      <Button onClick={() => attempt(loadMore)}>{TEXTS.inbox.more}</Button>
    </p>
  )
}

function NothingHere() {
  if (isFiltered(filter.value)) {
    return (
      <Empty
        icon="search"
        title={TEXTS.inbox.noneFound}
        action={<Button onClick={clearFilter}>{TEXTS.inbox.clearFilter}</Button>}
      />
    )
  }
  return (
    <Empty icon="sun" title={TEXTS.inbox.empty}>
      {TEXTS.inbox.emptyHint} <a href="/app/keys">{TEXTS.inbox.emptyLink}</a>
    </Empty>
  )
}
