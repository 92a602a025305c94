// The page that adds a phone: which kind of device, which app, and the steps for it.
import { SignInCode } from './sign-in-code.tsx'
import { type PictureStep, PictureSteps } from './step-picture.tsx'
import '../styles/joining.css'
import './phones.css'
import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { INSTALL } from '../../../src/contract/clients.ts'
import type { AppKind } from '../../../src/contract/devices.ts'
import { PHONE_TEXTS } from '../texts/phones.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Page } from '../ui/page.tsx'
import { AddApp } from './add-app.tsx'
import { AddBark } from './add-bark.tsx'
import { AddressTruth } from './address-truth.tsx'
import { Comparison } from './comparison.tsx'
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
      {(kind === 'iphone' || kind === 'android') && <PhoneApps key={kind} phone={kind} />}
      {kind === 'computer' && <Computer />}
      {kind === 'terminal' && <Terminal />}
    </Page>
  )
}

// What can show notifications on a phone, a row each: on which phones, and what adds it.
type App = AppKind | 'bark' | 'console'
type AppRow = Option<App> & { phones: readonly Phone[]; add: (phone: Phone) => ComponentChildren }
type Phone = 'iphone' | 'android'

const APPS: AppRow[] = [
  { value: 'ntfy', icon: 'bell', ...PHONE_TEXTS.apps.ntfy, phones: ['android'], add: () => <AddApp app="ntfy" /> },
  {
    value: 'gotify',
    icon: 'bell',
    ...PHONE_TEXTS.apps.gotify,
    phones: ['android'],
    add: () => <AddApp app="gotify" />,
  },
  { value: 'bark', icon: 'bell', ...PHONE_TEXTS.apps.bark, phones: ['iphone'], add: () => <AddBark /> },
  {
    value: 'console',
    icon: 'sun',
    ...PHONE_TEXTS.apps.console,
    phones: ['iphone', 'android'],
    add: (phone) => <ConsoleOnPhone steps={PHONE_TEXTS.steps[phone]} />,
  },
]

// On an iPhone, the console needs nothing that only an operator or another server has.
const FIRST_CHOICE: Record<Phone, App | undefined> = { iphone: 'console', android: undefined }

function PhoneApps({ phone }: { phone: Phone }) {
  const rows = APPS.filter(({ phones }) => phones.includes(phone))
  const [chosen, setChosen] = useState(FIRST_CHOICE[phone])
  const row = rows.find(({ value }) => value === chosen)
  return (
    <>
      <Options label={PHONE_TEXTS.chooseApp} options={rows} value={chosen} onChange={setChosen} />
      <Comparison apps={rows.map(({ value }) => value)} />
      {row && <Fragment key={row.value}>{row.add(phone)}</Fragment>}
    </>
  )
}

function Computer() {
  return (
    <section class="card phone-part">
      <AddressTruth address={location.origin} isFor="person" />
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
      <AddressTruth address={location.origin} isFor="program" />
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
