// The passkeys of the account: makes one in this browser, lists them, removes them.
import './account.css'
import { useState } from 'preact/hooks'
import type { PasskeyView } from '../../../src/contract/accounts/passkey.ts'
import { api } from '../api/client.ts'
import { canUsePasskeys } from '../state/this-browser.ts'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

const { passkeys: words } = ACCOUNT_TEXTS

export function PasskeySection() {
  const load = () => api.get<{ items: PasskeyView[] }>('/auth/passkeys')
  const { value, error, reload } = useLoaded(load, { on: 'passkey.' })
  return (
    <section class="card section">
      <h2>{words.title}</h2>
      <p class="muted">{words.text}</p>
      {!value && <Waiting error={error} retry={reload} rows={1} />}
      {value && value.items.length > 0 && (
        <ul class="account-list account-rows">
          {value.items.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemoved={reload} />
          ))}
        </ul>
      )}
      {canUsePasskeys() ? <AddPasskey onAdded={reload} /> : <p class="muted">{words.unavailable(location.origin)}</p>}
    </section>
  )
}

function AddPasskey({ onAdded }: { onAdded: () => Promise<void> }) {
  const [name, setName] = useState('')
  const add = async () => {
    const make = async () => (await import('../api/passkeys.ts')).makePasskey(name.trim())
    if (!(await attempt(make, words.added))) return
    setName('')
    await onAdded()
  }
  return (
    <Form class="inline-form" onSubmit={add}>
      <TextField label={words.name} hint={words.nameHint} value={name} onInput={setName} maxLength={64} />
      <Button type="submit" icon="key" disabled={name.trim() === ''}>
        {words.add}
      </Button>
    </Form>
  )
}

function PasskeyRow({ passkey, onRemoved }: { passkey: PasskeyView; onRemoved: () => Promise<void> }) {
  const { id, name, synced, created_at, last_used_at } = passkey
  const remove = async () => {
    await api.delete(`/auth/passkeys/${id}`)
    await onRemoved()
  }
  return (
    <li>
      <Icon name="key" />
      <span class="account-words">
        <strong dir="auto">{name}</strong>
        <span class="muted">
          {synced ? words.synced : words.oneDevice} · {words.created} <Ago at={created_at} /> ·{' '}
          {last_used_at ? (
            <>
              {words.lastUsed} <Ago at={last_used_at} />
            </>
          ) : (
            words.neverUsed
          )}
        </span>
      </span>
      <ConfirmButton
        size="small"
        look="danger"
        icon="trash"
        text={words.remove}
        label={words.removeOf(name)}
        title={words.removeTitle(name)}
        work={remove}
      >
        {words.removeText}
      </ConfirmButton>
    </li>
  )
}
