// Answer tickets: a capability to answer one notification or one approval, which only the server can issue.
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ActivityId } from '../../src/domain/activities/activity.ts'
import {
  makeApprovalTicket,
  makeTicket,
  readApprovalTicket,
  readTicket,
} from '../../src/domain/answers/answer-ticket.ts'
import type { UserId } from '../../src/domain/caller.ts'
import type { NotificationId } from '../../src/domain/notifications/notification.ts'

const KEY = Buffer.from(Array.from({ length: 32 }, (_, at) => at))
const OTHER_KEY = Buffer.alloc(32, 1)
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((number) => number as NotificationId)

test('a ticket has the form that an independent implementation produces', () => {
  // Python: base64url(id + hmac(key, b'heliograph/answer/v1' + id, sha256)[:16]) with the id as 8 big-endian bytes.
  expect(makeTicket(KEY, 1 as NotificationId)).toBe('AAAAAAAAAAGXLv4i5C74AJfPp5M-Rv6B')
})

test('a ticket is accepted with the key that made it, and with no other', () => {
  fc.assert(
    fc.property(id, (id) => {
      const ticket = makeTicket(KEY, id)
      expect(ticket).toMatch(/^[A-Za-z0-9_-]{32}$/)
      expect(readTicket(KEY, ticket)).toBe(id)
      expect(readTicket(OTHER_KEY, ticket)).toBeUndefined()
    }),
  )
})

test('a ticket with any bit changed, in the id or in the MAC, is refused', () => {
  fc.assert(
    fc.property(id, fc.nat({ max: 24 * 8 - 1 }), (id, bit) => {
      const bytes = Buffer.from(makeTicket(KEY, id), 'base64url')
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(readTicket(KEY, bytes.toString('base64url'))).toBeUndefined()
    }),
  )
})

test('the MAC of one notification is refused for another', () => {
  const [mine, other] = [makeTicket(KEY, 1 as NotificationId), makeTicket(KEY, 2 as NotificationId)]
  const idChars = 11
  expect(other.slice(0, idChars - 1)).toBe(mine.slice(0, idChars - 1))
  expect(readTicket(KEY, other.slice(0, idChars) + mine.slice(idChars))).toBeUndefined()
})

test('a signature of the same id for another purpose is not a ticket', () => {
  const idBytes = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])
  const proof = createHmac('sha256', KEY).update('heliograph/other/v1').update(idBytes).digest().subarray(0, 16)
  expect(readTicket(KEY, Buffer.concat([idBytes, proof]).toString('base64url'))).toBeUndefined()
})

test.each([
  ['nothing', ''],
  ['one character less', 'AAAAAAAAAAGXLv4i5C74AJfPp5M-Rv6'],
  ['one character more', 'AAAAAAAAAAGXLv4i5C74AJfPp5M-Rv6BA'],
  ['padding', 'AAAAAAAAAAGXLv4i5C74AJfPp5M-Rv6B='],
  ['a line break', 'AAAAAAAAAAGXLv4i5C74AJfPp5M-Rv6B\n'],
  ['the other alphabet of base64', 'AAAAAAAAAAGXLv4i5C74AJfPp5M+Rv6B'],
  ['other characters', '😀'.repeat(16)],
])('a ticket has one valid encoding: %s is refused', (_what, text) => {
  expect(readTicket(KEY, text)).toBeUndefined()
})

describe('a ticket of an approval', () => {
  const round = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  const activityId = fc.uuid().map((uuid) => uuid as ActivityId)
  const recipientId = fc.uuid().map((uuid) => uuid as UserId)
  // With and without an account that the approval is shared with.
  const approval = fc.record({ activityId, round, recipientId }, { requiredKeys: ['activityId', 'round'] })

  test('is accepted with the key that made it, with no other, and never in place of a notification ticket or the reverse', () => {
    fc.assert(
      fc.property(approval, id, (approval, id) => {
        const ticket = makeApprovalTicket(KEY, approval)
        expect(ticket).toMatch(approval.recipientId ? /^[A-Za-z0-9_-]{72}$/ : /^[A-Za-z0-9_-]{48}$/)
        expect(readApprovalTicket(KEY, ticket)).toEqual(approval)
        expect(readApprovalTicket(OTHER_KEY, ticket)).toBeUndefined()
        expect(readTicket(KEY, ticket)).toBeUndefined()
        expect(readApprovalTicket(KEY, makeTicket(KEY, id))).toBeUndefined()
      }),
    )
  })

  test('is refused with any bit changed, in the ids, the round or the MAC', () => {
    fc.assert(
      fc.property(approval, fc.nat({ max: 54 * 8 - 1 }), (approval, anyBit) => {
        const bytes = Buffer.from(makeApprovalTicket(KEY, approval), 'base64url')
        const bit = anyBit % (bytes.length * 8)
        bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        expect(readApprovalTicket(KEY, bytes.toString('base64url'))).toBeUndefined()
      }),
    )
  })

  test('of a recipient cannot be cut to a ticket of the owner', () => {
    fc.assert(
      fc.property(approval, recipientId, (approval, recipientId) => {
        const bytes = Buffer.from(makeApprovalTicket(KEY, { ...approval, recipientId }), 'base64url')
        for (const mac of [bytes.subarray(-16), bytes.subarray(-18, -2)]) {
          const cut = Buffer.concat([bytes.subarray(0, 20), mac])
          expect(readApprovalTicket(KEY, cut.toString('base64url'))).toBeUndefined()
        }
      }),
    )
  })
})
