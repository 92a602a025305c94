// The program that was chosen of the tiles. It gets a key that is limited to what it needs, or a webhook; its snippets are shown
// with the secret in them.
import '../styles/hooks.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { HookWithUrl } from '../../../src/contract/hooks.ts'
import type { KeyWithSecret } from '../../../src/contract/keys/keys.ts'
import { api } from '../api/client.ts'
import { Connect } from '../hooks/connect.tsx'
import { ACCOUNT_HOOKS } from '../hooks/paths.ts'
import { AddressTruth } from '../phones/address-truth.tsx'
import { attempt } from '../state/toasts.ts'
import { FIRST_RUN_TEXTS, type ProgramId } from '../texts/first-run.ts'
import type { HookKind } from '../texts/hook-tools.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { FirstUse } from './first-use.tsx'
import { type KeyPermissions, PROGRAMS } from './programs.ts'

// What was made for a program; its secret cannot be read again.
export type Made = { key: KeyWithSecret } | { hook: HookWithUrl }

type ChosenProgramProps = {
  id: ProgramId
  made: Made | undefined
  onMade: (made: Made) => void
  // It has sent its first request.
  onUsed: () => Promise<void>
}

const MOST_NAME_CHARS = 64

export function ChosenProgram({ id, made, onMade, onUsed }: ChosenProgramProps) {
  const section = useRef<HTMLElement>(null)
  // Below all tiles, which on a phone is far from the one that was chosen.
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <section ref={section} class="program" aria-label={FIRST_RUN_TEXTS.program.programs[id].name}>
      {made ? <MadeFor id={id} made={made} onUsed={onUsed} /> : <MakeFor id={id} onMade={onMade} />}
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

// Makes a key for the hook, because the default key, which hooks use otherwise, may do everything.
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
    return <Connect hook={made.hook} secret="" after={0} />
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
