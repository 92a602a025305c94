// The members of an organization over HTTP.
import {
  MemberList,
  MemberParams,
  MemberPatch,
  MemberQuery,
  MemberView,
  OrgParams,
} from '../../../contract/organizations/organization.ts'
import type { Context } from '../../../operations/context.ts'
import { changeMember, readMember, readMemberPage, removeMember } from '../../../operations/organizations/members.ts'
import { memberView } from '../../../views/organizations.ts'
import { pageView } from '../../../views/page.ts'
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'

const tags = ['Organizations']
const forMembers = { access: 'user', orgRole: 'member' } as const

export function memberRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/orgs/:org_id/members',
    {
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'List the members in the order in which they joined',
        params: OrgParams,
        querystring: MemberQuery,
        response: { 200: MemberList },
      },
      config: { ...forMembers, problems: ['org_group.not_found', 'cursor.invalid'] },
    },
    async (request) => {
      const { params, query } = request
      return pageView(await readMemberPage(ctx, callerOf(request), params.org_id, query), memberView)
    },
  )

  app.get(
    '/orgs/:org_id/members/:user_id',
    {
      schema: {
        tags,
        operationId: 'getMember',
        summary: 'Read a member',
        params: MemberParams,
        response: { 200: MemberView },
      },
      config: { ...forMembers, problems: ['org_member.not_found'] },
    },
    async (request) => {
      const { org_id, user_id } = request.params
      return memberView(await readMember(ctx, callerOf(request), org_id, user_id))
    },
  )

  app.patch(
    '/orgs/:org_id/members/:user_id',
    {
      schema: {
        tags,
        operationId: 'updateMember',
        summary: 'Change the role of a member, or mute oneself',
        params: MemberParams,
        body: MemberPatch,
        response: { 200: MemberView },
      },
      config: { ...forMembers, problems: ['org_member.not_found', 'org.last_owner'] },
    },
    async (request) => {
      const { org_id: orgId, user_id: userId } = request.params
      return memberView(await changeMember(ctx, callerOf(request), { orgId, userId }, request.body))
    },
  )

  app.delete(
    '/orgs/:org_id/members/:user_id',
    {
      schema: {
        tags,
        operationId: 'removeMember',
        summary: 'Remove a member, or leave the organization',
        params: MemberParams,
        response: { 204: {} },
      },
      config: { ...forMembers, problems: ['org_member.not_found', 'org.last_owner'] },
    },
    async (request, reply) => {
      const { org_id, user_id } = request.params
      await removeMember(ctx, callerOf(request), org_id, user_id)
      return reply.code(204).send()
    },
  )
}
