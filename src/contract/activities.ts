// Activities as clients send and see them. The schema leaves content open: domain/activities/templates checks what the
// template requires, and unknown members are kept.
import { type Static, Type } from 'typebox'
import { DryRunQuery } from './dry-run.ts'
import { Cursor, closed, Limit, Nullable, OneOf, OneOfOrUnset, Page, Slug, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { Target } from './organizations/target.ts'
import { SHARE_ROLES } from './shares.ts'

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

const Name = Text(LIMITS.name.maxChars, { minLength: 1 })
// The range of priority and the words of state are rules, not schema: breaking them is a 400 with its own code.
const Priority = Type.Integer({ description: `0 (lowest) to ${LIMITS.activity.maxPriority}` })
const State = Type.String({ description: 'ongoing or ended, in any case' })
const Ttl = (description: string) => Type.Integer({ minimum: 1, maximum: LIMITS.activity.maxTtlSeconds, description })

const TTLS = {
  ended_ttl: Type.Optional(Nullable(Ttl('seconds from its end until it is deleted'))),
  stale_ttl: Type.Optional(Nullable(Ttl('seconds without an update until it is ended as stale'))),
  dismissal_ttl: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.activity.maxDismissalSeconds,
        description: 'seconds from its end until it leaves the lock screen',
      }),
    ),
  ),
}

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
  { ...closed, title: 'ActivityInput', examples: [{ slug: 'deploy', name: 'Deploy', priority: 5, stale_ttl: 3600 }] },
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
  {
    ...closed,
    title: 'ActivityPatch',
    examples: [{ state: 'ongoing', content: { template: 'generic', state: 'Building', progress: 0.4 } }],
  },
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
      maximum: LIMITS.wait.maxSeconds,
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
  { option: Text(LIMITS.activity.maxOptionIdChars, { minLength: 1, description: 'the id of the option chosen' }) },
  { ...closed, title: 'ApprovalAnswer', examples: [{ option: 'approve' }] },
)
export type ApprovalAnswer = Static<typeof ApprovalAnswer>

export const ActivityView = Type.Object(
  {
    kind: OneOf(['owned', 'shared'], '`shared`: another account owns it: a person who shares it, or an organization.'),
    id: Type.String({ description: 'Can be used in paths in place of the slug.' }),
    slug: Type.String(),
    share_role: Type.Optional(OneOf(SHARE_ROLES, 'The role of the caller, if the activity is shared with it.')),
    owner_id: Type.Optional(Type.String({ description: 'Only if the activity is shared with the caller.' })),
    owner_nickname: Type.Optional(Type.String()),
    share_count: Type.Optional(
      Type.Integer({ description: 'The number of accounts that it is shared with, if the caller owns it.' }),
    ),
    target: Type.Optional(Target),
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
  },
  { title: 'Activity' },
)
export type ActivityView = Static<typeof ActivityView>

export const ActivityList = Page('ActivityList', ActivityView)
