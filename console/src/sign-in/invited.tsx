// What a person without a session sees behind an invitation or a share link: what it is for, and a field for their name.
import './sign-in.css'
import { useState } from 'preact/hooks'
import type { InvitationOffer, InvitedAccount } from '../../../src/contract/accounts/ways-in.ts'
import { ApiError, api, isUnreachable, messageOf } from '../api/client.ts'
import type { JoinLink } from '../state/join-links.ts'
import { signedIn } from '../state/session.ts'
import { showToast } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { WAY_IN_TEXTS } from '../texts/account.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Waiting } from '../ui/page.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'
import { KeepWayIn } from './keep-way-in.tsx'
import { WaysIn } from './ways-in.tsx'

const { invited: words } = WAY_IN_TEXTS

const MOST_NAME_CHARS = 50

export function Invited({ link }: { link: JoinLink }) {
  const { value, error, reload } = useLoaded(() => loadOffer(link.code.value))
  const [hasAccount, setHasAccount] = useState(false)
  const [joined, setJoined] = useState<InvitedAccount>()
  if (joined && value && 'offer' in value) return <KeepWayIn onDone={() => enter(link, joined, value.offer)} />
  if (hasAccount) return <WaysIn lead={words.toJoin} />
  if (!value) return <Waiting error={error} retry={reload} />
  const toSignIn = (
    <Button look="quiet" onClick={() => setHasAccount(true)}>
      {words.hasAccount}
    </Button>
  )
  if ('refusal' in value) {
    return (
      <>
        <Refusal words={value.refusal} />
        {toSignIn}
      </>
    )
  }
  const { offer } = value
  return (
    <>
      <Heading offer={offer} />
      {offer.makes_account ? (
        <>
          <NewAccount link={link} onJoined={setJoined} />
          {toSignIn}
        </>
      ) : (
        <WaysIn lead={words.needsAccount} />
      )}
    </>
  )
}

// A failure to reach the server is thrown: it says nothing about the code and can be retried.
async function loadOffer(code: string): Promise<{ offer: InvitationOffer } | { refusal: string }> {
  try {
    return { offer: await api.post<InvitationOffer>('/auth/invitation', { code }) }
  } catch (error) {
    if (!(error instanceof ApiError) || isUnreachable(error) || error.status >= 500) throw error
    return { refusal: refusalInWords(error) }
  }
}

const refusalInWords = (error: unknown): string =>
  (error instanceof ApiError && words.refusals[error.code]) || messageOf(error)

function Heading({ offer: { kind, org_name = '', owner_nickname, slug, slug_pattern } }: { offer: InvitationOffer }) {
  return (
    <h2 class="sign-in-offer">
      {kind === 'organization' ? words.organization(org_name) : words.share(owner_nickname, slug ?? slug_pattern ?? '')}
    </h2>
  )
}

function NewAccount({ link, onJoined }: { link: JoinLink; onJoined: (joined: InvitedAccount) => void }) {
  const [name, setName] = useState('')
  const { refusal, isBusy, attempt } = useRefusal(refusalInWords)
  const join = () =>
    attempt(async () => {
      const body = { code: link.code.value, name: name.trim() }
      onJoined(await api.post<InvitedAccount>('/auth/session/invitation', body))
    })
  return (
    <Form onSubmit={join}>
      <TextField label={words.name} hint={words.nameHint} value={name} onInput={setName} maxLength={MOST_NAME_CHARS} />
      <Refusal words={refusal} />
      <Button type="submit" look="primary" disabled={isBusy || name.trim() === ''}>
        {words.join}
      </Button>
    </Form>
  )
}

async function enter(link: JoinLink, { org_id, activity_id }: InvitedAccount, offer: InvitationOffer): Promise<void> {
  link.code.value = ''
  const isMember = org_id !== undefined && offer.role === 'member'
  const path = isMember ? '/app/' : org_id ? `/app/organizations/${org_id}` : `/app/activities/${activity_id ?? ''}`
  history.replaceState(null, '', path)
  dispatchEvent(new PopStateEvent('popstate'))
  await signedIn()
  if (isMember) showToast(JOIN_TEXTS.doneIn(offer.org_name ?? ''))
}
