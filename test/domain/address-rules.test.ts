// Which addresses may be reached, compared with a second table in Node's BlockList, which shares no code with ours.
import { BlockList } from 'node:net'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { forbiddenUrlReason, mayReach, parseAddressRanges } from '../../src/domain/address-rules.ts'

const REFUSED_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // metadata (Azure)
  '169.254.0.0/16', // link-local, metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, metadata (Oracle)
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved
  '255.255.255.255/32', // broadcast
]

const REFUSED_IPV6 = [
  '::/128', // unspecified
  '::1/128', // loopback
  '::/96', // IPv4-compatible
  '::ffff:0:0:0/96', // IPv4-translated
  '64:ff9b:1::/48', // local NAT64
  '100::/64', // discard
  '2001::/23', // protocol assignments
  '2001::/32', // Teredo
  '2001:2::/48', // benchmarking
  '2001:10::/28', // ORCHID
  '2001:20::/28', // ORCHIDv2
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
  '4000::/2', // not assigned
  '5f00::/16', // segment routing
  '8000::/1', // not assigned
  'fc00::/7', // private
  'fe80::/10', // link-local
  'fec0::/10', // site-local
  'ff00::/8', // multicast
]

const refused = new BlockList()
for (const [ranges, family] of [[REFUSED_IPV4, 'ipv4'] as const, [REFUSED_IPV6, 'ipv6'] as const]) {
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    refused.addSubnet(network, Number(bits), family)
  }
}
// Everything below 2000:: is special, except the two IPv4-in-IPv6 ranges, which are tested separately.
refused.addRange('::', '::fffe:ffff:ffff', 'ipv6')
refused.addRange('::1:0:0:0', '64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff', 'ipv6')
refused.addRange('64:ff9b::1:0:0', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ipv6')

const isRefused = (address: string) => refused.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
const reaches = (address: string) => mayReach(address, 'https:', [])

describe('addresses', () => {
  test.each([...REFUSED_IPV4, ...REFUSED_IPV6])(
    '%s is refused from its first to its last address, and its neighbours are treated as in the table',
    (range) => {
      const { first, last, before, after } = edgesOf(range)
      expect(reaches(first)).toBe(false)
      expect(reaches(last)).toBe(false)
      for (const neighbour of [before, after]) {
        if (neighbour) expect([neighbour, reaches(neighbour)]).toEqual([neighbour, !isRefused(neighbour)])
      }
    },
  )

  test.each([
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '168.63.129.17',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2000::',
    '2001:200::',
    '2001:db7:ffff::',
    '2001:db9::',
    '2003::',
    '2606:4700::1111',
    '3ffe:ffff::',
    '3fff:1000::',
  ])('%s, just outside of a refused range, may be reached', (address) => {
    expect(reaches(address)).toBe(true)
  })

  test('any IPv4 address and its IPv6 forms are treated as in the table', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(reaches(address)).toBe(!isRefused(address))
        expect(reaches(`::ffff:${address}`)).toBe(!isRefused(address))
        expect(reaches(`64:ff9b::${address}`)).toBe(!isRefused(address))
      }),
      { numRuns: 2000 },
    )
  })

  test('an obsolete IPv6 form of any IPv4 address is refused', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a, b] = ipaddr.IPv4.parse(address)
          .toIPv4MappedAddress()
          .parts.slice(-2)
          .map((part) => part.toString(16))
        for (const form of [`::${a}:${b}`, `::ffff:0:${a}:${b}`, `2002:${a}:${b}::1`, `2001:0:${a}:${b}::1`]) {
          expect([form, reaches(form)]).toEqual([form, false])
        }
      }),
    )
  })

  test('any IPv6 address is treated as in the table', () => {
    const address = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(address, fc.constantFrom(0x2001, 0x2002, 0x2606, 0x2a00, 0x3fff, undefined), (parts, start) => {
        const text = [start ?? parts[0] ?? 0, ...parts.slice(1)].map((part) => part.toString(16)).join(':')
        expect([text, reaches(text)]).toEqual([text, !isRefused(text)])
      }),
      { numRuns: 2000 },
    )
  })

  test.each(['', 'localhost', '1.2.3.4.5', 'fe80::1%eth0', '[::1]'])(
    '%j is not an address that may be reached',
    (text) => {
      expect(reaches(text)).toBe(false)
    },
  )
})

