// An escalation policy as a form edits it: from one that exists, and for the API.
import type { EscalationInput, EscalationView } from '../../../../src/contract/escalations.ts'
import { EVERYONE, fromTarget, type TargetDraft, toTarget } from '../../organizations/target.ts'
import { ESCALATION_TEXTS } from '../../texts/escalations.ts'
import { slugFor } from '../place.ts'

const words = ESCALATION_TEXTS.form

export type Step = EscalationView['steps'][number]
export type StepLevel = NonNullable<Step['level']>

export type StepDraft = {
  afterSeconds: number | undefined
  // Empty: as before.
  level: StepLevel | ''
  // In seconds, as text: the value of a select field. Empty: as before.
  repeat: string
  emails: string[]
  target: TargetDraft
  callbackUrl: string
}

export type EscalationDraft = { name: string; slug: string; steps: StepDraft[] }

export const MOST_STEPS = 5
const MOST_SLUG_CHARS = 128
// The limits of the API.
const AFTER = { min: 60, max: 10_800 }

const NEW_STEP: StepDraft = {
  afterSeconds: 300,
  level: 'critical',
  repeat: '',
  emails: [],
  target: EVERYONE,
  callbackUrl: '',
}

export const NEW_ESCALATION: EscalationDraft = { name: '', slug: '', steps: [NEW_STEP] }

// Ten minutes after the last one.
export function nextStep(steps: readonly StepDraft[]): StepDraft {
  const last = steps.at(-1)?.afterSeconds ?? 0
  return { ...NEW_STEP, afterSeconds: Math.min(last + 600, AFTER.max) }
}

export const draftOf = ({ name, slug, steps }: EscalationView): EscalationDraft => ({
  name,
  slug,
  steps: steps.map(stepDraftOf),
})

const stepDraftOf = ({ after_seconds, level, repeat_seconds, emails, target, callback_url }: Step): StepDraft => ({
  afterSeconds: after_seconds,
  level: level ?? '',
  repeat: repeat_seconds === undefined ? '' : String(repeat_seconds),
  emails: emails ?? [],
  target: fromTarget(target ?? {}),
  callbackUrl: callback_url ?? '',
})

export const slugOf = ({ slug, name }: EscalationDraft): string => slug.trim() || slugFor(name, MOST_SLUG_CHARS)

export function toInput(draft: EscalationDraft): EscalationInput {
  return { slug: slugOf(draft), name: draft.name.trim(), steps: draft.steps.map(toStep) }
}

export function toStep({ afterSeconds, level, repeat, emails, target, callbackUrl }: StepDraft): Step {
  const chosen = toTarget(target)
  const url = callbackUrl.trim()
  return {
    after_seconds: afterSeconds ?? 0,
    ...(level && { level }),
    ...(repeat && { repeat_seconds: Number(repeat) }),
    ...(emails.length > 0 && { emails }),
    ...(chosen && { target: chosen }),
    ...(url && { callback_url: url }),
  }
}

// What is wrong with a step: its time, or that it does nothing new.
export function timeError(steps: readonly StepDraft[], index: number): string | undefined {
  const after = steps[index]?.afterSeconds
  if (after === undefined || after < AFTER.min || after > AFTER.max) return words.afterRange
  return index > 0 && after <= (steps[index - 1]?.afterSeconds ?? 0) ? words.afterLater : undefined
}

export function effectError(step: StepDraft): string | undefined {
  const { level, emails, target, callback_url } = toStep(step)
  return level || emails || target || callback_url ? undefined : words.noEffect
}

export const isComplete = (draft: EscalationDraft): boolean =>
  draft.name.trim() !== '' &&
  slugOf(draft) !== '' &&
  draft.steps.every((step, index) => !timeError(draft.steps, index) && !effectError(step))
