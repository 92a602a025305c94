// Settings: nickname, theme, alerts, passkeys, sessions, encryption key, demonstration, the server, signing out.
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { AccountView } from '../../../src/contract/accounts/account.ts'
import { api } from '../api/client.ts'
import { FIRST_RUN } from '../first-run/visibility.ts'
import { envelopeKey, removeKey, setKey } from '../inbox/decryption.ts'
import { LANGUAGES, type Language, language } from '../language.ts'
import { chooseLanguage } from '../load-language.ts'
import { ServerSection } from '../server/server-section.tsx'
import { PasskeySection } from '../sessions/passkey-section.tsx'
import { SESSIONS_PATH, SessionsPage } from '../sessions/sessions-page.tsx'
import { MenuSettings } from '../shell/menu-settings.tsx'
import { APPROVE_PATH, ApprovePage } from '../sign-in/approve-page.tsx'
import { session, setAccount, signOut } from '../state/session.ts'
import { THEMES, theme } from '../state/theme.ts'
import { attempt } from '../state/toasts.ts'
import { ACCOUNT_TEXTS, WAY_IN_TEXTS } from '../texts/account.ts'
import { TEXTS } from '../texts/base.ts'
import { FIRST_RUN_TEXTS } from '../texts/first-run.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { Segments, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'

const { settings } = SETUP_TEXTS

export function SettingsPage() {
  const path = useLocation().path.replace(/\/$/, '')
  if (path === APPROVE_PATH) return <ApprovePage />
  return path === SESSIONS_PATH ? <SessionsPage /> : <AllSettings />
}

function AllSettings() {
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
        <MenuSettings />
        <PasskeySection />
        <section class="card section">
          <h2>{WAY_IN_TEXTS.approve.open}</h2>
          <p class="muted">{WAY_IN_TEXTS.approve.openText}</p>
          <div>
            <ButtonLink icon="device" href={APPROVE_PATH}>
              {WAY_IN_TEXTS.approve.open}
            </ButtonLink>
          </div>
        </section>
        <EncryptionKey />
        <section class="card section">
          <h2>{FIRST_RUN_TEXTS.title}</h2>
          <p class="muted">{FIRST_RUN_TEXTS.settings.text}</p>
          <div>
            <ButtonLink href={FIRST_RUN}>{FIRST_RUN_TEXTS.settings.button}</ButtonLink>
          </div>
        </section>
        <Demo />
        <ServerSection isOperator={current.account.operator === true} />
        <Leave />
      </div>
    </Page>
  )
}

// Each language has its own name for itself, so that people find theirs.
const OPTIONS = Object.entries(LANGUAGES) as [Language, string][]

function LanguageChoice() {
  return <Segments label={SETUP_TEXTS.settings.language} value={language} options={OPTIONS} onChange={chooseLanguage} />
}

function Nickname({ account }: { account: AccountView }) {
  const [name, setName] = useState(account.nickname ?? '')
  const save = () =>
    attempt(async () => setAccount(await api.patch('/auth/me', { nickname: name.trim() || null })), settings.saved)
  return (
    <Form class="card section" onSubmit={save}>
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
    </Form>
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
    <Form class="card section" onSubmit={save}>
      <h2>{settings.encryption}</h2>
      <p class="muted">{settings.encryptionText}</p>
      <div class="inline-form">
        <TextField label={settings.key} hint={settings.keyHint} type="password" value={text} onInput={setText} isCode />
        <Button type="submit" disabled={text.trim() === ''}>
          {settings.keepKey}
        </Button>
      </div>
    </Form>
  )
}

function Demo() {
  const { route } = useLocation()
  const play = async () => {
    if (await attempt(() => api.post('/demo/run', { mode: 'auto' }), settings.demoRuns)) route('/app/activities')
  }
  return (
    <section class="card section">
      <h2>{settings.demo}</h2>
      <p class="muted">{settings.demoText}</p>
      <div>
        <Button icon="play" onClick={play}>
          {settings.runDemo}
        </Button>
      </div>
    </section>
  )
}

function Leave() {
  return (
    <section class="card section">
      <h2>{settings.leave}</h2>
      <p class="muted">{settings.leaveText}</p>
      <div class="card-actions">
        <ConfirmButton
          icon="out"
          text={settings.signOut}
          title={settings.leaveTitle}
          confirmLook="primary"
          work={() => signOut()}
        >
          {settings.leaveText}
        </ConfirmButton>
        <ButtonLink icon="computer" href={SESSIONS_PATH}>
          {ACCOUNT_TEXTS.sessions.link}
        </ButtonLink>
      </div>
    </section>
  )
}
