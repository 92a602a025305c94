// The signed-in account. Scripts cannot read the session cookie, so the state comes from the server's responses.
import { signal } from '@preact/signals'
import type { AccountView, SessionView } from '../../../src/contract/accounts/account.ts'
import { ApiError, api, isUnreachable, messageOf, whenSignedOut } from '../api/client.ts'
import { TEXTS } from '../texts/base.ts'
import { deleteValues, readValue, storeValue } from './browser-store.ts'
import { removeThisBrowser } from './this-browser.ts'
import { showToast } from './toasts.ts'

export type Session =
  | { state: 'starting' }
  | { state: 'signed-out'; message?: string }
  | { state: 'signed-in'; account: AccountView; isOffline: boolean }

export const session = signal<Session>({ state: 'starting' })

whenSignedOut(() => {
  if (session.value.state === 'signed-in') session.value = { state: 'signed-out', message: TEXTS.signIn.ended }
})

// Says only that somebody was signed in here; the server knows whether they still are.
const WAS_SIGNED_IN = 'was-signed-in'
export const wasSignedIn = (): boolean => localStorage.getItem(WAS_SIGNED_IN) !== null

export async function startSession(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('signin')
  followOtherTabs()
  if (!code) return loadAccount()
  // Remove the one-time code from the URL and the history.
  history.replaceState(null, '', location.pathname)
  await signIn(code)
}

// Accepts the code or the whole sign-in link. A used link does not end the session that this browser has.
export async function signIn(text: string): Promise<void> {
  const code = /#signin=(\S+)/.exec(text)?.[1] ?? text.trim()
  let begun: SessionView
  try {
    begun = await api.post<SessionView>('/auth/session', { code })
  } catch (error) {
    await loadAccount()
    if (session.value.state === 'signed-in') showToast(TEXTS.signIn.linkUnused(messageOf(error)))
    else session.value = { state: 'signed-out', message: messageOf(error) }
    return
  }
  if (begun.used_kept_link) usedKeptLink.value = true
  else await signedIn()
}

// The person has used the link that they kept, and is asked for another way before they go on.
export const usedKeptLink = signal(false)

export async function signInWithPasskey(): Promise<void> {
  try {
    await (await import('../api/passkeys.ts')).usePasskey()
  } catch (error) {
    session.value = { state: 'signed-out', message: messageOf(error) }
    return
  }
  await signedIn()
}

// The server has begun a session of this browser.
export async function signedIn(): Promise<void> {
  await loadAccount()
  otherTabs?.postMessage('signed-in')
}

export async function loadAccount(): Promise<void> {
  try {
    setAccount(await api.get<AccountView>('/auth/me'))
  } catch (error) {
    const last = isUnreachable(error) ? await readValue('last-account') : undefined
    if (last) session.value = { state: 'signed-in', account: last, isOffline: true }
    else session.value = { state: 'signed-out', ...(!isUnauthorized(error) && { message: messageOf(error) }) }
  }
}

export function setAccount(account: AccountView): void {
  session.value = { state: 'signed-in', account, isOffline: false }
  localStorage.setItem(WAS_SIGNED_IN, account.id)
  // Used only when the console next starts without a network.
  storeValue('last-account', account).catch(() => {})
}

// `isEverywhere`: all sessions of the account end, and not only the one of this browser.
export async function signOut({ isEverywhere = false } = {}): Promise<void> {
  await removeThisBrowser()
  await api.delete(isEverywhere ? '/auth/sessions?current=true' : '/auth/session').catch((error) => {
    if (!isUnauthorized(error)) throw error
  })
  await deleteValues('last-inbox', 'last-account', 'envelope-key')
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('draft:')) sessionStorage.removeItem(key)
  localStorage.removeItem(WAS_SIGNED_IN)
  otherTabs?.postMessage('signed-out')
  session.value = { state: 'signed-out' }
}

// All tabs of a browser have one session.
let otherTabs: BroadcastChannel | undefined

function followOtherTabs(): void {
  otherTabs = new BroadcastChannel('session')
  otherTabs.onmessage = ({ data }: MessageEvent<'signed-in' | 'signed-out'>) => {
    if (data === 'signed-in') void signedInElsewhere()
    else if (session.value.state === 'signed-in') {
      session.value = { state: 'signed-out', message: TEXTS.signIn.endedElsewhere }
    }
  }
}

// Reloads the page for another account, so that nothing of the one before it stays.
async function signedInElsewhere(): Promise<void> {
  const before = session.value
  await loadAccount()
  const after = session.value
  if (before.state === 'signed-in' && after.state === 'signed-in' && before.account.id !== after.account.id) {
    location.reload()
  }
}

const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.status === 401
