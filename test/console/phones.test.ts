// Whether a phone can use an address.
import { expect, test } from 'vitest'
import { reachabilityOf } from '../../console/src/phones/reachability.ts'

test.each([
  ['https://h.example/app/', 'https'],
  ['http://192.168.1.5:8080/gotify', 'plain-http'],
  ['http://127.0.0.1:8080', 'loopback'],
  ['https://localhost/ntfy', 'loopback'],
  ['http://[::1]:8080', 'loopback'],
])('%s is %s', (address, reachability) => {
  expect(reachabilityOf(address)).toBe(reachability)
})
