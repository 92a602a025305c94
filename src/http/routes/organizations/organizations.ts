// Organizations over HTTP, joining one, and their members.

import { Type } from 'typebox'
import { DryRunQuery } from '../../../contract/dry-run.ts'
import { List } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { OrganizationJoinPreview } from '../../../contract/organizations/invitation.ts'
import {
  MemberList,
  MemberParams,
  MemberPatch,
  MemberQuery,
  MemberView,
  OrganizationInput,
  OrganizationView,
  OrgParams,
} from '../../../contract/organizations/organization.ts'
import { JoinInput } from '../../../contract/shares.ts'
import { closeOrganization } from '../../../operations/accounts/close-organization.ts'
import type { Context } from '../../../operations/context.ts'
import { type Joined, joinOrganization } from '../../../operations/organizations/join.ts'
import { changeMember, readMember, readMemberPage, removeMember } from '../../../operations/organizations/members.ts'
import {
  allOrganizations,
  createOrganization,
  readOrganization,
  renameOrganization,
} from '../../../operations/organizations/organizations.ts'
import { memberView, organizationView } from '../../../views/organizations.ts'
import { pageView } from '../../../views/page.ts'
import { route, table } from '../../route.ts'

export const organizationRoutes = (ctx: Context) =>
  table({ tag: 'Organizations', access: 'user' }, [
    route('POST /orgs', {
      id: 'createOrganization',
      summary: 'Create an organization and become its owner',
      audited: true,
      body: OrganizationInput,
      created: OrganizationView,
      problems: ['subscription.required', 'org.limit_exceeded'],
      handle: async ({ caller, body }) => organizationView(await createOrganization(ctx, caller, body.name)),
    }),

    route('GET /orgs', {
      id: 'listOrganizations',
      summary: 'List the organizations that the caller is a member of, by name',
      ok: List(OrganizationView),
      handle: async ({ caller }) => ({ items: (await allOrganizations(ctx, caller)).map(organizationView) }),
    }),

    route('POST /orgs/join', {
      id: 'joinOrganization',
      summary: 'Join an organization by the code of an invitation',
      description: 'Answers 200 if the caller is a member already; role and uses stay as they are.',
      refusalLimit: {
        name: 'codes',
        perMinute: LIMITS.rate.refusedCodesPerMinute,
        problem: 'org.code_invalid',
      },
      query: DryRunQuery,
      body: JoinInput,
      created: OrganizationView,
      ok: Type.Union([OrganizationView, OrganizationJoinPreview]),
      problems: ['org.code_invalid', 'org.limit_exceeded'],
      handle: async ({ caller, body, mode, reply }) => {
        const joined = await joinOrganization(ctx, caller, body.code, mode)
        if (mode === 'dry_run') return joinPreview(joined)
        reply.code(joined.action === 'joined' ? 201 : 200)
        return organizationView(joined.overview)
      },
    }),

    route('GET /orgs/:org_id', {
      id: 'getOrganization',
      summary: 'Read an organization',
      orgRole: 'member',
      params: OrgParams,
      ok: OrganizationView,
      handle: async ({ caller, params }) => organizationView(await readOrganization(ctx, caller, params.org_id)),
    }),

    route('PATCH /orgs/:org_id', {
      id: 'renameOrganization',
      summary: 'Rename an organization',
      orgRole: 'admin',
      audited: true,
      params: OrgParams,
      body: OrganizationInput,
      ok: OrganizationView,
      handle: async ({ caller, params, body }) =>
        organizationView(await renameOrganization(ctx, caller, params.org_id, body.name)),
    }),

    route('DELETE /orgs/:org_id', {
      id: 'deleteOrganization',
      summary: 'Delete an organization with everything in it',
      orgRole: 'owner',
      audited: true,
      params: OrgParams,
      handle: ({ caller, params }) => closeOrganization(ctx, caller, params.org_id),
    }),

    route('GET /orgs/:org_id/members', {
      id: 'listMembers',
      summary: 'List the members in the order in which they joined',
      orgRole: 'member',
      params: OrgParams,
      query: MemberQuery,
      ok: MemberList,
      problems: ['org_group.not_found', 'cursor.invalid'],
      handle: async ({ caller, params, query }) =>
        pageView(await readMemberPage(ctx, caller, params.org_id, query), memberView),
    }),

    route('GET /orgs/:org_id/members/:user_id', {
      id: 'getMember',
      summary: 'Read a member',
      orgRole: 'member',
      params: MemberParams,
      ok: MemberView,
      problems: ['org_member.not_found'],
      handle: async ({ caller, params }) => memberView(await readMember(ctx, caller, params.org_id, params.user_id)),
    }),

    route('PATCH /orgs/:org_id/members/:user_id', {
      id: 'updateMember',
      summary: 'Change the role of a member, or mute oneself',
      orgRole: 'member',
      audited: true,
      params: MemberParams,
      body: MemberPatch,
      ok: MemberView,
      problems: ['org_member.not_found', 'org.last_owner'],
      handle: async ({ caller, params, body }) => {
        const { org_id: orgId, user_id: userId } = params
        return memberView(await changeMember(ctx, caller, { orgId, userId }, body))
      },
    }),

    route('DELETE /orgs/:org_id/members/:user_id', {
      id: 'removeMember',
      summary: 'Remove a member, or leave the organization',
      orgRole: 'member',
      audited: true,
      params: MemberParams,
      problems: ['org_member.not_found', 'org.last_owner'],
      handle: ({ caller, params }) => removeMember(ctx, caller, params.org_id, params.user_id),
    }),
  ])

function joinPreview({ overview, invitation }: Joined): OrganizationJoinPreview {
  const { id, name } = overview.membership.org
  return { valid: true, would: { org: { id, name }, role: invitation.role } }
}
