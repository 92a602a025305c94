// Layout of the page of one widget or activity: its card, its actions and its JSON.
import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { api } from '../api/client.ts'
import { showToast } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import type { IconName } from '../ui/icon.tsx'
import { Missing, Page } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

type DetailProps = {
  // The list page, and the text of the link to it.
  home: string
  back: string
  item: { slug: string; name: string; updated_at: string }
  facts?: ComponentChildren
  actions: ComponentChildren
  children: ComponentChildren
}

export function CardDetail({ home, back, item, facts, actions, children }: DetailProps) {
  const { slug, name, updated_at } = item
  return (
    <Page title={name} isWide actions={actions}>
      <p class="muted detail-facts">
        <a href={home}>{back}</a> · <code>{slug}</code> · {CARD_TEXTS.changed} <Ago at={updated_at} />
        {facts}
      </p>
      {children}
      <details class="card raw">
        <summary>{CARD_TEXTS.json}</summary>
        <pre>{JSON.stringify(item, null, 2)}</pre>
      </details>
    </Page>
  )
}

type MissingProps = {
  icon: IconName
  words: { missing: string; missingHint: string; back: string }
  home: string
}

// In place of the page of a widget or activity that does not exist.
export function MissingCard({ icon, words, home }: MissingProps) {
  return (
    <Page title={words.missing}>
      <Missing icon={icon} words={{ missing: words.missingHint, toList: words.back }} home={home} />
    </Page>
  )
}

// `page`: of the widget or activity.
export function EditLink({ page }: { page: string }) {
  return (
    <ButtonLink icon="edit" href={`${page}/edit`}>
      {TEXTS.edit}
    </ButtonLink>
  )
}

type DeleteProps = {
  // Path of the widget or activity in the API.
  path: string
  name: string
  words: { deleteTitle: (name: string) => string; deleteText: string; deleted: string }
  home: string
}

export function DeleteButton({ path, name, words, home }: DeleteProps) {
  const { route } = useLocation()
  const gone = () => {
    showToast(words.deleted)
    route(home)
  }
  return (
    <ConfirmButton
      look="danger"
      icon="trash"
      text={CARD_TEXTS.delete}
      title={words.deleteTitle(name)}
      work={() => api.delete(path)}
      onDone={gone}
    >
      {words.deleteText}
    </ConfirmButton>
  )
}
