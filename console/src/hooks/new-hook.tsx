// A new webhook: the tool, a name, then the address and the first request.
import { useState } from 'preact/hooks'
import type { HookInput, HookWithUrl } from '../../../src/contract/hooks.ts'
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import { api } from '../api/client.ts'
import { loadKeys } from '../keys/load.ts'
import { useKeptDraft } from '../state/kept-draft.ts'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { HOOK_TOOLS, type HookKind } from '../texts/hook-tools.ts'
import { HOOK_TEXTS } from '../texts/hooks.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Page, Waiting } from '../ui/page.tsx'
import { Restored } from '../ui/restored.tsx'
import { Connect } from './connect.tsx'
import { useHookPaths } from './paths.ts'
import { SecretField } from './secret-field.tsx'
import { FIRST_TEMPLATE } from './template/fields.ts'
import { OFFERED_KINDS } from './tools.ts'

type Created = { hook: HookWithUrl; secret: string }

export function NewHook() {
  const [kind, setKind] = useState<HookKind>()
  const [created, setCreated] = useState<Created>()
  const { keys: keysPath } = useHookPaths()
  const { value: keys, error, reload } = useLoaded(() => loadKeys(keysPath), { on: 'key.', key: keysPath })
  if (created) return <CreatedHook {...created} />
  if (!keys) return <Waiting error={error} retry={reload} />
  const senders = keys.filter(({ permissions }) => permissions.notifications !== 'none')
  if (kind) return <HookForm {...{ kind, senders }} onCreated={setCreated} onBack={() => setKind(undefined)} />
  return (
    <Page title={HOOK_TEXTS.create} intro={HOOK_TEXTS.choose} isWide>
      <ul class="tool-tiles">
        {OFFERED_KINDS.map((one) => (
          <li key={one} class="tool-tile">
            <Avatar name={HOOK_TOOLS[one].name} />
            <div>
              <button type="button" class="tool-tile-button" onClick={() => setKind(one)}>
                {HOOK_TOOLS[one].name}
              </button>
              <p class="muted">{HOOK_TOOLS[one].about}</p>
            </div>
          </li>
        ))}
      </ul>
    </Page>
  )
}

type HookFormProps = { kind: HookKind; senders: KeyView[]; onCreated: (created: Created) => void; onBack: () => void }

function HookForm({ kind, senders, onCreated, onBack }: HookFormProps) {
  const { collection, keysPage } = useHookPaths()
  const { name: tool, secretHint } = HOOK_TOOLS[kind]
  const kept = useKeptDraft(`${collection}/new ${kind}`, () => newDraft(kind, tool), 'secret')
  const { draft, change } = kept
  const { name, secret } = draft
  // A key may be made while the form is open, or deleted since it was typed.
  const chosen = senders.find(({ id }) => id === draft.keyId) ?? senders.find(({ is_default }) => is_default)
  const keyId = (chosen ?? senders[0])?.id
  const create = async () => {
    const input: HookInput = {
      name: name.trim(),
      kind,
      key_id: keyId,
      ...(secret && { secret }),
      ...(kind === 'template' && { template: FIRST_TEMPLATE }),
    }
    const hook = await api.post<HookWithUrl>(collection, input)
    kept.forget()
    onCreated({ hook, secret })
  }
  return (
    <Page title={`${HOOK_TEXTS.create}: ${tool}`}>
      <Form class="card form" onSubmit={() => attempt(create)}>
        <Restored kept={kept} />
        <TextField
          label={HOOK_TEXTS.name}
          hint={HOOK_TEXTS.nameHint}
          value={name}
          onInput={(name) => change({ name })}
          maxLength={64}
          required
        />
        {keyId === undefined ? (
          <p class="note">
            {HOOK_TEXTS.noKey} <a href={keysPage}>{HOOK_TEXTS.toKeys}</a>
          </p>
        ) : (
          <SelectField
            label={HOOK_TEXTS.options.key}
            hint={HOOK_TEXTS.keyHint}
            value={keyId}
            options={senders.map(({ id, name }) => [id, name] as const)}
            onChange={(keyId) => change({ keyId })}
          />
        )}
        {secretHint && (
          <SecretField
            label={HOOK_TEXTS.secret}
            hint={`${HOOK_TEXTS.noSecret} ${secretHint}`}
            value={secret}
            onInput={(secret) => change({ secret })}
          />
        )}
        <footer class="dialog-foot">
          <Button onClick={onBack}>{HOOK_TEXTS.otherTool}</Button>
          <Button type="submit" look="primary" disabled={name.trim() === '' || keyId === undefined}>
            {HOOK_TEXTS.submit}
          </Button>
        </footer>
      </Form>
    </Page>
  )
}

type Draft = { name: string; secret: string; keyId: string | undefined }

// The tool's name is a name for the first webhook of it.
const newDraft = (kind: HookKind, tool: string): Draft => ({
  name: kind === 'auto' || kind === 'template' ? '' : tool,
  secret: '',
  keyId: undefined,
})

// The link is below the request: at the top, the banner of the notification would cover it.
function CreatedHook({ hook, secret }: Created) {
  const { home, pageOf } = useHookPaths()
  return (
    <Page title={hook.name}>
      <p class="muted detail-facts">
        <a href={home}>{HOOK_TEXTS.toList}</a>
      </p>
      <Connect hook={hook} secret={secret} after={0} />
      <footer class="dialog-foot">
        <ButtonLink look="primary" href={pageOf(hook.id)}>
          {HOOK_TEXTS.toHook}
        </ButtonLink>
      </footer>
    </Page>
  )
}
