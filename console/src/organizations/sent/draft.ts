// A notification to an organization as it is composed, and for the API.
import type { NotificationInput, NotificationView } from '../../../../src/contract/notification.ts'
import type { ScheduleInput } from '../../../../src/contract/schedule.ts'
import { hasMessage, type MessageDraft, toMessage } from '../../schedules/message-fields.tsx'
import { isTimingComplete, newTiming, type Timing, toTimingInput } from '../../schedules/timing.ts'
import { EVERYONE, type TargetDraft, toTarget } from '../target.ts'

// In seconds, as text: the values of select fields.
export type Repetition = { every: string; atMost: string }

export type Draft = MessageDraft & {
  level: NotificationView['level']
  // Titles. Empty ones are left out.
  buttons: string[]
  // Undefined: it is pushed once.
  repetition: Repetition | undefined
  timing: Timing
  target: TargetDraft
}

export const newDraft = (): Draft => ({
  title: '',
  body: '',
  level: 'active',
  buttons: [],
  repetition: undefined,
  timing: newTiming('now'),
  target: EVERYONE,
})

export const isComplete = (draft: Draft): boolean => hasMessage(draft) && isTimingComplete(draft.timing)

export const buttonTitles = ({ buttons }: Draft): string[] =>
  buttons.map((title) => title.trim()).filter((title) => title !== '')

export function toNotification(draft: Draft): NotificationInput {
  const { level, repetition, target } = draft
  const titles = buttonTitles(draft)
  return {
    ...toMessage(draft),
    level,
    ...(titles.length > 0 && { actions: titles.map((title, index) => ({ id: `button-${index + 1}`, title })) }),
    ...(repetition && {
      acknowledge: { repeat_seconds: Number(repetition.every), expire_seconds: Number(repetition.atMost) },
    }),
    target: toTarget(target),
  }
}

// Undefined if it is sent now.
export function toSchedule(draft: Draft): ScheduleInput | undefined {
  const timing = toTimingInput(draft.timing)
  return timing && { ...toNotification(draft), ...timing }
}
