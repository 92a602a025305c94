// Ids of pushes: UUIDs of version 5, the same for the same push on every node and after every restart.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NotificationId } from '../../src/domain/notifications/notification.ts'
import { notificationPushId, uuidBytes, uuidV5 } from '../../src/push/payload/push-id.ts'

const notificationId = (id: number) => id as NotificationId

test('uuidV5 matches the example of RFC 9562, appendix A.4', () => {
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
  expect(uuidV5(uuidBytes(dns), 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
})

test.each([
  [1, 'phone', 0, '8a53fca7-a324-52be-a60e-9d582ba1dd9f'],
  [42, 'Ünïcode-⛅️/x', 7, 'cd360c76-2b5c-56ba-a598-31fea40a4223'],
])('notificationPushId(%i, %s, %i) matches Python’s uuid5 in our namespace', (id, device, repeat, expected) => {
  expect(notificationPushId(notificationId(id), device, repeat)).toBe(expected)
})

test('pushId is a lower-case UUID of version 5 for any push', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.string({ unit: 'grapheme' }), fc.nat({ max: 50 }), (id, device, repeat) => {
      const name = notificationPushId(notificationId(id), device, repeat)
      expect(name).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(notificationPushId(notificationId(id), device, repeat)).toBe(name)
    }),
  )
})

test('pushId differs by notification, device and repeat, for any device name', () => {
  const pushes: [number, string, number][] = [
    [1, 'a', 0],
    [2, 'a', 0],
    [1, 'b', 0],
    [1, 'a', 1],
    [1, '0/a', 1],
    [1, '1/0/a', 0],
    [11, 'a', 0],
    [1, '', 10],
    [1, '0', 1],
  ]
  const names = pushes.map(([id, device, repeat]) => notificationPushId(notificationId(id), device, repeat))
  expect(new Set(names).size).toBe(pushes.length)
})