describe('ranges that the operator allows', () => {
  const opened = parseAddressRanges([
    '192.168.7.0/24',
    '10.1.2.3',
    'fd00:7::/32',
    '127.0.0.1/32',
    '::ffff:172.20.0.0/112',
  ])

  test.each([
    ['192.168.7.0', true],
    ['192.168.7.255', true],
    ['192.168.6.255', false],
    ['192.168.8.0', false],
    ['10.1.2.3', true],
    ['10.1.2.2', false],
    ['10.1.2.4', false],
    ['fd00:7::1', true],
    ['172.20.255.255', true],
    ['::ffff:172.20.0.1', true],
    ['172.21.0.0', false],
    ['fd00:8::1', false],
    ['::ffff:127.0.0.1', true],
    ['64:ff9b::7f00:1', true],
    ['127.0.0.2', false],
    ['::1', false],
  ])('mayReach(%s) is %s', (address, reachable) => {
    expect(mayReach(address, 'https:', opened)).toBe(reachable)
  })

  test('are the only addresses reached over plain http', () => {
    expect(mayReach('192.168.7.9', 'http:', opened)).toBe(true)
    expect(mayReach('93.184.216.34', 'https:', opened)).toBe(true)
    expect(mayReach('93.184.216.34', 'http:', opened)).toBe(false)
  })

  test.each(['10/8', '10.0.0.0/33', 'fd00::/129', 'home.example', '', '10.0.0.0/', '0x7f.0.0.1/8'])(
    '%j is not a range, and the error names it',
    (text) => {
      expect(() => parseAddressRanges(['10.0.0.0/8', text])).toThrow(`"${text}"`)
    },
  )
})

describe('URLs', () => {
  test.each([
    ['', 'complete URL'],
    ['example.com', 'complete URL'],
    ['//example.com/', 'complete URL'],
    ['https://', 'complete URL'],
    ['https:///', 'complete URL'],
    ['https://1.2.3.4.5/', 'complete URL'],
    ['https://256.256.256.256/', 'complete URL'],
    ['https://[fe80::1%25eth0]/', 'complete URL'],
    ['http://example.com/', 'https'],
    ['ftp://example.com/', 'https'],
    ['file:///etc/passwd', 'https'],
    ['gopher://127.0.0.1/', 'https'],
    ['javascript:alert(1)', 'https'],
    ['https://user@example.com/', 'user name'],
    ['https://:secret@example.com/', 'user name'],
    ['https://example.com@127.0.0.1/', 'user name'],
    ['https://127.0.0.1@example.com/', 'user name'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:25/', 'port'],
    ['https://example.com:6379/', 'port'],
    ['https://10.0.0.1/', 'address'],
    ['https://[fd00::1]/', 'address'],
    ['https://127.0.0.1:8080/a.google.com/', 'address'],
  ])('%s is refused', (url, reason) => {
    expect(forbiddenUrlReason(url, [])).toContain(reason)
  })

  test.each([
    'https://example.com/hook?x=1#y',
    'https://example.com:8443/',
    'https://93.184.216.34/',
    'https://[2606:4700::1111]/',
    'https://bücher.example/',
    'https://10.0.0.1.example.com/',
    'https://localhost/',
  ])('%s is not refused before its name is resolved', (url) => {
    expect(forbiddenUrlReason(url, [])).toBeUndefined()
  })

  test('an allowed literal address may be used, over plain http only where https is not required', () => {
    expect(forbiddenUrlReason('https://10.0.0.1/', ['10.0.0.0/8'])).toBeUndefined()
    expect(forbiddenUrlReason('http://10.0.0.1/', ['10.0.0.0/8'])).toContain('https')
    expect(forbiddenUrlReason('http://10.0.0.1/', ['10.0.0.0/8'], false)).toBeUndefined()
    expect(forbiddenUrlReason('http://11.0.0.1/', ['10.0.0.0/8'], false)).toContain('address')
    expect(forbiddenUrlReason('ftp://10.0.0.1/', ['10.0.0.0/8'], false)).toContain('https')
  })
})

function edgesOf(range: string) {
  const [network, bits] = ipaddr.parseCIDR(range)
  const width = network.kind() === 'ipv4' ? 32n : 128n
  const first = BigInt(`0x${Buffer.from(network.toByteArray()).toString('hex')}`)
  const last = first + (1n << (width - BigInt(bits))) - 1n
  return {
    first: toAddress(first, width),
    last: toAddress(last, width),
    before: first === 0n ? undefined : toAddress(first - 1n, width),
    after: last + 1n === 1n << width ? undefined : toAddress(last + 1n, width),
  }
}

function toAddress(value: bigint, width: bigint): string {
  const bytes = Buffer.from(value.toString(16).padStart(Number(width) / 4, '0'), 'hex')
  return ipaddr.fromByteArray([...bytes]).toString()
}
