// The page that adds a phone: which kind of device, which app, and the steps for it.
import { SignInCode } from './sign-in-code.tsx'
import { type PictureStep, PictureSteps } from './step-picture.tsx'
import '../styles/joining.css'
import './phones.css'
import { useState } from 'preact/hooks'
import { INSTALL } from '../../../src/contract/clients.ts'
import type { AppKind } from '../../../src/contract/devices.ts'
import { PHONE_TEXTS } from '../texts/phones.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Page } from '../ui/page.tsx'
import { AddApp } from './add-app.tsx'
import { AddBark } from './add-bark.tsx'
import { type Option, Options } from './options.tsx'

type Kind = keyof typeof PHONE_TEXTS.kinds

const KINDS: Option<Kind>[] = [
  { value: 'iphone', icon: 'device', ...PHONE_TEXTS.kinds.iphone },
  { value: 'android', icon: 'device', ...PHONE_TEXTS.kinds.android },
  { value: 'computer', icon: 'computer', ...PHONE_TEXTS.kinds.computer },
  { value: 'terminal', icon: 'next', ...PHONE_TEXTS.kinds.terminal },
]

export function AddPhonePage() {
  const [kind, setKind] = useState<Kind>()
  return (
    <Page
      title={PHONE_TEXTS.title}
      intro={PHONE_TEXTS.intro}
      actions={
        <ButtonLink icon="back" href="/app/devices">
          {PHONE_TEXTS.back}
        </ButtonLink>
      }
    >
      <Options label={PHONE_TEXTS.choose} options={KINDS} value={kind} onChange={setKind} />
      {kind === 'iphone' && <Iphone />}
      {kind === 'android' && <Android />}
      {kind === 'computer' && <Computer />}
      {kind === 'terminal' && <Terminal />}
    </Page>
  )
}

const APPS: Option<AppKind | 'console'>[] = [
  { value: 'ntfy', icon: 'bell', ...PHONE_TEXTS.apps.ntfy },
  { value: 'gotify', icon: 'bell', ...PHONE_TEXTS.apps.gotify },
  { value: 'console', icon: 'sun', ...PHONE_TEXTS.apps.console },
]

const IPHONE_APPS: Option<'bark' | 'console'>[] = [
  { value: 'bark', icon: 'bell', ...PHONE_TEXTS.apps.bark },
  { value: 'console', icon: 'sun', ...PHONE_TEXTS.apps.console },
]

function Iphone() {
  const [app, setApp] = useState<'bark' | 'console'>('console')
  return (
    <>
      <Options label={PHONE_TEXTS.chooseApp} options={IPHONE_APPS} value={app} onChange={setApp} />
      {app === 'console' && <ConsoleOnPhone steps={PHONE_TEXTS.steps.iphone} />}
      {app === 'bark' && <AddBark />}
    </>
  )
}

function Android() {
  const [app, setApp] = useState<AppKind | 'console'>()
  return (
    <>
      <Options label={PHONE_TEXTS.chooseApp} options={APPS} value={app} onChange={setApp} />
      {app === 'console' && <ConsoleOnPhone steps={PHONE_TEXTS.steps.android} />}
      {app !== undefined && app !== 'console' && <AddApp key={app} app={app} />}
    </>
  )
}

function Computer() {
  return (
    <section class="card phone-part">
      <p>{PHONE_TEXTS.computerText}</p>
      <Copyable text={`${location.origin}/app/`} label={PHONE_TEXTS.consoleAddress} />
      <p class="muted">{PHONE_TEXTS.computerHere}</p>
    </section>
  )
}

function Terminal() {
  const commands = [
    INSTALL.commandLine(location.origin),
    `heliograph login ${location.origin}`,
    'heliograph inbox --follow',
  ]
  return (
    <section class="card phone-part">
      <p>{PHONE_TEXTS.terminalText}</p>
      {commands.map((command) => (
        <Copyable key={command} text={command} label={command} />
      ))}
    </section>
  )
}

// A code that signs in on the phone, and the steps as pictures.
function ConsoleOnPhone({ steps }: { steps: readonly PictureStep[] }) {
  return (
    <>
      <SignInCode />
      <section class="card phone-part">
        <h2>{PHONE_TEXTS.stepsTitle}</h2>
        <PictureSteps steps={steps} />
      </section>
    </>
  )
}
