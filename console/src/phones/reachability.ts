// Whether a phone can use an address, before anybody types it into one.

export type Reachability = 'loopback' | 'plain-http' | 'https'

export function reachabilityOf(address: string): Reachability {
  const { protocol, hostname } = new URL(address)
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\./.test(hostname) || hostname === '[::1]') {
    return 'loopback'
  }
  return protocol === 'https:' ? 'https' : 'plain-http'
}
