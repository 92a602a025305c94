// E-mail recipients with the state of their confirmation, and the e-mails sent.
import { useState } from 'preact/hooks'
import type { EmailList, RecipientList, RecipientView } from '../../../src/contract/emails.ts'
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { WAY_IN_TEXTS } from '../texts/account.ts'
import { TEXTS } from '../texts/base.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { CardList, Page } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

const { emails } = SETUP_TEXTS
const { email: signInWords } = WAY_IN_TEXTS

// No event tells of a confirmation or of the result of an e-mail.
const REFRESH_MS = 20_000

export function EmailsPage() {
  const recipients = useLoaded(() => api.get<RecipientList>('/emails/recipients'), { everyMs: REFRESH_MS })
  const isEnabled = recipients.value?.email_enabled
  return (
    <Page title={TEXTS.nav.emails} intro={emails.intro}>
      {isEnabled === false && <p class="note note-bad">{emails.off}</p>}
      {isEnabled && <AddRecipient onAdded={recipients.reload} />}
      <CardList loaded={recipients} items={recipients.value?.items} icon="mail" words={emails}>
        {(recipient) => <RecipientCard key={recipient.id} recipient={recipient} onChange={recipients.reload} />}
      </CardList>
      <History />
    </Page>
  )
}

function AddRecipient({ onAdded }: { onAdded: () => Promise<void> }) {
  const [address, setAddress] = useState('')
  const add = async () => {
    if (!(await attempt(() => api.post('/emails/recipients', { address: address.trim() }), emails.linkSent))) return
    setAddress('')
    await onAdded()
  }
  return (
    <Form class="card section" onSubmit={add}>
      <div class="inline-form">
        <TextField
          label={emails.address}
          hint={emails.addressHint}
          type="email"
          value={address}
          onInput={setAddress}
          maxLength={254}
        />
        <Button type="submit" look="primary" disabled={address.trim() === ''}>
          {emails.add}
        </Button>
      </div>
    </Form>
  )
}

function RecipientCard({ recipient, onChange }: { recipient: RecipientView; onChange: () => Promise<void> }) {
  const { id, address, status, created_at, sign_in } = recipient
  const setSignIn = async (chosen: boolean) => {
    await api.patch(`/emails/recipients/${id}`, { sign_in: chosen })
    await onChange()
  }
  const remove = async () => {
    await api.delete(`/emails/recipients/${id}`)
    await onChange()
  }
  return (
    <li class="card">
      <div class="card-head">
        <h2>{address}</h2>
        <span class={`tag tag-${status}`}>{emails.statuses[status]}</span>
      </div>
      <p class="muted card-facts">
        {emails.added} <Ago at={created_at} />
        {sign_in && ` · ${signInWords.chosen}`}
      </p>
      <div class="card-actions">
        {status === 'pending' && (
          <Button
            size="small"
            icon="mail"
            onClick={() => attempt(() => api.post(`/emails/recipients/${id}/resend`), emails.linkSent)}
          >
            {emails.resend}
          </Button>
        )}
        {status === 'verified' && !sign_in && (
          <ConfirmButton
            size="small"
            icon="key"
            text={signInWords.choose}
            title={signInWords.chooseTitle(address)}
            confirmLook="primary"
            work={() => setSignIn(true)}
          >
            {signInWords.chooseText}
          </ConfirmButton>
        )}
        {sign_in && (
          <Button size="small" icon="key" onClick={() => attempt(() => setSignIn(false))}>
            {signInWords.unchoose}
          </Button>
        )}
        <ConfirmButton
          size="small"
          look="danger"
          icon="trash"
          text={emails.remove}
          title={emails.removeTitle(address)}
          work={remove}
        >
          {emails.removeText}
        </ConfirmButton>
      </div>
    </li>
  )
}

function History() {
  const { value } = useLoaded(() => api.get<EmailList>('/emails?limit=20'), { everyMs: REFRESH_MS })
  if (!value || value.items.length === 0) return null
  return (
    <section>
      <h2 class="section-title">{emails.history}</h2>
      <ul class="card plain-list">
        {value.items.map(({ id, to, subject, status, created_at, error }) => (
          <li key={id}>
            <span>
              <strong>{subject}</strong>
              <span class="muted">{to}</span>
              {error && <span class="bad">{error}</span>}
            </span>
            <span class="muted">
              {emails.mailStatuses[status]} · <Ago at={created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
