// Activities as clients send and see them. Content is an open document: what a template asks of it is for
// domain/activity-templates, and members nobody knows are kept.
import { type Static, Type } from 'typebox'
import { DryRunQuery } from './dry-run.ts'
import { Cursor, closed, Limit, Nullable, OneOf, OneOfOrUnset, Slug, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { Target } from './target.ts'

export const ACTIVITY_STATES = ['ended', 'ongoing', 'preempted'] as const
export const SOUNDS = [
  'default',
  'chime',
  'alert',
  'success',
  'warning',
  'bell',
  'ding',
  'buzz',
  'notification',
] as const

const Name = Text(LIMITS.nameChars, { minLength: 1 })
// Bounds and words that are rules and not shapes: breaking them is a 400 with a code of its own.
const Priority = Type.Integer({ description: `0 (lowest) to ${LIMITS.activityPriority}` })
const State = Type.String({ description: 'ongoing or ended, in any case' })
const Ttl = (description: string) => Type.Integer({ minimum: 1, maximum: LIMITS.activityTtlSeconds, description })

const TTLS = {
  ended_ttl: Type.Optional(Nullable(Ttl('seconds from its end until it is deleted'))),
  stale_ttl: Type.Optional(Nullable(Ttl('seconds without an update until it is ended as stale'))),
  dismissal_ttl: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.activityDismissalSeconds,
        description: 'seconds from its end until it leaves the lock screen',
      }),
    ),
  ),
}

// A document of the client: what is in it is checked by its template.
const Content = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'what is shown; `template` says which members there are',
})

export const ActivityInput = Type.Object(
  {
    slug: Slug,
    name: Name,
    priority: Type.Optional(Nullable(Priority)),
    target: Type.Optional(Nullable(Target)),
    ...TTLS,
  },
  closed,
)
export type ActivityInput = Static<typeof ActivityInput>

export const ActivityPatch = Type.Object(
  {
    state: Type.Optional(State),
    content: Type.Optional(Content),
    priority: Type.Optional(Priority),
    sound: Type.Optional(Nullable(OneOfOrUnset(SOUNDS))),
    target: Type.Optional(Nullable(Target)),
    ...TTLS,
  },
  closed,
)
export type ActivityPatch = Static<typeof ActivityPatch>

export const ActivityPatchQuery = Type.Object({
  ...DryRunQuery.properties,
  upsert: Type.Optional(Type.Boolean({ description: 'Create the activity, named like its slug, if there is none.' })),
})
export type ActivityPatchQuery = Static<typeof ActivityPatchQuery>

export const ActivityReadQuery = Type.Object({
  include: Type.Optional(OneOf(['log_backlog'], 'What to add to the content.')),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LIMITS.longestWaitSeconds,
      description: 'Seconds to hold the request while an approval is unanswered.',
    }),
  ),
})

export const ActivityListQuery = Type.Object({
  limit: Type.Optional(Limit),
  after: Type.Optional(Cursor),
  state: Type.Optional(Type.String({ description: `one of ${ACTIVITY_STATES.join(', ')}, in any case` })),
})
export type ActivityListQuery = Static<typeof ActivityListQuery>

export const ApprovalAnswer = Type.Object(
  { option: Text(LIMITS.activityOptionIdChars, { minLength: 1, description: 'the id of the option chosen' }) },
  closed,
)
export type ApprovalAnswer = Static<typeof ApprovalAnswer>

export const ActivityView = Type.Object({
  kind: OneOf(['owned']),
  id: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  state: OneOf(ACTIVITY_STATES),
  priority: Type.Integer(),
  content: Content,
  ended_ttl: Type.Optional(Type.Integer()),
  stale_ttl: Type.Optional(Type.Integer()),
  dismissal_ttl: Type.Optional(Type.Integer()),
  delete_at: Type.Optional(Timestamp),
  ended_at: Type.Optional(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ActivityView = Static<typeof ActivityView>

export const ActivityList = Type.Object({
  items: Type.Array(ActivityView),
  next_cursor: Type.Optional(Type.String()),
  has_more: Type.Boolean(),
})
