// Groups of members, and the device tags that an organization uses.
import { type Static, Type } from 'typebox'
import { closed, Timestamp } from '../fields.ts'
import { LIMITS } from '../limits.ts'
import { CAPS } from '../plans.ts'
import { OrgParams } from './organization.ts'

// Clients separate names by commas.
const Name = Type.String({
  minLength: 1,
  maxLength: LIMITS.organization.maxNameChars,
  pattern: '^(?!\\s)[^,\\p{Cc}]*(?<!\\s)$',
  description: 'text without commas and control characters, and without a space at either end',
})

const UserIds = (maxItems: number) => Type.Array(Type.String(), { maxItems, description: 'User ids of members.' })

export const GroupParams = Type.Object({
  ...OrgParams.properties,
  group_id: Type.String({ description: 'The id of the group.' }),
})
export const GroupMemberParams = Type.Object({
  ...GroupParams.properties,
  user_id: Type.String({ description: 'The user id of the member; `me` stands for the caller.' }),
})

export const GroupInput = Type.Object(
  { name: Name, user_ids: Type.Optional(UserIds(LIMITS.organization.maxNewGroupMembers)) },
  { ...closed, title: 'GroupInput', examples: [{ name: 'on-call' }] },
)
export type GroupInput = Static<typeof GroupInput>

export const GroupPatch = Type.Object({ name: Name }, { ...closed, title: 'GroupPatch', examples: [{ name: 'ops' }] })
export type GroupPatch = Static<typeof GroupPatch>

export const GroupMembers = Type.Object(
  { user_ids: UserIds(CAPS.members.most) },
  { ...closed, title: 'GroupMembers', examples: [{ user_ids: [] }] },
)

export const GroupView = Type.Object(
  { id: Type.String(), name: Type.String(), member_count: Type.Integer(), created_at: Timestamp },
  { title: 'Group' },
)
export type GroupView = Static<typeof GroupView>

export const TagParams = Type.Object({
  ...OrgParams.properties,
  tag_id: Type.String({ description: 'The id of the tag.' }),
})

export const TagInput = Type.Object({ name: Name }, { ...closed, title: 'TagInput', examples: [{ name: 'wall' }] })
export type TagInput = Static<typeof TagInput>

export const TagView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    device_count: Type.Integer({ description: 'The devices of members that carry the tag.' }),
    created_at: Timestamp,
  },
  { title: 'Tag' },
)
export type TagView = Static<typeof TagView>

export const ForceQuery = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: 'true: delete it even if it is in use. What names it reaches nobody by that name.' }),
  ),
})
