// The first steps: send a notification, get it in this browser and on a phone, connect a program. Each ticks itself off.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api } from '../api/client.ts'
import { AddThisBrowser } from '../devices/add-this-browser.tsx'
import { ADD_PHONE } from '../phones/paths.ts'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { FIRST_RUN_TEXTS } from '../texts/first-run.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { Waiting } from '../ui/page.tsx'
import { ConnectProgram } from './connect-program.tsx'
import { sendCommand } from './programs.ts'
import { loadSteps, STEP_EVENTS, type Steps, stepsOf } from './steps.ts'
import { FIRST_RUN, hideFirstRun } from './visibility.ts'

export function Checklist({ accountId }: { accountId: string }) {
  const { route } = useLocation()
  const { value, error, reload } = useLoaded(loadSteps, { on: STEP_EVENTS })
  if (!value) return <Waiting error={error} retry={reload} />
  const hide = () => {
    hideFirstRun(accountId)
    route('/app/')
  }
  const steps = stepsOf(value)
  const states = [steps.sent, steps.browser, steps.phone !== undefined, steps.program]
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
      <ol class="first-run-steps">
        <SendStep isDone={steps.sent} newestId={value.newestId} />
        <BrowserStep isDone={steps.browser} isNext={next === 1} onAdded={reload} />
        <PhoneStep phone={steps.phone} isNext={next === 2} />
        <ProgramStep isDone={steps.program} />
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

function PhoneStep({ phone, isNext }: { phone: Steps['phone']; isNext: boolean }) {
  const words = FIRST_RUN_TEXTS.phone
  return (
    <Step title={words.title} text={phone ? words.done(phone.name) : words.text} isDone={phone !== undefined}>
      <div class="first-run-actions">
        <a class={isNext ? 'button button-primary' : 'button button-plain'} href={ADD_PHONE}>
          <Icon name="device" size={18} />
          {phone ? words.again : words.button}
        </a>
      </div>
    </Step>
  )
}

function ProgramStep({ isDone }: { isDone: boolean }) {
  const words = FIRST_RUN_TEXTS.program
  return (
    <Step title={words.title} text={isDone ? words.done : words.text} isDone={isDone}>
      <ConnectProgram />
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
