// Which addresses count as one client.
import { describe, expect, test } from 'vitest'
import { countedAddress } from '../../src/http/connections/client-address.ts'

describe('R43: countedAddress', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (ip, counted) => {
    expect(countedAddress(ip)).toBe(counted)
  })

  test.each([
    ['203.0.113.7:49152', '203.0.113.7'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ])('%s, as some proxies write it, counts as %s', (ip, counted) => {
    expect(countedAddress(ip)).toBe(counted)
  })

  test.each(['unknown', 'a:b', ':::', '_hidden:x', ''])('"%s" is not an address and counts unchanged', (ip) => {
    expect(countedAddress(ip)).toBe(ip)
  })
})
