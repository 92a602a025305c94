// The keys of an account or an organization: create, edit, roll and revoke.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { AliasView, KeyView, KeyWithSecret } from '../../../src/contract/keys/keys.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { CardList } from '../ui/page.tsx'
import { KeyCard } from './key-card.tsx'
import { KeyDoors } from './key-doors.tsx'
import { KeyForm, type TargetField } from './key-form.tsx'
import { KeySecret } from './key-secret.tsx'
import { ALL_RESOURCES, type KeyResource } from './levels.ts'
import { loadKeys } from './load.ts'

type Open =
  | { what: 'new' }
  | { what: 'edit' | 'doors' | 'roll' | 'revoke'; key: KeyView }
  | { what: 'end alias'; key: KeyView; alias: AliasView }
  | { what: 'secret'; key: KeyWithSecret }

export type KeyListProps = {
  // Collection of the API that the keys are in.
  path: string
  // Show this key alone.
  only?: string
  // What these keys can be permitted to use.
  resources?: readonly KeyResource[]
  // For keys of an organization: the field for the members that a key reaches, and that target in words.
  targetField?: TargetField
  describeTarget?: (key: KeyView) => string | undefined
  // Renders the list with the button that creates a key.
  children: (create: ComponentChildren, list: ComponentChildren) => ComponentChildren
}

export function KeyList({
  path,
  only,
  resources = ALL_RESOURCES,
  targetField,
  describeTarget,
  children,
}: KeyListProps) {
  const keys = useLoaded(() => loadKeys(path), { on: 'key.', key: path })
  const shown = keys.value?.filter(({ id }) => only === undefined || id === only)
  const [open, setOpen] = useState<Open>()
  const { path: page, query, route } = useLocation()
  useEffect(() => {
    if (!('new' in query)) return
    setOpen({ what: 'new' })
    // The same address opens the form again after it was closed.
    route(page, true)
  }, [query])
  const create = (
    <Button look="primary" icon="plus" onClick={() => setOpen({ what: 'new' })}>
      {SETUP_TEXTS.keys.create}
    </Button>
  )
  return children(
    create,
    <>
      <CardList loaded={keys} items={shown} icon="key" words={SETUP_TEXTS.keys}>
        {(key) => (
          <KeyCard
            key={key.id}
            apiKey={key}
            reach={describeTarget?.(key)}
            onAction={(what) => setOpen({ what, key })}
          />
        )}
      </CardList>
      {open && <KeyDialog {...{ open, path, resources, targetField }} onOpen={setOpen} />}
    </>,
  )
}

type KeyDialogProps = Required<Pick<KeyListProps, 'path' | 'resources'>> &
  Pick<KeyListProps, 'targetField'> & { open: Open; onOpen: (open?: Open) => void }

function KeyDialog({ open, onOpen, ...form }: KeyDialogProps) {
  const close = () => onOpen(undefined)
  const show = (key: KeyWithSecret) => onOpen({ what: 'secret', key })
  switch (open.what) {
    case 'new':
      return <KeyForm {...form} onDone={show} onClose={close} />
    case 'edit':
      return <KeyForm {...form} apiKey={open.key} onDone={close} onClose={close} />
    case 'secret':
      return <KeySecret apiKey={open.key} onClose={close} />
    case 'doors':
      return (
        <KeyDoors
          path={form.path}
          apiKey={open.key}
          onEnd={(alias) => onOpen({ what: 'end alias', key: open.key, alias })}
          onClose={close}
        />
      )
    case 'end alias':
      return (
        <Confirm
          title={SETUP_TEXTS.keys.doors.endTitle(SETUP_TEXTS.keys.doors.names[open.alias.door])}
          confirm={SETUP_TEXTS.keys.doors.end}
          onClose={() => onOpen({ what: 'doors', key: open.key })}
          work={() => api.delete(`${form.path}/${open.key.id}/aliases/${open.alias.id}`)}
        >
          {SETUP_TEXTS.keys.doors.endText}
        </Confirm>
      )
    case 'roll':
      return (
        <Confirm
          title={SETUP_TEXTS.keys.rollTitle(open.key.name)}
          confirm={SETUP_TEXTS.keys.roll}
          onClose={close}
          onDone={() => {}}
          work={async () => show(await api.post<KeyWithSecret>(`${form.path}/${open.key.id}/roll`))}
        >
          {SETUP_TEXTS.keys.rollText}
        </Confirm>
      )
    case 'revoke':
      return (
        <Confirm
          title={SETUP_TEXTS.keys.revokeTitle(open.key.name)}
          confirm={SETUP_TEXTS.keys.revoke}
          onClose={close}
          work={() => api.delete(`${form.path}/${open.key.id}`)}
        >
          {SETUP_TEXTS.keys.revokeText}
        </Confirm>
      )
  }
}
