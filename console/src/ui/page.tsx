// Page layout: title, actions, list, empty state and loading state.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Loaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { Button, ButtonLink } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

// Title of the open page; the browser tab shows it with the unread count.
export const pageTitle = signal('')

type PageProps = {
  title: string
  intro?: string
  actions?: ComponentChildren
  // For pages that show cards instead of text.
  isWide?: boolean
  children: ComponentChildren
}

export function Page({ title, intro, actions, isWide, children }: PageProps) {
  return (
    <div class={isWide ? 'page page-wide' : 'page'}>
      <header class="page-head">
        <div>
          <PageTitle>{title}</PageTitle>
          {intro && <p class="page-intro">{intro}</p>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

// Takes the focus when the page opens, so that a screen reader announces the new page.
export function PageTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    pageTitle.value = children
    heading.current?.focus({ preventScroll: true })
  }, [children])
  return (
    <h1 class="page-title" tabIndex={-1} ref={heading}>
      {children}
    </h1>
  )
}

type EmptyProps = { icon: IconName; title: string; children?: ComponentChildren; action?: ComponentChildren }

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={26} />
      </span>
      <p class="empty-title">{title}</p>
      {children && <div class="empty-text">{children}</div>}
      {action}
    </div>
  )
}

// A skeleton while data loads; after a failure, the error and a retry button.
export function Waiting({ error, retry, rows = 3 }: { error?: string; retry?: () => Promise<void>; rows?: number }) {
  if (error) {
    return <Empty icon="alert" title={error} action={retry && <Button onClick={retry}>{TEXTS.tryAgain}</Button>} />
  }
  return (
    <div class="skeleton" role="status" aria-label={TEXTS.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

type CardListProps<Item> = {
  loaded: Pick<Loaded<unknown>, 'error' | 'reload'>
  // Undefined until they are loaded.
  items: Item[] | undefined
  icon: IconName
  words: { none: string; noneHint?: string }
  // The card of an item, with a key.
  children: (item: Item) => ComponentChildren
}

// All items of one kind as cards.
export function CardList<Item>({ loaded, items, icon, words, children }: CardListProps<Item>) {
  return (
    <>
      {!items && <Waiting error={loaded.error} retry={loaded.reload} />}
      {items?.length === 0 && (
        <Empty icon={icon} title={words.none}>
          {words.noneHint}
        </Empty>
      )}
      <ul class="cards">{items?.map((item) => children(item))}</ul>
    </>
  )
}

// In place of something that does not exist, with a link to the list.
export function Missing({
  icon,
  words,
  home,
}: {
  icon: IconName
  words: { missing: string; toList: string }
  home: string
}) {
  return <Empty icon={icon} title={words.missing} action={<ButtonLink href={home}>{words.toList}</ButtonLink>} />
}

// Names and values in two columns.
export function Facts({ rows }: { rows: [string, ComponentChildren][] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
