// The recipients of an organization's send: groups, device tags or members.
import { type Static, Type } from 'typebox'
import { closed } from './fields.ts'
import { LIMITS } from './limits.ts'

export const Target = Type.Object(
  {
    groups: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.target.maxNames })),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.target.maxNames })),
    members: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.target.maxMembers })),
  },
  { ...closed, title: 'Target', description: 'For organization keys only.' },
)
export type Target = Static<typeof Target>
