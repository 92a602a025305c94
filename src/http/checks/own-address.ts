// Refuses requests that a page of another site makes a browser send, by their Origin and Host. With DNS rebinding such a
// page reaches this server under the name of its own site, which is then in both headers.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../contract/problems.ts'
import { excerpt } from '../../contract/validation.ts'
import type { Config } from '../../runtime/settings.ts'

export function requireOwnAddress(request: FastifyRequest, config: Config): void {
  const { hostname, headers } = request
  if (!isOwnHost(hostname, config)) throw foreign('Host', hostname)
  const { origin } = headers
  if (origin !== undefined && !isOwnOrigin(origin, request, config)) throw foreign('Origin', origin)
}

// An address, and a name without a dot, cannot be the name of another site.
function isOwnHost(hostname: string, { publicUrl }: Config): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (isIP(name) !== 0 || !name.includes('.') || name.endsWith('.localhost')) return true
  return publicUrl !== undefined && new URL(publicUrl).hostname === name
}

function isOwnOrigin(origin: string, { protocol, host }: FastifyRequest, { publicUrl, corsOrigins }: Config): boolean {
  if (origin === `${protocol}://${host}` || corsOrigins.includes(origin)) return true
  return publicUrl !== undefined && new URL(publicUrl).origin === origin
}

const foreign = (header: 'Host' | 'Origin', value: string) =>
  new Problem(
    'request.origin_forbidden',
    `The ${header} "${excerpt(value)}" is not an address of this server; the operator sets HELIOGRAPH_PUBLIC_URL${header === 'Origin' ? ' or HELIOGRAPH_CORS_ORIGINS' : ''}.`,
  )
