// The first steps: send a notification, get it in this browser and on a phone, connect a program. Each ticks itself off.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api } from '../api/client.ts'
import { AddThisBrowser } from '../devices/add-this-browser.tsx'
import { ADD_PHONE } from '../phones/paths.ts'
import { session, setAccount } from '../state/session.ts'
import { attempt } from '../state/toasts.ts'
import type { Loaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { FIRST_RUN_TEXTS } from '../texts/first-run.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Waiting } from '../ui/page.tsx'
import { ConnectProgram } from './connect-program.tsx'
import { sendCommand } from './programs.ts'
import { type Account, type Steps, statesOf, stepsOf, waitingPhone } from './steps.ts'
import { closeFirstRun, FIRST_RUN } from './visibility.ts'

export function Checklist({ accountId, steps: loaded }: { accountId: string; steps: Loaded<Account> }) {
  const { route } = useLocation()
  const { value, error, reload } = loaded
  if (!value) return <Waiting error={error} retry={reload} />
  const hide = () => {
    closeFirstRun(accountId)
    route('/app/')
  }
  const steps = stepsOf(value)
  const states = statesOf(steps)
  const doneCount = states.filter(Boolean).length
  // Its button is the primary one.
  const next = states.indexOf(false)
  return (
    <>
      <header class="first-run-head">
        <div>
          <h2>{FIRST_RUN_TEXTS.title}</h2>
          <p class="muted">{doneCount === states.length ? FIRST_RUN_TEXTS.ready : FIRST_RUN_TEXTS.intro}</p>
        </div>
        <Button look="quiet" size="small" onClick={hide}>
          {FIRST_RUN_TEXTS.hide}
        </Button>
      </header>
      <div class="first-run-progress" role="status">
        <progress class="bar" value={doneCount} max={states.length} aria-label={FIRST_RUN_TEXTS.title} />
        <span class="muted">{FIRST_RUN_TEXTS.progress(doneCount, states.length)}</span>
      </div>
      <YourName />
      <ol class="first-run-steps">
        <SendStep isDone={steps.sent} newestId={value.newestId} />
        <BrowserStep isDone={steps.browser} isNext={next === 1} onAdded={reload} />
        <PhoneStep phone={steps.phone} waiting={waitingPhone(value)} isNext={next === 2} />
        <ProgramStep isDone={steps.program} onUsed={reload} />
      </ol>
      <Demo />
    </>
  )
}

type StepProps = { title: string; text: string; isDone: boolean; children?: ComponentChildren }

function Step({ title, text, isDone, children }: StepProps) {
  return (
    <li class={isDone ? 'card first-run-step first-run-done' : 'card first-run-step'}>
      <span class="first-run-tick">{isDone && <Icon name="check" size={18} />}</span>
      <div class="first-run-body">
        <h3>
          {isDone && <span class="hidden">{FIRST_RUN_TEXTS.isDone} </span>}
          {title}
        </h3>
        <p class="muted">{text}</p>
        {children}
      </div>
    </li>
  )
}

function SendStep({ isDone, newestId }: { isDone: boolean; newestId: number | undefined }) {
  const { route } = useLocation()
  const words = FIRST_RUN_TEXTS.send
  const send = async () => {
    // On a phone, the list would take the place of the checklist as soon as it is not empty.
    if (await attempt(() => api.post('/notifications', words.message))) route(FIRST_RUN, true)
  }
  return (
    <Step title={words.title} text={isDone ? words.done : words.text} isDone={isDone}>
      <div class="first-run-actions">
        {newestId !== undefined && <ButtonLink href={`/app/n/${newestId}`}>{words.show}</ButtonLink>}
        <Button look={isDone ? 'plain' : 'primary'} icon="bell" onClick={send}>
          {isDone ? words.again : words.button}
        </Button>
      </div>
      <details class="first-run-more">
        <summary>{words.curl}</summary>
        <p class="muted">{words.curlHint}</p>
        <div class="curl">
          <Copyable text={sendCommand(location.origin, 'HELIOGRAPH_KEY', words.message)} label={words.curl} />
        </div>
      </details>
    </Step>
  )
}

type BrowserStepProps = { isDone: boolean; isNext: boolean; onAdded: () => Promise<void> }

function BrowserStep({ isDone, isNext, onAdded }: BrowserStepProps) {
  const words = FIRST_RUN_TEXTS.browser
  return (
    <Step title={words.title} text={isDone ? words.done : words.text} isDone={isDone}>
      {!isDone && <AddThisBrowser look={isNext ? 'primary' : 'plain'} onAdded={onAdded} />}
    </Step>
  )
}

// Others see the name. Accounts that the operator names, or that come by an invitation, have one.
function YourName() {
  const current = session.value
  const [name, setName] = useState('')
  if (current.state !== 'signed-in' || current.account.nickname !== null) return null
  const words = FIRST_RUN_TEXTS.yourName
  const save = () => attempt(async () => setAccount(await api.patch('/auth/me', { nickname: name.trim() })))
  return (
    <Form class="card section" onSubmit={save}>
      <div class="inline-form">
        <TextField label={words.label} hint={words.hint} value={name} onInput={setName} maxLength={50} />
        <Button type="submit" disabled={name.trim() === ''}>
          {TEXTS.save}
        </Button>
      </div>
    </Form>
  )
}

type PhoneStepProps = { phone: Steps['phone']; waiting: Steps['phone']; isNext: boolean }

function PhoneStep({ phone, waiting, isNext }: PhoneStepProps) {
  const words = FIRST_RUN_TEXTS.phone
  const text = phone ? words.done(phone.name) : waiting ? words.waiting(waiting.name) : words.text
  return (
    <Step title={words.title} text={text} isDone={phone !== undefined}>
      <div class="first-run-actions">
        <a class={isNext ? 'button button-primary' : 'button button-plain'} href={ADD_PHONE}>
          <Icon name="device" size={18} />
          {phone ? words.again : words.button}
        </a>
      </div>
    </Step>
  )
}

function ProgramStep({ isDone, onUsed }: { isDone: boolean; onUsed: () => Promise<void> }) {
  const words = FIRST_RUN_TEXTS.program
  return (
    <Step title={words.title} text={isDone ? words.done : words.text} isDone={isDone}>
      <ConnectProgram onUsed={onUsed} />
    </Step>
  )
}

function Demo() {
  const { route } = useLocation()
  const [isPlaying, setPlaying] = useState(false)
  const play = async () => {
    const isStarted = await attempt(() => api.post('/demo/run', { mode: 'auto' }), FIRST_RUN_TEXTS.demo.playing)
    setPlaying(isStarted)
    if (isStarted) route('/app/activities')
  }
  return (
    <p class="first-run-demo">
      <span class="muted">{FIRST_RUN_TEXTS.demo.text}</span>
      <Button look="quiet" icon="play" disabled={isPlaying} onClick={play}>
        {FIRST_RUN_TEXTS.demo.button}
      </Button>
    </p>
  )
}
