// The code of a share link, /app/#share=CODE. Browsers send no fragment, so the code reaches no server log. It is kept in
// this tab until the person has decided, also while they sign in.
import { effect, signal } from '@preact/signals'

// Page that shows what a code shares and offers to join.
export const JOIN_PATH = '/app/shares/join'

const STORED = 'share-code'

export const shareCode = signal(sessionStorage.getItem(STORED) ?? '')

effect(() => {
  if (shareCode.value) sessionStorage.setItem(STORED, shareCode.value)
  else sessionStorage.removeItem(STORED)
})

export function dropShareCode(): void {
  shareCode.value = ''
}

// Call it before the first render. A link that is opened in a tab with the console only changes the fragment.
export function followShareLinks(): void {
  takeCode()
  addEventListener('hashchange', takeCode)
}

function takeCode(): void {
  const code = new URLSearchParams(location.hash.slice(1)).get('share')
  if (!code) return
  shareCode.value = code
  // Removes the code from the URL and the history; the event makes the router read the new path.
  history.replaceState(null, '', JOIN_PATH)
  dispatchEvent(new PopStateEvent('popstate'))
}
