// Settings: nickname, theme, alerts, encryption key, demonstration, state of the server, signing out.
import { useState } from 'preact/hooks'
import type { AccountView } from '../../../src/contract/account.ts'
import { AlertSettings } from '../alerts/alert-settings.tsx'
import { api } from '../api/client.ts'
import { envelopeKey, removeKey, setKey } from '../inbox/decryption.ts'
import { ServerChecks } from '../server/checks.tsx'
import { LanguageChoice } from '../shell/language-choice.tsx'
import { session, setAccount, signOut } from '../state/session.ts'
import { THEMES, theme } from '../state/theme.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Segments, TextField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'

const { settings } = TEXTS

export function SettingsPage() {
  const current = session.value
  if (current.state !== 'signed-in') return null
  return (
    <Page title={TEXTS.nav.settings}>
      <div class="sections">
        <Nickname account={current.account} />
        <section class="card section">
          <h2>{settings.look}</h2>
          <Segments
            label={settings.theme}
            value={theme.value}
            options={THEMES.map((name) => [name, settings.themes[name]] as const)}
            onChange={(chosen) => (theme.value = chosen)}
          />
          <LanguageChoice />
        </section>
        <AlertSettings />
        <EncryptionKey />
        <Demo />
        {current.account.operator && <ServerChecks />}
        <Leave />
      </div>
    </Page>
  )
}

function Nickname({ account }: { account: AccountView }) {
  const [name, setName] = useState(account.nickname ?? '')
  const save = () =>
    attempt(async () => setAccount(await api.patch('/auth/me', { nickname: name.trim() || null })), settings.saved)
  return (
    <form
      class="card section"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h2>{settings.account}</h2>
      <div class="inline-form">
        <TextField
          label={settings.nickname}
          hint={settings.nicknameHint}
          value={name}
          onInput={setName}
          maxLength={50}
        />
        <Button type="submit" disabled={name.trim() === (account.nickname ?? '')}>
          {TEXTS.save}
        </Button>
      </div>
    </form>
  )
}

function EncryptionKey() {
  const [text, setText] = useState('')
  const kept = envelopeKey.value
  if (kept) {
    return (
      <section class="card section">
        <h2>{settings.encryption}</h2>
        <p>
          {settings.keyKept} <code>{kept.kid}</code>
        </p>
        <p class="muted">{settings.keyKeptText}</p>
        <div>
          <Button onClick={() => attempt(removeKey, settings.keyRemoved)}>{settings.removeKey}</Button>
        </div>
      </section>
    )
  }
  const save = async () => {
    if (await attempt(() => setKey(text), settings.keySaved)) setText('')
  }
  return (
    <form
      class="card section"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h2>{settings.encryption}</h2>
      <p class="muted">{settings.encryptionText}</p>
      <div class="inline-form">
        <TextField label={settings.key} hint={settings.keyHint} type="password" value={text} onInput={setText} isCode />
        <Button type="submit" disabled={text.trim() === ''}>
          {settings.keepKey}
        </Button>
      </div>
    </form>
  )
}

function Demo() {
  return (
    <section class="card section">
      <h2>{settings.demo}</h2>
      <p class="muted">{settings.demoText}</p>
      <div>
        <Button icon="play" onClick={() => attempt(() => api.post('/demo/run', { mode: 'auto' }), settings.demoRuns)}>
          {settings.runDemo}
        </Button>
      </div>
    </section>
  )
}

function Leave() {
  const [isLeaving, setLeaving] = useState(false)
  return (
    <section class="card section">
      <h2>{settings.leave}</h2>
      <p class="muted">{settings.leaveText}</p>
      <div>
        <Button icon="out" onClick={() => setLeaving(true)}>
          {settings.signOut}
        </Button>
      </div>
      {isLeaving && (
        <Confirm
          title={settings.leaveTitle}
          confirm={settings.signOut}
          look="primary"
          work={signOut}
          onClose={() => setLeaving(false)}
        >
          {settings.leaveText}
        </Confirm>
      )}
    </section>
  )
}
