// An escalation policy as clients see it.
import type { EscalationStepInput, EscalationView } from '../contract/escalations.ts'
import type { Escalation, EscalationStep } from '../domain/escalations.ts'
import { toRfc3339 } from '../domain/instant.ts'

export const escalationView = ({ slug, name, steps, createdAt, updatedAt }: Escalation): EscalationView => ({
  slug,
  name,
  steps: steps.map(stepView),
  created_at: toRfc3339(createdAt),
  updated_at: toRfc3339(updatedAt),
})

const stepView = (step: EscalationStep): EscalationStepInput => ({
  after_seconds: step.afterSeconds,
  level: step.level,
  repeat_seconds: step.repeatSeconds,
  emails: step.emails,
  target: step.target,
  callback_url: step.callbackUrl,
})
