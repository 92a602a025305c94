// How often a message repeats until someone acknowledges it: as chosen in a form, and for the API.
import type { NotificationInput } from '../../../src/contract/notifications/notification.ts'

type Acknowledge = NonNullable<NotificationInput['acknowledge']>

// `every` and `atMost`: in seconds, as text: the values of select fields. `escalation`: the slug of a policy, or empty.
export type Repetition = { every: string; atMost: string; escalation: string; buttonTitle?: string }

// The server's defaults.
export const USUAL_REPETITION: Repetition = { every: '60', atMost: '3600', escalation: '' }

// Undefined: it is pushed once.
export function repetitionOf(acknowledge: Acknowledge | null | undefined): Repetition | undefined {
  if (!acknowledge) return undefined
  const { repeat_seconds, expire_seconds, escalation, action_title } = acknowledge
  return {
    every: String(repeat_seconds ?? USUAL_REPETITION.every),
    atMost: String(expire_seconds ?? USUAL_REPETITION.atMost),
    escalation: escalation ?? '',
    buttonTitle: action_title,
  }
}

export const toAcknowledge = ({ every, atMost, escalation, buttonTitle }: Repetition): Acknowledge => ({
  repeat_seconds: Number(every),
  expire_seconds: Number(atMost),
  ...(escalation && { escalation }),
  ...(buttonTitle && { action_title: buttonTitle }),
})
