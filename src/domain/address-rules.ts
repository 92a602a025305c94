// The addresses that outbound requests may reach, since users choose them, and the URLs that can be refused before name
// resolution. Only public addresses and the ranges that the operator has opened are allowed.
import ipaddr from 'ipaddr.js'

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

export type AddressRange = { contains(address: IpAddress): boolean }

// Throws an error for the operator, printed at the start.
export function parseAddressRanges(ranges: readonly string[]): AddressRange[] {
  return ranges.map(parseAddressRange)
}

// Plain http is readable on the way, so it may reach only ranges that the operator has opened.
export function mayReach(addressText: string, protocol: string, opened: readonly AddressRange[]): boolean {
  const address = destinationOf(addressText)
  if (!address) return false
  if (opened.some((range) => range.contains(address))) return true
  return protocol === 'https:' && isPublic(address)
}

// Completes the sentence "callback_url …". Undefined if the URL is allowed so far; its name is resolved later.
export function forbiddenUrlReason(text: string, allow: readonly string[], requireHttps = true): string | undefined {
  if (!URL.canParse(text)) return 'must be a complete URL with a host'
  const url = new URL(text)
  if (url.protocol !== 'https:' && (requireHttps || url.protocol !== 'http:')) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (PORTS_OF_OTHER_PROTOCOLS.has(Number(url.port))) return 'must not name the port of another protocol'
  // The URL parser has normalized every spelling of an IPv4 address to four decimal parts.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(host) || mayReach(host, url.protocol, parseAddressRanges(allow))) return undefined
  return 'points to an address that is not allowed'
}

// Ports of mail, shells and databases.
const PORTS_OF_OTHER_PROTOCOLS = new Set([
  21, 22, 23, 25, 53, 110, 135, 139, 143, 389, 445, 465, 587, 636, 993, 995, 1433, 2049, 2375, 3306, 3389, 5432, 5672,
  5900, 6379, 11211, 27017,
])

// The canonical form of a range: network/bits, and IPv4 as IPv4.
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
  // Addresses are compared as IPv4, so a range of IPv4-mapped addresses would never match.
  if (bits < MAPPED_PREFIX_BITS) throw notARange(text)
  return [network.toIPv4Address(), bits - MAPPED_PREFIX_BITS]
}

const MAPPED_PREFIX_BITS = 96

const notARange = (text: string) => new Error(`"${text}" is not an address range such as 192.168.1.0/24 or fd00::/8`)

const NAT64 = parseAddressRange('64:ff9b::/96')
const GLOBAL_UNICAST = parseAddressRange('2000::/3')
// Cloud metadata services have private addresses, except Azure's.
const AZURE_METADATA = parseAddressRange('168.63.129.16/32')

// IPv4-mapped and NAT64 addresses lead to an IPv4 destination and are judged as that IPv4 address. The obsolete forms
// (compatible, 6to4, Teredo) count as not public.
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
