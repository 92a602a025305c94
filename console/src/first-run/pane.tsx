// The place in the inbox where the checklist is, until all its steps are done or the person hides it.
import './first-run.css'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { isFiltered } from '../inbox/filter.ts'
import { filter, listState, notifications, waiting } from '../inbox/inbox.ts'
import { session } from '../state/session.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { lazy } from '../ui/lazy.tsx'
import { loadSteps, STEP_EVENTS, statesOf, stepsOf } from './steps.ts'
import { hideFirstRun, isHidden, isStarted, progress, startFirstRun } from './visibility.ts'

// As in first-run.css.
const PHONE = '(max-width: 63.99rem)'

const Checklist = lazy(async () => (await import('./checklist.tsx')).Checklist)

// `isAsked`: the address asks for the checklist. `children` are shown in place of it.
type PaneProps = { isAsked: boolean; children: ComponentChildren }

export function FirstRunPane({ isAsked, children }: PaneProps) {
  const current = session.value
  if (current.state !== 'signed-in' || current.isOffline) return <>{children}</>
  const accountId = current.account.id
  if (isHidden(accountId) && !isAsked) return <>{children}</>
  return (
    <UntilDone accountId={accountId} isAsked={isAsked}>
      {children}
    </UntilDone>
  )
}

// One component for all cases, so that a snippet stays on the page when its address or the list changes.
function UntilDone({ accountId, isAsked, children }: PaneProps & { accountId: string }) {
  const steps = useLoaded(loadSteps, { on: STEP_EVENTS })
  const states = steps.value && statesOf(stepsOf(steps.value))
  const doneCount = states?.filter(Boolean).length
  const isDone = states !== undefined && doneCount === states.length
  const isEmpty =
    listState.value === 'ready' &&
    !isFiltered(filter.value) &&
    notifications.value.length === 0 &&
    waiting.value.length === 0
  // On a phone, one of the two is shown: the list, or the checklist in its place.
  const isAlone = isAsked || isEmpty
  useEffect(() => {
    if (doneCount === undefined || !states) return
    progress.value =
      isDone || isAlone || !matchMedia(PHONE).matches ? undefined : { done: doneCount, all: states.length }
    if (!isDone) startFirstRun(accountId)
    // From the next visit on nothing is loaded for it.
    else hideFirstRun(accountId)
    return () => {
      progress.value = undefined
    }
  }, [doneCount, isAlone])
  // Whoever has just done the last step sees that.
  if (!isAsked && (states ? isDone && !isStarted(accountId) : !isEmpty)) return <>{children}</>
  return (
    <div class={isAlone ? 'first-run first-run-alone' : 'first-run'}>
      <Checklist accountId={accountId} steps={steps} />
    </div>
  )
}
