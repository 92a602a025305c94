// An escalation policy: the steps that are taken, one after the other, while nobody acknowledges an alert.
import type { EscalationStepInput } from '../contract/escalations.ts'
import { LIMITS } from '../contract/limits.ts'
import type { Target } from '../contract/organizations/target.ts'
import { Problem, type Violation } from '../contract/problems.ts'
import { inOneSentence } from '../contract/validation.ts'
import { forbiddenUrlReason } from './address-rules.ts'
import type { UserId } from './caller.ts'
import { addressKey, isBareAddress } from './emails/address.ts'
import type { EmailDraft } from './emails/email.ts'
import type { TargetIds } from './ids.ts'
import { type Instant, toRfc3339 } from './instant.ts'
import type { NotificationDraft } from './notifications/notification.ts'

export type EscalationId = string & { readonly of: 'escalation policy' }

export type EscalationStep = {
  // Since the alert was sent.
  afterSeconds: number
  level?: NonNullable<EscalationStepInput['level']>
  repeatSeconds?: number
  emails?: string[]
  // As the client gave it, and the ids behind its names. Only in policies of organizations.
  target?: Target
  targetIds?: TargetIds
  callbackUrl?: string
}

export type Escalation = {
  id: EscalationId
  userId: UserId
  slug: string
  name: string
  steps: EscalationStep[]
  createdAt: Instant
  updatedAt: Instant
}

// What an alert keeps of its policy: later changes of the policy do not change it.
export type AlertEscalation = Pick<Escalation, 'slug' | 'name' | 'steps'>

// `outboundAllow`: private ranges that the operator has opened for callbacks.
export function checkSteps(steps: readonly EscalationStepInput[], outboundAllow: readonly string[]): void {
  const errors = steps.flatMap((step, index) => [
    ...orderViolations(steps, index),
    ...effectViolations(step, index),
    ...emailViolations(step, index),
    ...callbackViolations(step, index, outboundAllow),
  ])
  if (errors.length > 0) throw new Problem('escalation.invalid', inOneSentence(errors), { errors })
}

export const stepLocation = (index: number): string => `body.steps[${index}]`

function orderViolations(steps: readonly EscalationStepInput[], index: number): Violation[] {
  const [before, step] = [steps[index - 1], steps[index]]
  if (!before || !step || step.after_seconds > before.after_seconds) return []
  const message = `must be more than the ${before.after_seconds} of the step before`
  return [{ location: `${stepLocation(index)}.after_seconds`, message, value: step.after_seconds }]
}

function effectViolations({ level, emails, target, callback_url }: EscalationStepInput, index: number): Violation[] {
  if (level || emails || target || callback_url) return []
  return [{ location: stepLocation(index), message: 'must have level, emails, target or callback_url' }]
}

function emailViolations({ emails = [] }: EscalationStepInput, index: number): Violation[] {
  const keys = emails.map(addressKey)
  return emails.flatMap((address, place): Violation[] => {
    const location = `${stepLocation(index)}.emails[${place}]`
    if (!isBareAddress(address)) return [{ location, message: 'must be a bare address such as ada@example.org' }]
    return keys.indexOf(addressKey(address)) < place ? [{ location, message: 'must not be given twice' }] : []
  })
}

function callbackViolations(
  { callback_url }: EscalationStepInput,
  index: number,
  outboundAllow: readonly string[],
): Violation[] {
  const message = callback_url === undefined ? undefined : forbiddenUrlReason(callback_url, outboundAllow)
  return message === undefined ? [] : [{ location: `${stepLocation(index)}.callback_url`, message }]
}

export const toStep = (input: EscalationStepInput, targetIds: TargetIds | undefined): EscalationStep => ({
  afterSeconds: input.after_seconds,
  level: input.level,
  repeatSeconds: input.repeat_seconds,
  emails: input.emails,
  target: input.target,
  targetIds,
  callbackUrl: input.callback_url,
})

// The e-mail that a step of an escalation policy sends.
type Alert = { notification: NotificationDraft; escalation: AlertEscalation; sentAt: Instant }

export function escalationMail(to: string, step: number, { notification, escalation, sentAt }: Alert): EmailDraft {
  const { title, body, url } = notification
  const why = `Nobody has acknowledged this alert since ${toRfc3339(sentAt)}. You get this e-mail by step ${step} of the escalation policy "${escalation.name}".`
  return { to, subject: subjectOf(title), text: [body, ...(url ? [url] : []), why].join('\n\n') }
}

// A subject is one line.
const subjectOf = (title: string): string =>
  [...title.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()].slice(0, LIMITS.email.maxSubjectChars).join('') || 'Alert'
