// Host names at whose root a door is, for senders that take a host and no path.
import type { IncomingMessage } from 'node:http'
import { FILE_ID_CHARS } from '../../domain/files/file.ts'
import type { Config } from '../../runtime/settings.ts'

const UPLOAD = new RegExp(`^/files/[A-Za-z0-9]{${FILE_ID_CHARS}}$`)

// Returns the function that puts the prefix of the door before the path of a request for such a host.
export function doorPrefixes({
  doors,
  ntfyHost,
  gotifyHost,
}: Config): (request: IncomingMessage, path: string) => string {
  const prefixes = new Map<string, string>()
  if (ntfyHost && doors.includes('ntfy')) prefixes.set(ntfyHost, '/ntfy')
  if (gotifyHost && doors.includes('gotify')) prefixes.set(gotifyHost, '/gotify')
  if (prefixes.size === 0) return (_request, path) => path
  return ({ method, headers }, path) => {
    // The addresses of uploads have the host under which the sender reached the server.
    if (method !== 'POST' && method !== 'PUT' && UPLOAD.test(path)) return path
    const host = headers.host?.toLowerCase() ?? ''
    // A setting without a port is for every port.
    return (prefixes.get(host) ?? prefixes.get(host.replace(/:\d+$/, '')) ?? '') + path
  }
}
