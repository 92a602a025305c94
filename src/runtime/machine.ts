// How this server was started and where it can be reached, for what people are told to run and to open.
import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { isStartedBySystemd } from './config.ts'
import { isLoopback } from './setting-values.ts'

export type StartedAs = 'command' | 'checkout' | 'container' | 'systemd'

export function startedAs(): StartedAs {
  if (isStartedBySystemd()) return 'systemd'
  // Also in a container of a developer; the image has no sources.
  if (existsSync(CHECKOUT_MARK)) return 'checkout'
  return CONTAINER_MARKS.some((path) => existsSync(path)) ? 'container' : 'command'
}

// Docker and Podman make these files.
const CONTAINER_MARKS = ['/.dockerenv', '/run/.containerenv']
// The same relative path from src/ and from dist/.
const CHECKOUT_MARK = new URL('../../src', import.meta.url)

// Whether a server with this setting accepts connections of other machines.
export const listensElsewhere = (host: string): boolean => !isLoopback(host) && host !== '::1'

// The IPv4 addresses at which devices in the same network reach this machine. Those of a container are of no use to them.
export function networkAddresses(host: string): string[] {
  if (startedAs() === 'container') return []
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  const own = all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address)
  return own.includes(host) ? [host] : own
}
