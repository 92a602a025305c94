// How programs of ntfy, Gotify and Pushover use a key: an address, a token in the form that they expect, and a line to try it.
import { useState } from 'preact/hooks'
import type { AliasDoor } from '../../../src/contract/keys/doors.ts'
import type { AliasView, AliasWithToken, KeyView } from '../../../src/contract/keys/keys.ts'
import { api } from '../api/client.ts'
import { AddressTruth } from '../phones/address-truth.tsx'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Ago } from '../ui/time.tsx'

const DOOR_TEXTS = SETUP_TEXTS.keys.doors
const DOORS = Object.keys(DOOR_TEXTS.names) as AliasDoor[]

type KeyDoorsProps = {
  // Collection of the API that the key is in.
  path: string
  apiKey: KeyView
  onEnd: (alias: AliasView) => void
  onClose: () => void
}

export function KeyDoors({ path, apiKey, onEnd, onClose }: KeyDoorsProps) {
  const aliasPath = `${path}/${apiKey.id}/aliases`
  const aliases = useLoaded(() => api.get<{ items: AliasView[] }>(aliasPath), { on: 'key.', key: aliasPath })
  // The server shows a token once, so those of this visit stay until the dialog is closed.
  const [made, setMade] = useState<AliasWithToken[]>([])
  const make = (door: AliasDoor) =>
    attempt(async () => {
      const alias = await api.post<AliasWithToken>(aliasPath, { door })
      setMade((before) => [...before, alias])
      await aliases.reload()
    })
  return (
    <Dialog title={DOOR_TEXTS.title(apiKey.name)} onClose={onClose} isWide>
      <p class="dialog-text">{DOOR_TEXTS.intro}</p>
      <AddressTruth address={location.origin} isFor="program" />
      {DOORS.map((door) => (
        <DoorSection
          key={door}
          door={door}
          aliases={aliases.value?.items.filter((alias) => alias.door === door) ?? []}
          token={made.findLast((alias) => alias.door === door)?.token}
          onMake={() => make(door)}
          onEnd={onEnd}
        />
      ))}
      <footer class="dialog-foot">
        <Button look="primary" onClick={onClose}>
          {TEXTS.close}
        </Button>
      </footer>
    </Dialog>
  )
}

type DoorSectionProps = {
  door: AliasDoor
  aliases: AliasView[]
  // The token that was made just now; it is shown once.
  token: string | undefined
  onMake: () => Promise<unknown>
  onEnd: (alias: AliasView) => void
}

function DoorSection({ door, aliases, token, onMake, onEnd }: DoorSectionProps) {
  const name = DOOR_TEXTS.names[door]
  const headingId = `door-${door}`
  return (
    <section class="key-door" aria-labelledby={headingId}>
      <h3 id={headingId}>{name}</h3>
      <p class="muted">{DOOR_TEXTS.senders[door]}</p>
      <Copyable text={addressOf(door)} label={DOOR_TEXTS.address(name)} />
      {token ? (
        <>
          <p>{DOOR_TEXTS.tokenText}</p>
          <Copyable text={token} label={DOOR_TEXTS.token(name)} />
          <Copyable text={exampleOf(door, token)} label={DOOR_TEXTS.example(name)} />
        </>
      ) : (
        <Button size="small" icon="plus" onClick={onMake}>
          {DOOR_TEXTS.make(name)}
        </Button>
      )}
      <ul class="key-aliases">
        {aliases.map((alias) => (
          <li key={alias.id}>
            <span>
              {DOOR_TEXTS.made} <Ago at={alias.created_at} />
            </span>
            <Button size="small" look="danger" label={DOOR_TEXTS.endOf(name)} onClick={() => onEnd(alias)}>
              {DOOR_TEXTS.end}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const addressOf = (door: AliasDoor): string => `${location.origin}/${door}`

// Names the senders give to a topic and a user, which the token does not depend on.
function exampleOf(door: AliasDoor, token: string): string {
  const address = addressOf(door)
  switch (door) {
    case 'ntfy':
      return `curl -u :${token} -d 'It works.' ${address}/test`
    case 'gotify':
      return `curl '${address}/message?token=${token}' -F title=Hello -F message='It works.'`
    case 'pushover':
      return `curl ${address}/1/messages.json -F token=${token} -F user=me -F message='It works.'`
    case 'bark':
      return `curl '${address}/${token}/Hello/It%20works.'`
  }
}
