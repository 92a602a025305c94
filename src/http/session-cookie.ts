// The console's session: a full-access token in a cookie that no script reads. A browser sends cookies along whoever
// asks it to, so a request that brings one must prove that it comes from our own pages.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../contract/limits.ts'
import { Problem } from '../contract/problems.ts'
import type { Token } from '../domain/token.ts'
import type { Config } from '../runtime/settings.ts'

// A page of another site cannot send a header of its own without asking us first, and we do not agree.
export const CONSOLE_HEADER = 'x-heliograph-console'

// `__Host-` makes browsers refuse the cookie from anyone but this very host, over TLS.
const cookieName = (config: Config): string => (isSecure(config) ? '__Host-heliograph' : 'heliograph')

const isSecure = ({ publicUrl }: Config): boolean => publicUrl?.startsWith('https:') ?? false

export function setSession(reply: FastifyReply, config: Config, token: Token): void {
  reply.header('set-cookie', cookie(config, token, LIMITS.sessionSeconds))
}

export function clearSession(reply: FastifyReply, config: Config): void {
  reply.header('set-cookie', cookie(config, '', 0))
}

function cookie(config: Config, value: string, maxAgeSeconds: number): string {
  const secure = isSecure(config) ? '; Secure' : ''
  return `${cookieName(config)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}

// The token of the session, if the request brings one; refused unless it comes from our own pages.
export function sessionToken(request: FastifyRequest, config: Config): string | undefined {
  const prefix = `${cookieName(config)}=`
  const pair = request.headers.cookie?.split('; ').find((one) => one.startsWith(prefix))
  if (!pair) return undefined
  requireOwnPage(request)
  return pair.slice(prefix.length)
}

const READING = new Set(['GET', 'HEAD'])

// Browsers say in Sec-Fetch-Site who made the request; `none` is the person, by hand, who can only read that way. Over
// plain HTTP in a home network browsers do not say it: there the header alone decides, and it cannot be forged either.
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
