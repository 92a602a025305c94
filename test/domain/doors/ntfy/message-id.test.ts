// Message ids of ntfy.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messageIdOf, newMessageId, notificationIdOf } from '../../../../src/domain/doors/ntfy/message-id.ts'
import type { NotificationId } from '../../../../src/domain/notifications/notification.ts'

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) as fc.Arbitrary<NotificationId>

test('have 12 letters and digits and are turned back into the notification’s id', () => {
  fc.assert(
    fc.property(id, (drawn) => {
      expect(messageIdOf(drawn)).toMatch(/^[A-Za-z0-9]{12}$/)
      expect(notificationIdOf(messageIdOf(drawn))).toBe(drawn)
    }),
  )
})

test('sort as the notifications do', () => {
  fc.assert(
    fc.property(id, id, (a, b) => {
      expect(messageIdOf(a) < messageIdOf(b)).toBe(a < b)
    }),
  )
})

test.each(['', 'n', 'n00000000000', 'nzzzzzzzzzzz', 'm00000000001', 'n000000000001', 'n0000000000!'])(
  '%s is no notification',
  (text) => {
    expect(notificationIdOf(text)).toBeUndefined()
  },
)

test('an id without a notification has the same form and is told apart', () => {
  const made = newMessageId((length) => 'n'.repeat(length))
  expect(made).toMatch(/^[A-Za-z0-9]{12}$/)
  expect(notificationIdOf(made)).toBeUndefined()
})
