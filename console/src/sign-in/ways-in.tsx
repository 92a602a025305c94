// The ways in: a passkey, another device, a link by e-mail, a link that the person has, and last the terminal of the server.
import './sign-in.css'
import { useState } from 'preact/hooks'
import type { SignInWays } from '../../../src/contract/accounts/ways-in.ts'
import { api, messageOf } from '../api/client.ts'
import { session, signIn, signInWithPasskey } from '../state/session.ts'
import { canUsePasskeys } from '../state/this-browser.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { WAY_IN_TEXTS } from '../texts/account.ts'
import { TEXTS } from '../texts/base.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'

const AskDevice = lazy(async () => (await import('./ask-device.tsx')).AskDevice)

// `lead`: what the person signs in for.
export function WaysIn({ lead }: { lead?: string }) {
  const current = session.value
  const ways = useLoaded(() => api.get<SignInWays>('/auth/ways')).value
  const [isAsking, setAsking] = useState(false)
  if (isAsking) return <AskDevice onBack={() => setAsking(false)} />
  const hasPasskeys = canUsePasskeys()
  return (
    <>
      {lead && <p class="sign-in-lead">{lead}</p>}
      <p class="sign-in-message" role="alert">
        {current.state === 'signed-out' && current.message}
      </p>
      <div class="sign-in-first">
        {hasPasskeys && (
          <Button look="primary" icon="key" onClick={signInWithPasskey}>
            {WAY_IN_TEXTS.passkey}
          </Button>
        )}
        <Button look={hasPasskeys ? 'plain' : 'primary'} icon="device" onClick={() => setAsking(true)}>
          {WAY_IN_TEXTS.device.open}
        </Button>
      </div>
      {ways?.email && <ByEmail />}
      <ByLink />
      {ways && <Terminal startedAs={ways.started_as} />}
      <p class="sign-in-docs">
        <a href="/docs/">{TEXTS.nav.docs}</a>
      </p>
    </>
  )
}

function ByEmail() {
  const words = WAY_IN_TEXTS.email
  const [address, setAddress] = useState('')
  const [isSent, setSent] = useState(false)
  const { refusal, isBusy, attempt } = useRefusal(messageOf)
  const send = async () => setSent(await attempt(() => api.post('/auth/links/email', { address: address.trim() })))
  return (
    <Form onSubmit={send}>
      <TextField label={words.field} type="email" value={address} onInput={setAddress} maxLength={254} />
      <Button type="submit" icon="mail" disabled={isBusy || address.trim() === ''}>
        {words.send}
      </Button>
      <Refusal words={refusal} />
      <p class="sign-in-note" role="status">
        {isSent && words.sent}
      </p>
    </Form>
  )
}

function ByLink() {
  const words = WAY_IN_TEXTS.link
  const [text, setText] = useState('')
  const signInHere = async () => {
    // An app that was just put on the home screen of an iPhone has one thing left to do.
    if (needsAdding()) history.replaceState(null, '', '/app/devices')
    await signIn(text)
  }
  return (
    <Form onSubmit={signInHere}>
      <TextField label={words.paste} value={text} onInput={setText} placeholder={words.placeholder} isCode />
      <Button type="submit" disabled={text.trim() === ''}>
        {words.submit}
      </Button>
    </Form>
  )
}

const needsAdding = (): boolean => (navigator as { standalone?: boolean }).standalone === true

// The command that prints a sign-in link, in the form of docs/install.md.
const COMMANDS: Record<SignInWays['started_as'], string> = {
  command: 'heliograph signin',
  checkout: './heliograph signin',
  container: 'docker exec CONTAINER heliograph signin',
  systemd: `sudo systemd-run --pipe --wait --uid=heliograph --setenv=HELIOGRAPH_DATA_DIR=/var/lib/heliograph \\
  --property=EnvironmentFile=/etc/heliograph/heliograph.env heliograph signin`,
}

function Terminal({ startedAs }: { startedAs: SignInWays['started_as'] }) {
  const words = WAY_IN_TEXTS.terminal
  return (
    <details class="sign-in-terminal">
      <summary>{words.title}</summary>
      <p class="muted">{words.text[startedAs]}</p>
      <Copyable text={COMMANDS[startedAs]} label={words.command} />
      <p class="muted">{words.user}</p>
    </details>
  )
}
