// The codes of links by which people join: /app/#share=CODE an activity, /app/#org=CODE an organization. Browsers send no
// fragment, so a code reaches no server log. It is kept in this tab until the person has decided, also while they sign in.
import { effect, type Signal, signal } from '@preact/signals'

export type JoinLink = {
  // Name of the parameter in the fragment.
  parameter: 'share' | 'org'
  // Page that shows what the code is for and offers to join.
  path: string
  // Empty if no link was opened.
  code: Signal<string>
}

export const SHARE_LINK = createLink('share', '/app/shares/join')
export const ORGANIZATION_LINK = createLink('org', '/app/organizations/join')

const LINKS = [SHARE_LINK, ORGANIZATION_LINK]

function createLink(parameter: JoinLink['parameter'], path: string): JoinLink {
  const stored = `${parameter}-code`
  const code = signal(sessionStorage.getItem(stored) ?? '')
  effect(() => {
    if (code.value) sessionStorage.setItem(stored, code.value)
    else sessionStorage.removeItem(stored)
  })
  return { parameter, path, code }
}

// The link that was opened last and that the person has not decided on yet.
export const openedLink = (): JoinLink | undefined => LINKS.find(({ code }) => code.value)

// Call it before the first render. A link that is opened in a tab with the console only changes the fragment.
export function followJoinLinks(): void {
  takeCode()
  addEventListener('hashchange', takeCode)
}

function takeCode(): void {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const opened = LINKS.find(({ parameter }) => fragment.get(parameter))
  if (!opened) return
  for (const link of LINKS) link.code.value = link === opened ? (fragment.get(link.parameter) ?? '') : ''
  // Removes the code from the URL and the history; the event makes the router read the new path.
  history.replaceState(null, '', opened.path)
  dispatchEvent(new PopStateEvent('popstate'))
}
