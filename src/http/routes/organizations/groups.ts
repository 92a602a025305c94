// The groups of an organization over HTTP.
import {
  ForceQuery,
  GroupInput,
  GroupList,
  GroupMemberParams,
  GroupMembers,
  GroupParams,
  GroupPatch,
  GroupView,
} from '../../../contract/organizations/group.ts'
import { OrgParams } from '../../../contract/organizations/organization.ts'
import type { Context } from '../../../operations/context.ts'
import {
  addGroupMember,
  removeGroupMember,
  replaceGroupMembers,
} from '../../../operations/organizations/group-members.ts'
import {
  allGroups,
  createGroup,
  readGroup,
  removeGroup,
  renameGroup,
} from '../../../operations/organizations/groups.ts'
import { groupView } from '../../../views/organizations.ts'
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'

const tags = ['Organizations']
const forMembers = { access: 'user', orgRole: 'member' } as const
const forAdmins = { access: 'user', orgRole: 'admin' } as const

export function groupRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/orgs/:org_id/groups',
    {
      schema: {
        tags,
        operationId: 'listGroups',
        summary: 'List the groups by name',
        params: OrgParams,
        response: { 200: GroupList },
      },
      config: forMembers,
    },
    async (request) => ({ items: (await allGroups(ctx, callerOf(request), request.params.org_id)).map(groupView) }),
  )

  app.post(
    '/orgs/:org_id/groups',
    {
      schema: {
        tags,
        operationId: 'createGroup',
        summary: 'Create a group',
        params: OrgParams,
        body: GroupInput,
        response: { 201: GroupView },
      },
      config: { ...forAdmins, problems: ['org.name_taken', 'org.limit_exceeded', 'org.target_unknown'] },
    },
    async (request, reply) => {
      const group = await createGroup(ctx, callerOf(request), request.params.org_id, request.body)
      return reply.code(201).send(groupView(group))
    },
  )

  app.get(
    '/orgs/:org_id/groups/:group_id',
    {
      schema: {
        tags,
        operationId: 'getGroup',
        summary: 'Read a group',
        params: GroupParams,
        response: { 200: GroupView },
      },
      config: { ...forMembers, problems: ['org_group.not_found'] },
    },
    async (request) => {
      const { org_id, group_id } = request.params
      return groupView(await readGroup(ctx, callerOf(request), org_id, group_id))
    },
  )

  app.patch(
    '/orgs/:org_id/groups/:group_id',
    {
      schema: {
        tags,
        operationId: 'renameGroup',
        summary: 'Rename a group',
        params: GroupParams,
        body: GroupPatch,
        response: { 200: GroupView },
      },
      config: { ...forAdmins, problems: ['org_group.not_found', 'org.name_taken'] },
    },
    async (request) => {
      const { org_id: orgId, group_id: groupId } = request.params
      return groupView(await renameGroup(ctx, callerOf(request), { orgId, groupId }, request.body.name))
    },
  )

  app.delete(
    '/orgs/:org_id/groups/:group_id',
    {
      schema: {
        tags,
        operationId: 'deleteGroup',
        summary: 'Delete a group',
        params: GroupParams,
        querystring: ForceQuery,
        response: { 204: {} },
      },
      config: { ...forAdmins, problems: ['org_group.not_found', 'org.in_use'] },
    },
    async (request, reply) => {
      const { org_id: orgId, group_id: groupId } = request.params
      await removeGroup(ctx, callerOf(request), { orgId, groupId }, { force: request.query.force ?? false })
      return reply.code(204).send()
    },
  )

  groupMemberRoutes(app, ctx)
}

function groupMemberRoutes(app: HttpServer, ctx: Context): void {
  app.put(
    '/orgs/:org_id/groups/:group_id/members',
    {
      schema: {
        tags,
        operationId: 'replaceGroupMembers',
        summary: 'Replace the members of a group',
        params: GroupParams,
        body: GroupMembers,
        response: { 200: GroupView },
      },
      config: { ...forAdmins, problems: ['org_group.not_found', 'org.target_unknown'] },
    },
    async (request) => {
      const { org_id: orgId, group_id: groupId } = request.params
      const { user_ids } = request.body
      return groupView(await replaceGroupMembers(ctx, callerOf(request), { orgId, groupId }, user_ids))
    },
  )

  app.put(
    '/orgs/:org_id/groups/:group_id/members/:user_id',
    {
      schema: {
        tags,
        operationId: 'addGroupMember',
        summary: 'Add a member to a group',
        params: GroupMemberParams,
        response: { 204: {} },
      },
      config: { ...forAdmins, problems: ['org_group.not_found', 'org_member.not_found'] },
    },
    async (request, reply) => {
      const { org_id: orgId, group_id: groupId, user_id } = request.params
      await addGroupMember(ctx, callerOf(request), { orgId, groupId }, user_id)
      return reply.code(204).send()
    },
  )

  app.delete(
    '/orgs/:org_id/groups/:group_id/members/:user_id',
    {
      schema: {
        tags,
        operationId: 'removeGroupMember',
        summary: 'Remove a member from a group',
        params: GroupMemberParams,
        response: { 204: {} },
      },
      config: { ...forAdmins, problems: ['org_group.not_found', 'org_member.not_found'] },
    },
    async (request, reply) => {
      const { org_id: orgId, group_id: groupId, user_id } = request.params
      await removeGroupMember(ctx, callerOf(request), { orgId, groupId }, user_id)
      return reply.code(204).send()
    },
  )
}
