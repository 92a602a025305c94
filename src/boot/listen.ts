// The listening socket: opening it with messages for the operator, and closing it in bounded time.
import { errorCode, StartError } from '../domain/errors.ts'
import { untilQuietTurn } from '../http/connections/quiet-turn.ts'
import type { HttpServer } from '../http/fastify-types.ts'
import type { Log } from '../runtime/log.ts'
import { mayOpenTooFewFiles, openFilesLimit } from '../runtime/open-files-limit.ts'
import type { Config } from '../runtime/settings.ts'

export type Endpoint = { host: string; port: number }

// Returns the URL.
export async function listen(server: HttpServer, { host, port }: Config): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (error) {
    throw new StartError(listenFailure(error, { host, port }, 'HELIOGRAPH'))
  }
}

// Requests that have not ended after `patienceMs` are cut off: a client that sends slowly must not block the stop.
export async function closeServer(server: HttpServer, patienceMs: number): Promise<void> {
  const listener = server.server
  const timer = setTimeout(() => listener.closeAllConnections(), patienceMs)
  await untilQuietTurn(listener, 'connection')
  // Not left to Fastify: it answers with `Connection: close` first, and proxies would open new connections for as long.
  const ended = new Promise<void>((resolve) => listener.close(() => resolve()))
  await server.close()
  await ended
  clearTimeout(timer)
}

export function warnOfFewOpenFiles(log: Log, { maxConnections }: Config): void {
  const limit = openFilesLimit()
  if (!mayOpenTooFewFiles(limit, maxConnections)) return
  log.warn(
    { open_files: limit, max_connections: maxConnections },
    'the limit of open files is below HELIOGRAPH_MAX_CONNECTIONS; raise it (ulimit -n), or lower the setting',
  )
}

// `prefix`: that of the settings of this endpoint.
export function listenFailure(error: unknown, { host, port }: Endpoint, prefix: string): string {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use; choose another with ${prefix}_PORT`
  return `cannot listen on ${host}:${port} (${code ?? error}); check ${prefix}_HOST and ${prefix}_PORT`
}
