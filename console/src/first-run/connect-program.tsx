// Tiles of programs, in groups. The chosen one gets a key that is limited to what it needs, or a webhook; its snippets are
// shown with the secret in them.
import '../styles/hooks.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { HookWithUrl } from '../../../src/contract/hooks.ts'
import type { KeyWithSecret } from '../../../src/contract/keys/keys.ts'
import { api } from '../api/client.ts'
import { Connect } from '../hooks/connect.tsx'
import { ACCOUNT_HOOKS } from '../hooks/paths.ts'
import { AddressTruth } from '../phones/address-truth.tsx'
import { attempt } from '../state/toasts.ts'
import { FIRST_RUN_TEXTS, PROGRAM_GROUPS, type ProgramId } from '../texts/first-run.ts'
import type { HookKind } from '../texts/hook-tools.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { FirstUse } from './first-use.tsx'
import { type KeyPermissions, PROGRAMS, programsOf } from './programs.ts'

// What was made for a program; its secret cannot be read again.
type Made = { key: KeyWithSecret } | { hook: HookWithUrl }

const MOST_NAME_CHARS = 64

// `onUsed`: a program has sent its first request.
export function ConnectProgram({ onUsed }: { onUsed: () => Promise<void> }) {
  const [chosen, setChosen] = useState<ProgramId>()
  // A person who looks at another tile finds the snippet again.
  const [made, setMade] = useState<Partial<Record<ProgramId, Made>>>({})
  const { programs, groups } = FIRST_RUN_TEXTS.program
  const toggle = (id: ProgramId) => setChosen(id === chosen ? undefined : id)
  return (
    <>
      {PROGRAM_GROUPS.map((group) => (
        <div key={group} class="program-group">
          <h4>{groups[group]}</h4>
          <ul class="program-tiles">
            {programsOf(group).map((id) => (
              <li key={id}>
                <Tile id={id} isChosen={id === chosen} onChoose={() => toggle(id)} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {chosen && (
        <Program key={chosen} name={programs[chosen].name}>
          {made[chosen] ? (
            <MadeFor id={chosen} made={made[chosen]} onUsed={onUsed} />
          ) : (
            <MakeFor id={chosen} onMade={(one) => setMade((before) => ({ ...before, [chosen]: one }))} />
          )}
        </Program>
      )}
    </>
  )
}

function Tile({ id, isChosen, onChoose }: { id: ProgramId; isChosen: boolean; onChoose: () => void }) {
  const { name, about } = FIRST_RUN_TEXTS.program.programs[id]
  return (
    <button type="button" class="program-tile" aria-expanded={isChosen} onClick={onChoose}>
      <Avatar name={name} size={32} />
      <span>
        <strong>{name}</strong>
        <span class="muted">{about}</span>
      </span>
    </button>
  )
}

// Below all tiles, which on a phone is far from the one that was chosen.
function Program({ name, children }: { name: string; children: ComponentChildren }) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <section ref={section} class="program" aria-label={name}>
      {children}
    </section>
  )
}

function MakeFor({ id, onMade }: { id: ProgramId; onMade: (made: Made) => void }) {
  const words = FIRST_RUN_TEXTS.program
  const [name, setName] = useState<string>(words.programs[id].name)
  const connection = PROGRAMS[id]
  const make = async () =>
    onMade(
      'hook' in connection
        ? { hook: await makeHook(connection.hook, name.trim()) }
        : { key: await makeKey(name.trim(), connection.permissions) },
    )
  return (
    <Form class="form" onSubmit={() => attempt(make)}>
      <TextField
        label={words.name}
        hint={words.nameHint}
        value={name}
        onInput={setName}
        maxLength={MOST_NAME_CHARS}
        required
      />
      <div>
        <Button type="submit" look="primary" disabled={name.trim() === ''}>
          {'hook' in connection ? words.makeHook : words.makeKey}
        </Button>
      </div>
    </Form>
  )
}

const TO_SEND: KeyPermissions = { notifications: 'send' }

const makeKey = (name: string, permissions = TO_SEND): Promise<KeyWithSecret> =>
  api.post<KeyWithSecret>('/integrations/keys', { name, permissions })

// With a key of its own: the default key, which hooks have otherwise, may do everything.
async function makeHook(kind: HookKind, name: string): Promise<HookWithUrl> {
  const key = await makeKey(name)
  try {
    return await api.post<HookWithUrl>(ACCOUNT_HOOKS.collection, { name, kind, key_id: key.id })
  } catch (error) {
    await api.delete(`/integrations/keys/${key.id}`)
    throw error
  }
}

function MadeFor({ id, made, onUsed }: { id: ProgramId; made: Made; onUsed: () => Promise<void> }) {
  const words = FIRST_RUN_TEXTS.program
  const connection = PROGRAMS[id]
  if ('hook' in made) {
    return (
      <>
        <AddressTruth address={made.hook.url} isFor="program" />
        <Connect hook={made.hook} secret="" after={0} />
      </>
    )
  }
  if ('hook' in connection) return null
  const { name, places } = words.programs[id]
  return (
    <>
      <AddressTruth address={location.origin} isFor={connection.isElsewhere ? 'internet' : 'program'} />
      <p class="muted">{words.once}</p>
      {connection.snippets(location.origin, made.key.key).map((snippet, index) => (
        <div key={snippet} class="curl">
          <p>{places[index]}</p>
          <Copyable text={snippet} label={words.snippet(name, index + 1)} />
        </div>
      ))}
      <FirstUse keyId={made.key.id} onUsed={onUsed} />
    </>
  )
}
