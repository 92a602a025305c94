// Integration keys: create, edit, roll and revoke.
import { useState } from 'preact/hooks'
import type { KeyView, KeyWithSecret } from '../../../src/contract/integration-key.ts'
import { api } from '../api/client.ts'
import { KeyForm } from '../keys/key-form.tsx'
import { RESOURCES, wordsForKey } from '../keys/levels.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Ago, Moment } from '../ui/time.tsx'

type Open =
  | { what: 'new' }
  | { what: 'edit' | 'roll' | 'revoke'; key: KeyView }
  | { what: 'secret'; key: KeyWithSecret }

export function KeysPage() {
  const keys = useLoaded(() => api.get<KeyView[]>('/integrations/keys'), { on: 'key.' })
  const [open, setOpen] = useState<Open>()
  return (
    <Page
      title={TEXTS.nav.keys}
      intro={TEXTS.keys.intro}
      actions={
        <Button look="primary" icon="plus" onClick={() => setOpen({ what: 'new' })}>
          {TEXTS.keys.create}
        </Button>
      }
    >
      {!keys.value && <Waiting error={keys.error} retry={keys.reload} />}
      {keys.value?.length === 0 && <Empty icon="key" title={TEXTS.keys.none} />}
      <ul class="cards">
        {keys.value?.map((key) => (
          <KeyCard key={key.id} apiKey={key} onOpen={setOpen} />
        ))}
      </ul>
      {open && <KeyDialog open={open} onOpen={setOpen} />}
    </Page>
  )
}

function KeyCard({ apiKey, onOpen }: { apiKey: KeyView; onOpen: (open: Open) => void }) {
  const { name, is_default, last_used_at, expires_at, created_at } = apiKey
  return (
    <li class="card key-card">
      <div class="card-head">
        <h2>{name}</h2>
        {is_default && <span class="tag">{TEXTS.keys.isDefault}</span>}
      </div>
      <ul class="grants">
        {RESOURCES.map((resource) => (
          <Grant key={resource} words={wordsForKey(apiKey, resource)} />
        ))}
      </ul>
      <p class="muted card-facts">
        {last_used_at ? (
          <>
            {TEXTS.keys.lastUsed} <Ago at={last_used_at} />
          </>
        ) : (
          TEXTS.keys.neverUsed
        )}
        {' · '}
        {TEXTS.keys.made} <Ago at={created_at} />
        {expires_at && (
          <>
            {' · '}
            {TEXTS.keys.expires} <Moment at={expires_at} />
          </>
        )}
      </p>
      <div class="card-actions">
        {!is_default && (
          <Button size="small" icon="edit" onClick={() => onOpen({ what: 'edit', key: apiKey })}>
            {TEXTS.edit}
          </Button>
        )}
        <Button size="small" icon="roll" onClick={() => onOpen({ what: 'roll', key: apiKey })}>
          {TEXTS.keys.roll}
        </Button>
        <Button size="small" look="danger" icon="trash" onClick={() => onOpen({ what: 'revoke', key: apiKey })}>
          {TEXTS.keys.revoke}
        </Button>
      </div>
    </li>
  )
}

function Grant({ words }: { words: string | undefined }) {
  return words === undefined ? null : <li>{words}</li>
}

function KeyDialog({ open, onOpen }: { open: Open; onOpen: (open?: Open) => void }) {
  const close = () => onOpen(undefined)
  const show = (key: KeyWithSecret) => onOpen({ what: 'secret', key })
  switch (open.what) {
    case 'new':
      return <KeyForm onDone={show} onClose={close} />
    case 'edit':
      return <KeyForm apiKey={open.key} onDone={close} onClose={close} />
    case 'secret':
      return <Secret apiKey={open.key} onClose={close} />
    case 'roll':
      return (
        <Confirm
          title={TEXTS.keys.rollTitle(open.key.name)}
          confirm={TEXTS.keys.roll}
          onClose={close}
          onDone={() => {}}
          work={async () => show(await api.post<KeyWithSecret>(`/integrations/keys/${open.key.id}/roll`))}
        >
          {TEXTS.keys.rollText}
        </Confirm>
      )
    case 'revoke':
      return (
        <Confirm
          title={TEXTS.keys.revokeTitle(open.key.name)}
          confirm={TEXTS.keys.revoke}
          onClose={close}
          work={() => api.delete(`/integrations/keys/${open.key.id}`)}
        >
          {TEXTS.keys.revokeText}
        </Confirm>
      )
  }
}

function Secret({ apiKey, onClose }: { apiKey: KeyWithSecret; onClose: () => void }) {
  const example = `curl ${location.origin}/notifications -H 'Authorization: Bearer ${apiKey.key}' -H 'Content-Type: application/json' -d '{"title": "Hello", "body": "It works."}'`
  return (
    <Dialog title={TEXTS.keys.secretTitle(apiKey.name)} onClose={onClose} isWide>
      <p class="dialog-text">{TEXTS.keys.secretText}</p>
      <Copyable text={apiKey.key} label={apiKey.name} />
      {apiKey.notifications && (
        <>
          <p class="dialog-text">{TEXTS.keys.tryIt}</p>
          <Copyable text={example} label={TEXTS.keys.example} />
        </>
      )}
      <footer class="dialog-foot">
        <Button look="primary" onClick={onClose}>
          {TEXTS.keys.kept}
        </Button>
      </footer>
    </Dialog>
  )
}
