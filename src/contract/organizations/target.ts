// Who of an organization is reached: by a send, or at all by a key that is limited.
import { type Static, Type } from 'typebox'
import { closed, Nullable } from '../fields.ts'
import { LIMITS } from '../limits.ts'

const { maxNames, maxMembers } = LIMITS.target

const names = (description: string) =>
  Type.Optional(Nullable(Type.Array(Type.String(), { maxItems: maxNames, description })))

export const Target = Type.Object(
  {
    groups: names('Names of groups: their members.'),
    tags: names('Device tags: the devices that carry one of them, and their owners.'),
    members: Type.Optional(
      Nullable(Type.Array(Type.String(), { maxItems: maxMembers, description: 'User ids of members.' })),
    ),
  },
  {
    ...closed,
    title: 'Target',
    description: 'For organizations only. A member must be in every list that is given. Left out: everyone.',
  },
)
export type Target = Static<typeof Target>

const ids = (maxItems: number) => Type.Array(Type.String(), { maxItems })

export const KeyTargetInput = Type.Object(
  {
    group_ids: Type.Optional(ids(maxNames)),
    tag_ids: Type.Optional(ids(maxNames)),
    member_ids: Type.Optional(ids(maxMembers)),
  },
  { ...closed, title: 'KeyTargetInput', description: 'For keys of organizations: everything they send is inside it.' },
)
export type KeyTargetInput = Static<typeof KeyTargetInput>

export const KeyTarget = Type.Object(
  {
    group_ids: Type.Array(Type.String()),
    tag_ids: Type.Array(Type.String()),
    member_ids: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'KeyTarget', description: 'The part of the organization that the key reaches. Absent: all of it.' },
)
export type KeyTarget = Static<typeof KeyTarget>
