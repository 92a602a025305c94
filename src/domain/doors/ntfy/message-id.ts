// Message ids of ntfy: exactly 12 letters and digits, because clients tell an id from a time by its length. The id of a
// notification is "n" and the notification's number in base 62 with leading zeros, so it can be turned back.
import type { NotificationId } from '../../notifications/notification.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const MESSAGE_ID_CHARS = 12
const FORM = /^n[0-9A-Za-z]{11}$/

export function messageIdOf(id: NotificationId): string {
  let digits = ''
  for (let rest = id as number; rest > 0; rest = Math.floor(rest / 62)) digits = DIGITS[rest % 62] + digits
  return `n${digits.padStart(MESSAGE_ID_CHARS - 1, '0')}`
}

// Returns undefined for an id that is not of a notification.
export function notificationIdOf(messageId: string): NotificationId | undefined {
  if (!FORM.test(messageId)) return undefined
  let number = 0
  for (const digit of messageId.slice(1)) number = number * 62 + DIGITS.indexOf(digit)
  return number > 0 && Number.isSafeInteger(number) ? (number as NotificationId) : undefined
}

// The id of a message that is no notification: one that waits to be sent, or the answer to a deletion. `random` returns so
// many random letters and digits.
export const newMessageId = (random: (length: number) => string): string => `s${random(MESSAGE_ID_CHARS - 1)}`
