// Sessions: the full-access tokens of an account, as the person sees and ends them.
import type { SESSION_KINDS } from '../../contract/accounts/session.ts'
import type { Instant } from '../instant.ts'
import type { TokenHash } from '../token.ts'

export type SessionId = string & { readonly of: 'session' }

export type Session = {
  id: SessionId
  tokenHash: TokenHash
  kind: (typeof SESSION_KINDS)[number]
  name: string | null
  createdAt: Instant
  // To the minute.
  lastUsedAt: Instant | null
}

// In this order: Edge and Opera name Chrome, and Chrome names Safari.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
// Android names Linux, and an iPhone names Mac OS X.
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

const MOST_CHARS = 64

// A name by which the person recognizes the session, made of the User-Agent of the request that signed in. A program is
// called by its own name; an unknown browser by none.
export function sessionName(userAgent: string | undefined): string | null {
  if (!userAgent) return null
  const first = (names: readonly [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [first(BROWSERS), first(SYSTEMS)]
  if (browser) return system ? `${browser} on ${system}` : browser
  if (system) return system
  const program = /^([A-Za-z][\w. -]*)/.exec(userAgent)?.[1]?.trim()
  return program ? program.slice(0, MOST_CHARS) : null
}
