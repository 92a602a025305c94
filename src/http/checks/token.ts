// The token of a request: from the Authorization header, or from the console's session cookie; and the caller that it names.
import type { Socket } from 'node:net'
import type { FastifyContextConfig as Config, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Credentials, readCredentials } from '../../operations/authenticate.ts'
import type { Context } from '../../operations/context.ts'
import { sessionToken } from '../session-cookie.ts'

const BEARER = /^bearer ([^ ]+)$/i

export function tokenOf(request: FastifyRequest, { config }: Context, { bearerOnly }: Config): string {
  const { headers } = request
  const token = BEARER.exec(headers.authorization ?? '')?.[1]
  if (token) return token
  // The console sends no Authorization header, so a malformed one does not fall back to the cookie.
  const mayBeConsole = headers.authorization === undefined && !bearerOnly
  const session = mayBeConsole ? sessionToken(request, config) : undefined
  if (session) return session
  throw new Problem('token.invalid', 'Send a token in the header "Authorization: Bearer …".')
}

// A keep-alive connection sends the same token with every request, so the hash of the last one is kept as long as the
// connection. Decision 7 has the figure. Its text is kept with it to recognize it: it is in memory with each of those requests
// anyway, and to compare hashes would mean to hash every time, which takes 1.4 µs.
export function createCredentials(): (connection: Socket, token: string) => Credentials {
  const last = new WeakMap<Socket, { token: string; credentials: Credentials }>()
  return (connection, token) => {
    const known = last.get(connection)
    if (known?.token === token) return known.credentials
    const credentials = readCredentials(token)
    last.set(connection, { token, credentials })
    return credentials
  }
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`the route ${request.routeOptions.url} is public and has no caller`)
  return request.caller
}
