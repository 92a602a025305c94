// How often a message repeats until someone acknowledges it: as chosen in a form, and for the API.
import type { NotificationInput } from '../../../src/contract/notification.ts'

type Acknowledge = NonNullable<NotificationInput['acknowledge']>

// In seconds, as text: the values of select fields.
export type Repetition = { every: string; atMost: string; buttonTitle?: string }

// The server's defaults.
export const USUAL_REPETITION: Repetition = { every: '60', atMost: '3600' }

// Undefined: it is pushed once.
export function repetitionOf(acknowledge: Acknowledge | null | undefined): Repetition | undefined {
  if (!acknowledge) return undefined
  const { repeat_seconds, expire_seconds, action_title } = acknowledge
  return {
    every: String(repeat_seconds ?? USUAL_REPETITION.every),
    atMost: String(expire_seconds ?? USUAL_REPETITION.atMost),
    buttonTitle: action_title,
  }
}

export const toAcknowledge = ({ every, atMost, buttonTitle }: Repetition): Acknowledge => ({
  repeat_seconds: Number(every),
  expire_seconds: Number(atMost),
  ...(buttonTitle && { action_title: buttonTitle }),
})
