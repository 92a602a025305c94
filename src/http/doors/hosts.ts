// Host names at whose root a door is, for senders that take a host and no path.
import type { IncomingMessage } from 'node:http'
import type { Config } from '../../runtime/settings.ts'

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
  return ({ headers }, path) => {
    const host = headers.host?.toLowerCase() ?? ''
    // A setting without a port is for every port.
    return (prefixes.get(host) ?? prefixes.get(host.replace(/:\d+$/, '')) ?? '') + path
  }
}
