// A mail on its way to the mail server: the message, the result that the server reports, and the retry schedule.
import { type Instant, plusSeconds } from '../instant.ts'

export type OutgoingMail = {
  to: string
  subject: string
  text?: string
  html?: string
  // The same on each attempt, so that a mail server can drop the duplicate.
  messageId: string
  sentAt: Instant
  unsubscribeUrl: string
}

export type MailResult =
  | { result: 'accepted' }
  | { result: 'recipient_refused'; reason: string }
  // Permanent, for every recipient: not retried.
  | { result: 'rejected'; reason: string }
  | { result: 'try_later'; reason: string }

// Mail servers scan a message before they answer. Closing the connection earlier makes us send it twice.
export const MAIL_DEADLINE_MS = 60_000

// Entry n - 1 is the delay after attempt n: over a day in all. After the last entry the mail is given up.
export const MAIL_RETRY_SECONDS = [60, 300, 900, 3600, 10_800, 21_600, 46_800] as const

// Undefined if the mail is not retried.
export function nextMailAttemptAt(attempt: number, now: Instant): Instant | undefined {
  const delaySeconds = MAIL_RETRY_SECONDS[attempt - 1]
  return delaySeconds === undefined ? undefined : plusSeconds(now, delaySeconds)
}
