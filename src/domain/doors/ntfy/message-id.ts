// Message ids of ntfy: exactly 12 letters and digits, because clients tell an id from a time by its length. The id of a
// notification is "n" and the notification's number in base 62 with leading zeros, so it can be turned back.
import type { NotificationId } from '../../notifications/notification.ts'
import { fromDigits, toDigits } from '../number-digits.ts'

const MESSAGE_ID_CHARS = 12
const FORM = /^n[0-9A-Za-z]{11}$/

export const messageIdOf = (id: NotificationId): string => `n${toDigits(id, MESSAGE_ID_CHARS - 1)}`

// Returns undefined for an id that is not of a notification.
export const notificationIdOf = (messageId: string): NotificationId | undefined =>
  FORM.test(messageId) ? (fromDigits(messageId.slice(1)) as NotificationId | undefined) : undefined

// The id of a message that is no notification: one that waits to be sent, or the answer to a deletion. `random` returns so
// many random letters and digits.
export const newMessageId = (random: (length: number) => string): string => `s${random(MESSAGE_ID_CHARS - 1)}`
