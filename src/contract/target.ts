// Whom a send of an organization is for: some of its groups, device tags or members.
import { type Static, Type } from 'typebox'
import { closed } from './fields.ts'
import { LIMITS } from './limits.ts'

export const Target = Type.Object(
  {
    groups: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.targetNames })),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.targetNames })),
    members: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.targetMembers })),
  },
  closed,
)
export type Target = Static<typeof Target>
