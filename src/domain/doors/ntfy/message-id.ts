// Message ids of ntfy: exactly 12 letters and digits, because clients tell an id from a time by its length.
import { createHash } from 'node:crypto'
import type { UserId } from '../../caller.ts'
import type { NotificationId } from '../../notifications/notification.ts'
import { fromDigits, toDigits } from '../number-digits.ts'

const MESSAGE_ID_CHARS = 12
const FORM = /^n[0-9A-Za-z]{11}$/

// What senders get, and the name of the sequence of a message that its sender gave none: "n" and the notification's number in
// base 62 with leading zeros, so it can be turned back.
export const messageIdOf = (id: NotificationId): string => `n${toDigits(id, MESSAGE_ID_CHARS - 1)}`

// Returns undefined for an id that is not of a notification.
export const notificationIdOf = (messageId: string): NotificationId | undefined =>
  FORM.test(messageId) ? (fromDigits(messageId.slice(1)) as NotificationId | undefined) : undefined

// The place of a message in the order of all that apps of an account get, over all topics: the number of its event, and its
// index among the messages of that event.
export type Place = { event: number; index: number }

const TAG_CHARS = 2
const EVENT_CHARS = 7
const INDEX_CHARS = 2
const PLACE_FORM = /^e[0-9A-Za-z]{11}$/

// What apps get: the place of the message, so that `since=<id>` is a position. Apps ignore a message whose id they know, so a
// part of the id tells accounts apart that use the same phone one after the other.
export const placedIdOf = (userId: UserId, { event, index }: Place): string =>
  `e${accountTag(userId)}${toDigits(event, EVENT_CHARS)}${toDigits(index, INDEX_CHARS)}`

// Returns undefined for an id of another form or account.
export function placeOf(userId: UserId, messageId: string): Place | undefined {
  if (!PLACE_FORM.test(messageId) || messageId.slice(1, 1 + TAG_CHARS) !== accountTag(userId)) return undefined
  const digits = messageId.slice(1 + TAG_CHARS)
  return { event: fromDigits(digits.slice(0, EVENT_CHARS)) ?? 0, index: fromDigits(digits.slice(EVENT_CHARS)) ?? 0 }
}

const accountTag = (userId: UserId): string => {
  const [first = 0, second = 0] = createHash('sha256').update(userId).digest()
  return `${toDigits(first % 62, 1)}${toDigits(second % 62, 1)}`
}

// The id of a message that is no notification: one that waits to be sent, or the answer to a deletion. `random` returns so
// many random letters and digits.
export const newMessageId = (random: (length: number) => string): string => `s${random(MESSAGE_ID_CHARS - 1)}`
