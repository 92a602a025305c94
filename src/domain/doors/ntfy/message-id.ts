// Message ids of ntfy: exactly 12 letters and digits, because clients tell an id from a time by its length.
import { createHash } from 'node:crypto'
import type { UserId } from '../../caller.ts'
import type { NotificationId } from '../../notifications/notification.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const MESSAGE_ID_CHARS = 12
const FORM = /^n[0-9A-Za-z]{11}$/

// What senders get, and the name of the sequence of a message that its sender gave none: "n" and the notification's number in
// base 62 with leading zeros, so it can be turned back.
export const messageIdOf = (id: NotificationId): string => `n${inBase62(id, MESSAGE_ID_CHARS - 1)}`

// Returns undefined for an id that is not of a notification.
export function notificationIdOf(messageId: string): NotificationId | undefined {
  if (!FORM.test(messageId)) return undefined
  const number = fromBase62(messageId.slice(1))
  return number > 0 && Number.isSafeInteger(number) ? (number as NotificationId) : undefined
}

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
  `e${accountTag(userId)}${inBase62(event, EVENT_CHARS)}${inBase62(index, INDEX_CHARS)}`

// Returns undefined for an id of another form or account.
export function placeOf(userId: UserId, messageId: string): Place | undefined {
  if (!PLACE_FORM.test(messageId) || messageId.slice(1, 1 + TAG_CHARS) !== accountTag(userId)) return undefined
  const digits = messageId.slice(1 + TAG_CHARS)
  return { event: fromBase62(digits.slice(0, EVENT_CHARS)), index: fromBase62(digits.slice(EVENT_CHARS)) }
}

const accountTag = (userId: UserId): string => {
  const [first = 0, second = 0] = createHash('sha256').update(userId).digest()
  return `${DIGITS[first % 62]}${DIGITS[second % 62]}`
}

// The id of a message that is no notification: one that waits to be sent, or the answer to a deletion. `random` returns so
// many random letters and digits.
export const newMessageId = (random: (length: number) => string): string => `s${random(MESSAGE_ID_CHARS - 1)}`

function inBase62(number: number, length: number): string {
  let digits = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) digits = DIGITS[rest % 62] + digits
  return digits.padStart(length, '0')
}

function fromBase62(digits: string): number {
  let number = 0
  for (const digit of digits) number = number * 62 + DIGITS.indexOf(digit)
  return number
}
