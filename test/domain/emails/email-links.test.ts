// Links in mails can be recomputed by the server, and forged by no one else.
import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../src/domain/answers/answer-ticket.ts'
import {
  confirmationToken,
  type RecipientId,
  readUnsubscribeTicket,
  unsubscribeTicket,
} from '../../../src/domain/emails/email.ts'
import { instant } from '../../../src/domain/instant.ts'
import type { NotificationId } from '../../../src/domain/notifications/notification.ts'

const key = randomBytes(32)
const id = randomUUID() as RecipientId

test('an unsubscribe ticket identifies its recipient, and has one valid encoding', () => {
  const ticket = unsubscribeTicket(key, id)
  expect(ticket).toMatch(/^[A-Za-z0-9_-]{48}$/)
  expect(readUnsubscribeTicket(key, ticket)).toBe(id)
  expect(readUnsubscribeTicket(key, `${ticket}=`)).toBeUndefined()
})

test('a changed ticket, a ticket of another server and a ticket of another kind are refused', () => {
  const ticket = unsubscribeTicket(key, id)
  for (let at = 0; at < ticket.length; at++) {
    const changed = ticket.slice(0, at) + (ticket[at] === 'A' ? 'B' : 'A') + ticket.slice(at + 1)
    expect(readUnsubscribeTicket(key, changed)).toBeUndefined()
  }
  expect(readUnsubscribeTicket(randomBytes(32), ticket)).toBeUndefined()
  expect(readUnsubscribeTicket(key, makeTicket(key, 7 as NotificationId))).toBeUndefined()
})

test('a confirmation token is the same for each attempt of one mail, and different for the next mail', () => {
  const token = confirmationToken(key, id, instant(1000))
  expect(confirmationToken(key, id, instant(1000))).toBe(token)
  expect(confirmationToken(key, id, instant(1001))).not.toBe(token)
  expect(confirmationToken(key, randomUUID() as RecipientId, instant(1000))).not.toBe(token)
  expect(confirmationToken(randomBytes(32), id, instant(1000))).not.toBe(token)
})
