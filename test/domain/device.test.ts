// Rules for device registrations beyond their schema, the push tokens of a registration, and the device limits.

import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/contract/problems.ts'
import type { UserId } from '../../src/domain/caller.ts'
import { deviceId, registeredTokens, registrationViolations, requireRoomForDevice } from '../../src/domain/devices.ts'
import { instant } from '../../src/domain/instant.ts'
import { CONTRACT_PLANS } from '../../src/domain/plans.ts'

const keys = { p256dh: 'BKey', auth: 'secret' }
const webPush = (endpoint: string) => ({ name: 'B', platform: 'web', web_push: { endpoint, keys } }) as const
const apns = { device_token: 'a1', environment: 'sandbox' } as const

describe('registrationViolations', () => {
  test('a device with one address or none is accepted', () => {
    expect(registrationViolations({ name: 'P', platform: 'ios', apns }, [])).toEqual([])
    expect(registrationViolations({ name: 'T', platform: 'macos' }, [])).toEqual([])
    expect(registrationViolations(webPush('https://push.example.org/x'), [])).toEqual([])
    expect(registrationViolations(webPush('https://203.0.114.9:8443/x'), [])).toEqual([])
  })

  test('a device with both addresses is refused', () => {
    const both = { ...webPush('https://push.example.org/x'), apns }
    expect(registrationViolations(both, [])).toEqual([
      { location: 'body.web_push', message: 'cannot be sent together with apns' },
    ])
  })

  test.each([
    ['http://push.example.org/x', 'must be an https URL'],
    ['ftp://push.example.org/x', 'must be an https URL'],
    ['push.example.org/x', 'must be a complete URL with a host'],
    ['https://user:pw@push.example.org/x', 'must not contain a user name or password'],
    ['https://push.example.org:6379/x', 'must not name the port of another protocol'],
    ['https://127.0.0.1/x', 'points to an address that is not allowed'],
    ['https://2130706433/x', 'points to an address that is not allowed'],
    ['https://[::ffff:10.0.0.1]/x', 'points to an address that is not allowed'],
    ['https://169.254.169.254/x', 'points to an address that is not allowed'],
  ])('R33: the endpoint %s %s', (endpoint, message) => {
    expect(registrationViolations(webPush(endpoint), [])).toEqual([{ location: 'body.web_push.endpoint', message }])
  })

  test('R33: an endpoint in a range that the operator allows is accepted, outside of it refused, and https is required', () => {
    expect(registrationViolations(webPush('https://10.1.2.3/x'), ['10.1.2.3/32'])).toEqual([])
    expect(registrationViolations(webPush('https://10.1.2.4/x'), ['10.1.2.3/32'])).toHaveLength(1)
    expect(registrationViolations(webPush('http://10.1.2.3/x'), ['10.1.2.3/32'])).toHaveLength(1)
  })
})

describe('registeredTokens', () => {
  const registered = { userId: 'u1' as UserId, deviceId: deviceId('d1'), registeredAt: instant(7) }

  test('one per kind of push with an APNs token', () => {
    const all = { ...apns, push_to_start_token: 'b2', widget_push_token: 'c3' }
    const rest = { ...registered, environment: 'sandbox', activityId: null }
    expect(registeredTokens({ name: 'P', platform: 'ios', apns: all }, registered)).toEqual([
      { ...rest, kind: 'alert', token: 'a1' },
      { ...rest, kind: 'push_to_start', token: 'b2' },
      { ...rest, kind: 'widget', token: 'c3' },
    ])
    expect(registeredTokens({ name: 'P', platform: 'ios', apns }, registered)).toEqual([
      { ...rest, kind: 'alert', token: 'a1' },
    ])
  })

  test('one for a browser', () => {
    expect(registeredTokens(webPush('https://push.example.org/x'), registered)).toEqual([
      { ...registered, kind: 'web_push', endpoint: 'https://push.example.org/x', ...keys },
    ])
  })

  test('none for a device that only listens to the event stream', () => {
    expect(registeredTokens({ name: 'T', platform: 'macos' }, registered)).toEqual([])
  })
})

test.each([
  ['free', 3],
  ['paid', 10],
] as const)('the %s plan allows %d devices', (plan, limit) => {
  expect(() => requireRoomForDevice(CONTRACT_PLANS.named(plan), limit - 1)).not.toThrow()
  expect(() => requireRoomForDevice(CONTRACT_PLANS.named(plan), limit)).toThrow(Problem)
  expect(() => requireRoomForDevice(CONTRACT_PLANS.named(plan), limit)).toThrow(`at most ${limit} devices`)
})
