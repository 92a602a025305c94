// The sign-in page: instructions, a field to paste a sign-in link, and passkeys.
import { useEffect, useState } from 'preact/hooks'
import { showTabIcon } from '../alerts/tab-icon.ts'
import { openedLink } from '../state/join-links.ts'
import { session, signIn, signInWithPasskey } from '../state/session.ts'
import { canUsePasskeys } from '../state/this-browser.ts'
import { TEXTS } from '../texts/base.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Mark } from '../ui/icon.tsx'

export function SignInPage() {
  const current = session.value
  const [text, setText] = useState('')
  const link = openedLink()
  useEffect(() => {
    document.title = TEXTS.name
    showTabIcon('plain')
    navigator.clearAppBadge?.().catch(() => {})
  }, [])
  return (
    <main class="sign-in">
      <div class="sign-in-box">
        <Mark size={56} />
        <h1>{TEXTS.name}</h1>
        {current.state === 'starting' ? (
          <p class="muted" role="status">
            {TEXTS.loading}
          </p>
        ) : (
          <>
            {link && <p class="sign-in-lead">{TEXTS.signIn.toJoin[link.parameter]}</p>}
            <p class="sign-in-lead">{TEXTS.signIn.lead}</p>
            <pre class="command">
              <code>{TEXTS.signIn.command}</code>
            </pre>
            <p class="sign-in-message" role="alert">
              {current.state === 'signed-out' && current.message}
            </p>
            <Form onSubmit={() => signIn(text)}>
              <TextField
                label={TEXTS.signIn.paste}
                value={text}
                onInput={setText}
                placeholder={TEXTS.signIn.placeholder}
                isCode
              />
              <Button type="submit" look="primary" disabled={text.trim() === ''}>
                {TEXTS.signIn.submit}
              </Button>
            </Form>
            {canUsePasskeys() && (
              <Button icon="key" onClick={signInWithPasskey}>
                {TEXTS.signIn.passkey}
              </Button>
            )}
            <p class="sign-in-docs">
              <a href="/docs/">{TEXTS.nav.docs}</a>
            </p>
          </>
        )}
      </div>
    </main>
  )
}
