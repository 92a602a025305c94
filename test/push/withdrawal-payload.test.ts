// The push that withdraws banners fits, however many there are.
import { expect, test } from 'vitest'
import type { NotificationId } from '../../src/domain/notifications/notification.ts'
import { apnsWithdrawal, webPushWithdrawal } from '../../src/push/payload/silent.ts'

const idsOf = (ids: number[]) => ids as NotificationId[]

test('a withdrawal is a background push to APNs, with the badge outside of aps', () => {
  const payload = { aps: { 'content-available': 1 }, withdraw: [3, 1], badge: 0 }
  expect(JSON.parse(apnsWithdrawal({ ids: idsOf([1, 3]), badge: 0 }))).toEqual(payload)
})

test('a withdrawal is a message of its own type to the service worker', () => {
  expect(JSON.parse(webPushWithdrawal({ ids: idsOf([1, 3]), badge: 0 }))).toEqual({
    type: 'withdraw',
    withdraw: [3, 1],
    badge: 0,
  })
})

test.each([
  ['apns', apnsWithdrawal, 4096],
  ['web push', webPushWithdrawal, 3993],
] as const)('a withdrawal of more ids than fit has the newest: %s', (_channel, withdraw, limitBytes) => {
  const ids = Array.from({ length: 5000 }, (_, at) => 1_000_000 + at)
  const text = withdraw({ ids: idsOf(ids), badge: 12 })
  const sent: number[] = JSON.parse(text).withdraw
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limitBytes)
  expect(Buffer.byteLength(text)).toBeGreaterThan(limitBytes - '1000000,'.length - 1)
  expect(sent).toEqual(ids.slice(-sent.length).reverse())
})

test('the hundred ids of one request always fit', () => {
  const ids = Array.from({ length: 100 }, (_, at) => Number.MAX_SAFE_INTEGER - at)
  expect(JSON.parse(apnsWithdrawal({ ids: idsOf(ids), badge: Number.MAX_SAFE_INTEGER })).withdraw).toEqual(ids)
  expect(JSON.parse(webPushWithdrawal({ ids: idsOf(ids), badge: Number.MAX_SAFE_INTEGER })).withdraw).toEqual(ids)
})
