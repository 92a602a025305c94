// Rules for actions that no schema can state: which urls they may open, and which members go with them. Callers choose
// the problem, because widgets and notifications have different codes.
import { Buffer } from 'node:buffer'
import { LIMITS } from '../contract/limits.ts'
import type { Violation } from '../contract/problems.ts'

type ActionRequest = { url: string; method?: string; headers?: Record<string, string>; body?: string }

const FORBIDDEN_SCHEMES = new Set(['javascript', 'data', 'file', 'vbscript'])
const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const HTTP_HOST = /^https?:\/\/[^/?#\\]/i
const CONTROL_CHARACTERS = /\p{Cc}/gu
const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const LINE_BREAK = /[\r\n]/

export function actionViolations(location: string, action: ActionRequest): Violation[] {
  const scheme = schemeOf(asClientsReadIt(action.url))
  return [
    ...urlViolations(`${location}.url`, action.url),
    ...(scheme && !isHttp(scheme) ? requestViolations(location, action, 'an http or https url') : []),
    ...headerViolations(`${location}.headers`, action.headers ?? {}),
  ]
}

export function urlViolations(location: string, url: string): Violation[] {
  const text = asClientsReadIt(url)
  const scheme = schemeOf(text)
  if (!scheme) return [{ location, message: 'must start with a scheme such as https:' }]
  if (FORBIDDEN_SCHEMES.has(scheme)) return [{ location, message: `must not use the scheme ${scheme}:` }]
  if (isHttp(scheme) && !hasHost(text)) return [{ location, message: 'must be an http or https url with a host' }]
  return []
}

export function withUpperCaseMethod<Action extends { method?: string }>(action: Action): Action {
  return action.method === undefined ? action : { ...action, method: action.method.toUpperCase() }
}

function schemeOf(text: string): string | undefined {
  return SCHEME.exec(text)?.[1]?.toLowerCase()
}

const isHttp = (scheme: string | undefined) => scheme === 'http' || scheme === 'https'

export const isHttpUrl = (url: string): boolean => isHttp(schemeOf(asClientsReadIt(url)))

// The parser alone would take the first path segment of http:///path for the host.
const hasHost = (text: string) => HTTP_HOST.test(text) && URL.canParse(text)

// Browsers drop control characters before they read the scheme: java\nscript: would run.
function asClientsReadIt(url: string): string {
  return url.replace(CONTROL_CHARACTERS, '').trim()
}

// The members of a request that an action may have only with such a url.
export function requestViolations(
  location: string,
  { method, headers, body }: Omit<ActionRequest, 'url'>,
  neededUrl: 'a url' | 'an http or https url',
): Violation[] {
  return Object.entries({ method, headers, body })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({ location: `${location}.${name}`, message: `is only possible with ${neededUrl}` }))
}

function headerViolations(location: string, headers: Record<string, string>): Violation[] {
  const entries = Object.entries(headers)
  const violations: Violation[] = []
  if (entries.some(([name]) => !FIELD_NAME.test(name))) {
    violations.push({ location, message: 'must have valid HTTP field names' })
  }
  for (const [name, value] of entries) {
    if (FIELD_NAME.test(name) && LINE_BREAK.test(value)) {
      violations.push({ location: `${location}.${name}`, message: 'must not contain a line break' })
    }
  }
  const bytes = entries.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0)
  if (bytes > LIMITS.action.maxHeaderBytes) {
    violations.push({
      location,
      message: `must have at most ${LIMITS.action.maxHeaderBytes} bytes of names and values`,
    })
  }
  return violations
}
