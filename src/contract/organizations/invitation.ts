// Invitations: codes by which people join an organization.
import { type Static, Type } from 'typebox'
import { OrganizationName } from '../accounts/account.ts'
import { closed, OneOf, Timestamp } from '../fields.ts'
import { LIMITS } from '../limits.ts'
import { OrgParams } from './organization.ts'

// Owners are made by owners, from members.
export const INVITED_ROLES = ['member', 'admin'] as const

const Role = OneOf(INVITED_ROLES, 'The role of the people who join by it.')

export const InvitationParams = Type.Object({
  ...OrgParams.properties,
  invitation_id: Type.String({ description: 'The id of the invitation.' }),
})

const { uses, codeSeconds } = LIMITS.share

export const InvitationInput = Type.Object(
  {
    role: Type.Optional({ ...Role, default: 'member' }),
    max_uses: Type.Optional(
      Type.Integer({
        minimum: uses.min,
        maximum: uses.max,
        default: uses.default,
        description: 'How many people can join by the code.',
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: codeSeconds.min,
        maximum: codeSeconds.max,
        default: codeSeconds.default,
        description: 'Seconds until the code expires. Memberships do not expire.',
      }),
    ),
    group_ids: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: LIMITS.organization.maxInvitedGroups,
        description: 'The groups that the people who join by it become members of.',
      }),
    ),
  },
  { ...closed, title: 'InvitationInput', examples: [{ max_uses: 4, expires_in: 3600 }] },
)
export type InvitationInput = Static<typeof InvitationInput>

export const InvitationView = Type.Object(
  {
    id: Type.String(),
    code: Type.String({ description: 'Read without regard to case, spaces and hyphens.', examples: ['K7QW2MXD'] }),
    join_url: Type.String({ description: 'Opens a page that shows the organization and offers to join.' }),
    role: Role,
    max_uses: Type.Integer(),
    use_count: Type.Integer(),
    expires_at: Timestamp,
    created_at: Timestamp,
    group_ids: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'Invitation' },
)
export type InvitationView = Static<typeof InvitationView>

export const OrganizationJoinPreview = Type.Object(
  {
    valid: Type.Literal(true),
    would: Type.Object({ org: OrganizationName, role: Role }),
  },
  { title: 'OrganizationJoinPreview' },
)
export type OrganizationJoinPreview = Static<typeof OrganizationJoinPreview>
