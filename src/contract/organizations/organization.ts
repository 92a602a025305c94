// Organizations and their members.
import { type Static, Type } from 'typebox'
import { Plan, USAGE } from '../accounts/account.ts'
import { Cursor, closed, Limit, NonBlankText, Nullable, OneOf, Page, Timestamp } from '../fields.ts'
import { LIMITS } from '../limits.ts'

// From the lowest to the highest; each includes the ones before it.
export const ORG_ROLES = ['member', 'admin', 'owner'] as const
export type OrgRole = (typeof ORG_ROLES)[number]

const Role = OneOf(ORG_ROLES, 'Admins manage members, groups, tags and keys; owners also manage admins.')

export const OrgParams = Type.Object({ org_id: Type.String({ description: 'The id of the organization.' }) })

export const OrganizationInput = Type.Object(
  { name: NonBlankText(LIMITS.organization.maxNameChars) },
  { ...closed, title: 'OrganizationInput', examples: [{ name: 'Example Hosting' }] },
)
export type OrganizationInput = Static<typeof OrganizationInput>

export const OrganizationView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    plan: Plan,
    role: { ...Role, description: 'The role of the caller.' },
    member_count: Type.Integer(),
    created_at: Timestamp,
    ...Type.Partial(Type.Object(USAGE)).properties,
  },
  { title: 'Organization', description: 'Owners and admins also see what the organization has used of its quotas.' },
)
export type OrganizationView = Static<typeof OrganizationView>

export const MemberParams = Type.Object({
  ...OrgParams.properties,
  user_id: Type.String({ description: 'The user id of the member; `me` stands for the caller.' }),
})

export const MemberView = Type.Object(
  {
    user_id: Type.String(),
    nickname: Type.Optional(Type.String()),
    role: Role,
    joined_at: Timestamp,
    group_ids: Type.Array(Type.String()),
    reachable: Type.Boolean({ description: 'The member has a device with a push channel.' }),
    muted_until: Type.Optional(Timestamp),
  },
  {
    title: 'Member',
    description:
      'With `muted_until`, which only the member, owners and admins see, the member gets no pushes of the organization until then.',
  },
)
export type MemberView = Static<typeof MemberView>

export const MemberList = Page('MemberList', MemberView)

export const MemberQuery = Type.Object({
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
  group_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: LIMITS.path.maxIdChars, description: 'Only members of this group.' }),
  ),
})
export type MemberQuery = Static<typeof MemberQuery>

export const MemberPatch = Type.Object(
  {
    role: Type.Optional(Role),
    muted_until: Type.Optional(Nullable(Timestamp)),
  },
  {
    ...closed,
    title: 'MemberPatch',
    description: 'Owners change roles. Members mute themselves, for at most 30 days; null ends it.',
    examples: [{ role: 'admin' }],
  },
)
export type MemberPatch = Static<typeof MemberPatch>
