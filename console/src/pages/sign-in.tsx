// The sign-in page: instructions, and a field to paste a sign-in link.
import { useState } from 'preact/hooks'
import { session, signIn } from '../state/session.ts'
import { shareCode } from '../state/share-link.ts'
import { TEXTS } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Mark } from '../ui/icon.tsx'

export function SignInPage() {
  const current = session.value
  const [link, setLink] = useState('')
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
            {shareCode.value && <p class="sign-in-lead">{TEXTS.signIn.toJoin}</p>}
            <p class="sign-in-lead">{TEXTS.signIn.lead}</p>
            <pre class="command">
              <code>{TEXTS.signIn.command}</code>
            </pre>
            <p class="sign-in-message" role="alert">
              {current.state === 'signed-out' && current.message}
            </p>
            <form
              onSubmit={(event) => {
                event.preventDefault()
                void signIn(link)
              }}
            >
              <TextField
                label={TEXTS.signIn.paste}
                value={link}
                onInput={setLink}
                placeholder={TEXTS.signIn.placeholder}
                isCode
              />
              <Button type="submit" look="primary" disabled={link.trim() === ''}>
                {TEXTS.signIn.submit}
              </Button>
            </form>
          </>
        )}
      </div>
    </main>
  )
}
