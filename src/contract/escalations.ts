// Escalation policies: what happens, step by step, while nobody acknowledges an alert.
import { type Static, Type } from 'typebox'
import { closed, OneOf, Slug, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { Target } from './organizations/target.ts'

const { maxNameChars, maxSteps, afterSeconds, maxEmails } = LIMITS.escalation
const { repeatSeconds } = LIMITS.acknowledge

// An alert with `acknowledge` is never passive, and a step does not make it so.
export const STEP_LEVELS = ['active', 'time-sensitive', 'critical'] as const

export const EscalationStep = Type.Object(
  {
    after_seconds: Type.Integer({
      minimum: afterSeconds.min,
      maximum: afterSeconds.max,
      description: 'How long after the alert was sent; more than in the step before.',
    }),
    level: Type.Optional(OneOf(STEP_LEVELS, 'The alert has at least this level from now on.')),
    repeat_seconds: Type.Optional(
      Type.Integer({
        minimum: repeatSeconds.min,
        maximum: repeatSeconds.max,
        description: 'How often the alert repeats from now on.',
      }),
    ),
    emails: Type.Optional(
      Type.Array(Text(LIMITS.email.addressChars.max, { minLength: LIMITS.email.addressChars.min }), {
        minItems: 1,
        maxItems: maxEmails,
        description: 'Verified recipients of the account, who get the alert as an e-mail.',
      }),
    ),
    // Members who get the alert as well.
    target: Type.Optional(Target),
    callback_url: Type.Optional(
      Text(LIMITS.url.maxChars, {
        description: 'https; gets a POST `notification.escalated`, signed as all callbacks.',
      }),
    ),
  },
  {
    ...closed,
    title: 'EscalationStep',
    description: 'Has level, emails, target or callback_url. Every step also pushes the alert again.',
  },
)
export type EscalationStepInput = Static<typeof EscalationStep>

const MEMBERS = {
  name: Text(maxNameChars, { minLength: 1 }),
  steps: Type.Array(EscalationStep, { minItems: 1, maxItems: maxSteps }),
}

export const EscalationInput = Type.Object(
  { slug: Slug, ...MEMBERS },
  {
    ...closed,
    title: 'EscalationInput',
    examples: [
      {
        slug: 'night',
        name: 'Nobody wakes up',
        steps: [
          { after_seconds: 300, level: 'critical' },
          { after_seconds: 900, level: 'critical', repeat_seconds: 30 },
        ],
      },
    ],
  },
)
export type EscalationInput = Static<typeof EscalationInput>

export const EscalationPatch = Type.Object(
  { name: Type.Optional(MEMBERS.name), steps: Type.Optional(MEMBERS.steps) },
  {
    ...closed,
    title: 'EscalationPatch',
    description: '`steps` is replaced as a whole. An alert that was sent before keeps the steps it was sent with.',
    examples: [{ name: 'Nobody is awake' }],
  },
)
export type EscalationPatch = Static<typeof EscalationPatch>

export const EscalationView = Type.Object(
  {
    slug: Type.String(),
    name: Type.String(),
    steps: Type.Array(EscalationStep),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Escalation' },
)
export type EscalationView = Static<typeof EscalationView>

export const EscalationParams = Type.Object({ slug: Type.String({ description: 'The slug of the policy.' }) })

export const EscalationForceQuery = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: 'true: delete it even if it is in use. Alerts that name it are sent without steps.' }),
  ),
})
