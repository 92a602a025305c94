// The address that identifies a client, for the rate limit, for slices and for open connections, and whether it is that of a
// proxy.
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { AddressRange } from '../../domain/address-rules.ts'

// A disconnected client has no address; all of them count as one.
export const clientAddress = (request: FastifyRequest): string => countedAddress(request.ip ?? 'disconnected')

// `[2001:db8::1]:443`, `[2001:db8::1]` and `203.0.113.7:443`, as some proxies name their clients.
const BRACKETS_OR_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/

// A home has one IPv4 address but 2^64 IPv6 addresses. A proxy may also forward something that is not an address.
export function countedAddress(ip: string): string {
  if (!ip.includes(':')) return ip
  const [, ipv6, ipv4] = BRACKETS_OR_PORT.exec(ip) ?? []
  const host = (ipv6 ?? ipv4 ?? ip).replace(/%.*/, '')
  if (!ipaddr.isValid(host)) return ip
  const address = ipaddr.process(host)
  if (address.kind() === 'ipv4') return address.toString()
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

// `trusted`: the ranges of HELIOGRAPH_TRUST_PROXY.
export function isTrustedProxy(remoteAddress: string | undefined, trusted: AddressRange[]): boolean {
  if (remoteAddress === undefined || !ipaddr.isValid(remoteAddress)) return false
  const address = ipaddr.process(remoteAddress)
  return trusted.some((range) => range.contains(address))
}
