// The console's session: a full-access token in an HttpOnly cookie. Browsers send cookies with requests of other sites
// too, so a request with one must prove that it comes from the console's own pages (CSRF).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { LIMITS } from '../contract/limits.ts'
import { Problem } from '../contract/problems.ts'
import type { Token } from '../domain/token.ts'
import type { Config } from '../runtime/settings.ts'
import { isServedOverHttps } from './public-url.ts'

// A page of another site cannot send a custom header without a CORS preflight, which is refused.
export const CONSOLE_HEADER = 'x-heliograph-console'

export const ConsoleHeaders = Type.Object({
  'X-Heliograph-Console': Type.Literal('1', { description: 'Proves that the request comes from the console’s pages.' }),
})

// With the prefix `__Host-`, browsers accept the cookie only from this host and over TLS.
const cookieName = (config: Config): string => (isServedOverHttps(config) ? '__Host-heliograph' : 'heliograph')

export function setSession(reply: FastifyReply, config: Config, token: Token): void {
  reply.header('set-cookie', cookie(config, token, LIMITS.account.sessionSeconds))
}

export function clearSession(reply: FastifyReply, config: Config): void {
  reply.header('set-cookie', cookie(config, '', 0))
}

function cookie(config: Config, value: string, maxAgeSeconds: number): string {
  const secure = isServedOverHttps(config) ? '; Secure' : ''
  return `${cookieName(config)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}

// A request with an Authorization header is not one of the console.
export const hasSessionCookie = ({ headers }: FastifyRequest, config: Config): boolean =>
  headers.authorization === undefined && headers.cookie?.includes(`${cookieName(config)}=`) === true

// Returns the token of the session, if the request has one. Throws if the request is not from the console's own pages.
export function sessionToken(request: FastifyRequest, config: Config): string | undefined {
  const prefix = `${cookieName(config)}=`
  const pair = request.headers.cookie?.split('; ').find((one) => one.startsWith(prefix))
  if (!pair) return undefined
  requireOwnPage(request)
  return pair.slice(prefix.length)
}

const READING = new Set(['GET', 'HEAD'])

// Sec-Fetch-Site names the origin of a request; `none` is a page that the person opened, which can only read. Browsers
// omit the header over plain HTTP in a home network; there the custom header alone decides, and it cannot be forged
// either.
export function requireOwnPage({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  const reads = READING.has(method)
  const isOurs = site === undefined || site === 'same-origin' || (site === 'none' && reads)
  if (isOurs && (reads || headers[CONSOLE_HEADER] === '1')) return
  throw new Problem(
    'session.foreign_request',
    'The console’s session works only for the console itself; other programs send a token in the header "Authorization: Bearer …".',
  )
}
