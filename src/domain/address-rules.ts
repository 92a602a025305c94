// Which addresses requests of ours may go to, given that users choose them, and which URLs say beforehand that they
// lead elsewhere. Whatever is not plainly on the public Internet is refused; the operator can open ranges.
import ipaddr from 'ipaddr.js'

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

export type AddressRange = { contains(address: IpAddress): boolean }

// Throws with one clear line, for the start-up to print.
export function parseAddressRanges(ranges: readonly string[]): AddressRange[] {
  return ranges.map(parseAddressRange)
}

// Plain http shows its content to everyone on the way, so only addresses the operator opened may be reached by it.
export function mayReach(addressText: string, protocol: string, opened: readonly AddressRange[]): boolean {
  const address = destinationOf(addressText)
  if (!address) return false
  if (opened.some((range) => range.contains(address))) return true
  return protocol === 'https:' && isPublic(address)
}

// Completes the sentence "callback_url …"; undefined when only name resolution can tell.
export function forbiddenUrlReason(text: string, allow: readonly string[], requireHttps = true): string | undefined {
  if (!URL.canParse(text)) return 'must be a complete URL with a host'
  const url = new URL(text)
  if (url.protocol !== 'https:' && (requireHttps || url.protocol !== 'http:')) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (PORTS_OF_OTHER_PROTOCOLS.has(Number(url.port))) return 'must not name the port of another protocol'
  // The parser has already turned every spelling of an IPv4 address into four decimal parts.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(host) || mayReach(host, url.protocol, parseAddressRanges(allow))) return undefined
  return 'points to an address that is not allowed'
}

// An HTTP server never listens here; mail, shells and databases do.
const PORTS_OF_OTHER_PROTOCOLS = new Set([
  21, 22, 23, 25, 53, 110, 135, 139, 143, 389, 445, 465, 587, 636, 993, 995, 1433, 2049, 2375, 3306, 3389, 5432, 5672,
  5900, 6379, 11211, 27017,
])

// The one way in which ranges are written for all who compare addresses with them: network/bits, and IPv4 as IPv4.
export function canonicalAddressRange(text: string): string {
  const [network, bits] = readAddressRange(text)
  return `${network}/${bits}`
}

function parseAddressRange(text: string): AddressRange {
  const [network, bits] = readAddressRange(text)
  return { contains: (address) => address.kind() === network.kind() && address.match(network, bits) }
}

function readAddressRange(text: string): [IpAddress, number] {
  const cidr = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  // Four parts only: ipaddr.js would read 10/8 as 0.0.0.10/8.
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr) && !ipaddr.IPv6.isValidCIDR(cidr)) throw notARange(text)
  const [network, bits] = ipaddr.parseCIDR(cidr)
  if (!(network instanceof ipaddr.IPv6) || !network.isIPv4MappedAddress()) return [network, bits]
  // Addresses are compared as IPv4 where they are: a range of their mapped form would match none of them.
  if (bits < MAPPED_PREFIX_BITS) throw notARange(text)
  return [network.toIPv4Address(), bits - MAPPED_PREFIX_BITS]
}

const MAPPED_PREFIX_BITS = 96

const notARange = (text: string) => new Error(`"${text}" is not an address range such as 192.168.1.0/24 or fd00::/8`)

const NAT64 = parseAddressRange('64:ff9b::/96')
const GLOBAL_UNICAST = parseAddressRange('2000::/3')
// Metadata services stand in private ranges, all but Azure's.
const AZURE_METADATA = parseAddressRange('168.63.129.16/32')

// Two IPv6 forms are another way to write an IPv4 destination, and NAT64 is how an IPv6-only network reaches any:
// both are judged as that IPv4 address. The obsolete forms (compatible, 6to4, Teredo) count as not public.
function destinationOf(text: string): IpAddress | undefined {
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.process(text)
  if (!NAT64.contains(address)) return address
  return new ipaddr.IPv4(address.toByteArray().slice(-4))
}

function isPublic(address: IpAddress): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' ? !AZURE_METADATA.contains(address) : GLOBAL_UNICAST.contains(address)
}
