// The place in the inbox where the checklist appears: while the account has no notification, or no device that receives any.
import './first-run.css'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { isFiltered } from '../inbox/filter.ts'
import { filter, listState, notifications, waiting } from '../inbox/inbox.ts'
import { session } from '../state/session.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { lazy } from '../ui/lazy.tsx'
import { isPushable, loadDevices } from './steps.ts'
import { isHidden, isStarted, startFirstRun } from './visibility.ts'

const Checklist = lazy(async () => (await import('./checklist.tsx')).Checklist)

// `isAsked`: the address asks for the checklist. `children` are shown in place of it.
type PaneProps = { isAsked: boolean; children: ComponentChildren }

export function FirstRunPane({ isAsked, children }: PaneProps) {
  const current = session.value
  if (current.state !== 'signed-in' || current.isOffline) return <>{children}</>
  const accountId = current.account.id
  if (isHidden(accountId) && !isAsked) return <>{children}</>
  return (
    <IfNeeded accountId={accountId} isAsked={isAsked}>
      {children}
    </IfNeeded>
  )
}

// One component for all cases, so that a snippet stays on the page when its address or the list changes.
function IfNeeded({ accountId, isAsked, children }: PaneProps & { accountId: string }) {
  const devices = useLoaded(loadDevices, { on: 'device.' }).value
  const isEmpty =
    listState.value === 'ready' &&
    !isFiltered(filter.value) &&
    notifications.value.length === 0 &&
    waiting.value.length === 0
  const isNeeded = isEmpty || (devices !== undefined && !devices.some(isPushable))
  useEffect(() => {
    if (isNeeded) startFirstRun(accountId)
  }, [isNeeded])
  if (!isAsked && !isNeeded && !isStarted(accountId)) return <>{children}</>
  return <FirstRun accountId={accountId} isInPlaceOfList={isAsked || isEmpty} />
}

// On a phone, one of the two is shown: the list, or the checklist in its place.
function FirstRun({ accountId, isInPlaceOfList }: { accountId: string; isInPlaceOfList: boolean }) {
  return (
    <div class={isInPlaceOfList ? 'first-run first-run-alone' : 'first-run'}>
      <Checklist accountId={accountId} />
    </div>
  )
}
