// Layout of the page of one widget or activity: its card, its actions and its JSON.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api } from '../api/client.ts'
import { showToast } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
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

// `page`: of the widget or activity.
export function EditLink({ page }: { page: string }) {
  return (
    <a class="button button-plain" href={`${page}/edit`}>
      <Icon name="edit" size={18} />
      {TEXTS.edit}
    </a>
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
  const [isDeleting, setDeleting] = useState(false)
  const gone = () => {
    showToast(words.deleted)
    route(home)
  }
  return (
    <>
      <Button look="danger" icon="trash" onClick={() => setDeleting(true)}>
        {CARD_TEXTS.delete}
      </Button>
      {isDeleting && (
        <Confirm
          title={words.deleteTitle(name)}
          confirm={CARD_TEXTS.delete}
          work={() => api.delete(path)}
          onClose={() => setDeleting(false)}
          onDone={gone}
        >
          {words.deleteText}
        </Confirm>
      )}
    </>
  )
}
