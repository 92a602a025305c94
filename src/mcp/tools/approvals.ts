// The tool that asks for an approval on the lock screen and waits for it.
import { type Static, Type } from 'typebox'
import { ActivityInput, ActivityPatch, type ActivityView } from '../../contract/activities.ts'
import { closed, OneOf, Slug, Text, Timestamp } from '../../contract/fields.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import { type Question, questionOf } from '../../domain/activities/templates/approval.ts'
import type { Caller } from '../../domain/caller.ts'
import { fromUnixSeconds, toRfc3339 } from '../../domain/instant.ts'
import { readActivity } from '../../operations/activities/read.ts'
import type { Context } from '../../operations/context.ts'
import type { Wait } from '../../operations/wait-until.ts'
import { startActivity } from './activities.ts'
import { patientWait, TIMEOUT_SECONDS, waitNote } from './shared-arguments.ts'
import { defineTool } from './tool.ts'

const Option = Type.Object(
  {
    id: Type.String({
      pattern: `^[a-zA-Z0-9][a-zA-Z0-9_-]{0,${LIMITS.activity.maxOptionIdChars - 1}}$`,
      description: `a slug of at most ${LIMITS.activity.maxOptionIdChars} characters`,
    }),
    title: Text(LIMITS.activity.maxOptionTitleChars, { minLength: 1 }),
    style: Type.Optional(OneOf(['primary', 'secondary', 'destructive'])),
    icon: Type.Optional(
      Text(LIMITS.action.maxIconChars, { description: 'a symbol such as mdi:check; required with 3 or 4 options' }),
    ),
  },
  closed,
)

const Detail = Type.Object(
  { label: Text(LIMITS.activity.maxDetailLabelChars), value: Text(LIMITS.activity.maxDetailValueChars) },
  closed,
)

const ApprovalRequest = Type.Object(
  {
    slug: Slug,
    name: Type.Optional({
      ...ActivityInput.properties.name,
      description: 'what is shown as its name; needs activities:manage',
    }),
    question: Text(LIMITS.activity.maxTextChars, { minLength: 1, description: 'what is to be approved, in one line' }),
    options: Type.Optional(
      Type.Array(Option, {
        minItems: LIMITS.activity.options.min,
        maxItems: LIMITS.activity.options.max,
        description: 'approve and deny if left out',
      }),
    ),
    details: Type.Optional(
      Type.Array(Detail, {
        maxItems: LIMITS.activity.maxDetails,
        description: 'facts that are shown with the question',
      }),
    ),
    timeout_seconds: TIMEOUT_SECONDS,
    priority: ActivityPatch.properties.priority,
    sound: ActivityPatch.properties.sound,
    target: ActivityPatch.properties.target,
  },
  closed,
)

const ApprovalResult = Type.Object({
  slug: Type.String(),
  status: OneOf(['answered', 'pending', 'ended'], 'ended: the activity was ended without an answer'),
  option: Type.Optional(Type.String({ description: 'The id of the option that was chosen.' })),
  choice: Type.Optional(Type.String({ description: 'Its title.' })),
  answered_by: Type.Optional(Type.String({ description: 'The member of an organization who answered.' })),
  answered_at: Type.Optional(Timestamp),
  note: Type.Optional(Type.String({ description: 'If there is no answer: what to do.' })),
})
type ApprovalResult = Static<typeof ApprovalResult>

const APPROVE_OR_DENY: Static<typeof Option>[] = [
  { id: 'approve', title: 'Approve', style: 'primary' },
  { id: 'deny', title: 'Deny', style: 'destructive' },
]

export const requestApprovalTool = defineTool({
  name: 'request_approval',
  title: 'Ask for an approval and wait for it',
  description:
    'Shows a question with 2 to 4 options as a live activity on the lock screen and waits until a person decides or the time is up. The decision ends the activity. Without one the status is pending: the question stays open until end_activity ends it. Cancelling the call stops the waiting, not the question.',
  input: ApprovalRequest,
  output: ApprovalResult,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  access: { resource: 'activities', level: 'update' },
  slugs: 'activities',
  waits: true,
  async run(ctx, caller, { question, options = APPROVE_OR_DENY, details, timeout_seconds, ...rest }, call) {
    // `answer: null`: a question that was answered before is asked again.
    const content = { template: 'approval', state: question, options, answer: null, ...(details && { details }) }
    await startActivity(ctx, caller, { ...rest, content })
    return decisionAfter(ctx, caller, rest.slug, patientWait(timeout_seconds, call, 'waiting for a decision'))
  },
})

// The question is shown already, so a call that cannot wait returns its state rather than an error.
async function decisionAfter(ctx: Context, caller: Caller, slug: string, wait: Wait): Promise<ApprovalResult> {
  const later = `update_activity with the slug ${slug} alone returns the activity, whose content.answer is the decision`
  const read = async (wait: Wait) => (await readActivity(ctx, caller, slug, { includeBacklog: false, wait })).activity
  try {
    return decisionView(await read(wait), waitNote(ctx, wait, later))
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'answer_wait.limit_exceeded') throw error
    const note = `The question is shown, but this call cannot wait; ${later}. ${error.detail}`
    return decisionView(await read({ ...wait, seconds: 0 }), note)
  }
}

type Read = Pick<ActivityView, 'slug' | 'state'> & { content: Parameters<typeof questionOf>[0] }

function decisionView({ slug, state, content }: Read, note: string): ApprovalResult {
  const { answer, options }: Partial<Question> = questionOf(content) ?? {}
  if (!answer) return state === 'ongoing' ? { slug, status: 'pending', note } : { slug, status: 'ended' }
  return {
    slug,
    status: 'answered',
    option: answer.option,
    choice: options?.find(({ id }) => id === answer.option)?.title,
    answered_by: answer.user_id,
    answered_at: toRfc3339(fromUnixSeconds(answer.at)),
  }
}
