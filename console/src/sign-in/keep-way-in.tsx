// How the person comes back: a passkey, or a link to keep where the browser offers none.
import './sign-in.css'
import { useState } from 'preact/hooks'
import type { KeptSignInLink } from '../../../src/contract/accounts/session.ts'
import { api, messageOf } from '../api/client.ts'
import { signedIn, usedKeptLink } from '../state/session.ts'
import { canUsePasskeys, suggestedName } from '../state/this-browser.ts'
import { WAY_IN_TEXTS } from '../texts/account.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'

const { keep: words } = WAY_IN_TEXTS

export function KeepWayIn({ lead = words.lead, onDone }: { lead?: string; onDone: () => Promise<void> }) {
  const [link, setLink] = useState<string>()
  const { refusal, attempt } = useRefusal(messageOf)
  const addPasskey = async () => {
    const make = async () => (await import('../api/passkeys.ts')).makePasskey(suggestedName())
    if (await attempt(make)) await onDone()
  }
  const makeLink = () => attempt(async () => setLink((await api.post<KeptSignInLink>('/auth/links/kept')).url))
  const hasPasskeys = canUsePasskeys()
  return (
    <div class="sign-in-keep">
      <p class="sign-in-lead">{lead}</p>
      <Refusal words={refusal} />
      {link ? (
        <>
          <p>{words.linkText}</p>
          <Copyable text={link} label={words.linkLabel} />
          <Button look="primary" onClick={onDone}>
            {words.kept}
          </Button>
        </>
      ) : (
        <>
          {hasPasskeys && (
            <Button look="primary" icon="key" onClick={addPasskey}>
              {words.passkey}
            </Button>
          )}
          <Button look={hasPasskeys ? 'plain' : 'primary'} onClick={makeLink}>
            {words.link}
          </Button>
          <Button look="quiet" onClick={onDone}>
            {words.later}
          </Button>
        </>
      )}
    </div>
  )
}

// After the link that the person kept was used: it works once.
export function KeepAgain() {
  const done = async () => {
    usedKeptLink.value = false
    await signedIn()
  }
  return <KeepWayIn lead={words.again} onDone={done} />
}
