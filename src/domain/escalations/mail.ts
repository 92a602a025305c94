// The e-mail that a step of an escalation policy sends.
import { LIMITS } from '../../contract/limits.ts'
import type { EmailDraft } from '../emails/email.ts'
import { type Instant, toRfc3339 } from '../instant.ts'
import type { NotificationDraft } from '../notifications/notification.ts'
import type { AlertEscalation } from './escalation.ts'

type Alert = { notification: NotificationDraft; escalation: AlertEscalation; sentAt: Instant }

export function escalationMail(to: string, step: number, { notification, escalation, sentAt }: Alert): EmailDraft {
  const { title, body, url } = notification
  const why = `Nobody has acknowledged this alert since ${toRfc3339(sentAt)}. You get this e-mail by step ${step} of the escalation policy "${escalation.name}".`
  return { to, subject: subjectOf(title), text: [body, ...(url ? [url] : []), why].join('\n\n') }
}

// A subject is one line.
const subjectOf = (title: string): string =>
  [...title.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()].slice(0, LIMITS.email.maxSubjectChars).join('') || 'Alert'
