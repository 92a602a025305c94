// The recipients of an organization's send: groups, device tags or members.
import { type Static, Type } from 'typebox'
import { closed } from './fields.ts'
import { LIMITS } from './limits.ts'

export const Target = Type.Object(
  {
    groups: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.targetNames })),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.targetNames })),
    members: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.targetMembers })),
  },
  { ...closed, title: 'Target', description: 'For organization keys only.' },
)
export type Target = Static<typeof Target>
