// Layout of the page of one widget or activity: its card, its actions and its JSON.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api } from '../api/client.ts'
import { showToast } from '../state/toasts.ts'
import { TEXTS } from '../texts.ts'
import { CARD_TEXTS } from '../texts-cards.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

type Words = { back: string; deleteTitle: (name: string) => string; deleteText: string; deleted: string }
type DetailProps = {
  home: string
  // Path of the collection in the API.
  resource: string
  item: { slug: string; name: string; updated_at: string }
  words: Words
  facts?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
}

export function CardDetail({ home, resource, item, words, facts, actions, children }: DetailProps) {
  const { slug, name, updated_at } = item
  const { route } = useLocation()
  const [isDeleting, setDeleting] = useState(false)
  const gone = () => {
    showToast(words.deleted)
    route(home)
  }
  return (
    <Page
      title={name}
      isWide
      actions={
        <>
          {actions}
          <a class="button button-plain" href={`${home}/${slug}/edit`}>
            <Icon name="edit" size={18} />
            {TEXTS.edit}
          </a>
          <Button look="danger" icon="trash" onClick={() => setDeleting(true)}>
            {CARD_TEXTS.delete}
          </Button>
        </>
      }
    >
      <p class="muted detail-facts">
        <a href={home}>{words.back}</a> · <code>{slug}</code> · {CARD_TEXTS.changed} <Ago at={updated_at} />
        {facts}
      </p>
      {children}
      <details class="card raw">
        <summary>{CARD_TEXTS.json}</summary>
        <pre>{JSON.stringify(item, null, 2)}</pre>
      </details>
      {isDeleting && (
        <Confirm
          title={words.deleteTitle(name)}
          confirm={CARD_TEXTS.delete}
          work={() => api.delete(`${resource}/${slug}`)}
          onClose={() => setDeleting(false)}
          onDone={gone}
        >
          {words.deleteText}
        </Confirm>
      )}
    </Page>
  )
}
