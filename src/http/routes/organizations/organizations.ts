// Organizations over HTTP, and joining one.
import { Type } from 'typebox'
import { DryRunQuery } from '../../../contract/dry-run.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { OrganizationJoinPreview } from '../../../contract/organizations/invitation.ts'
import {
  OrganizationInput,
  OrganizationList,
  OrganizationView,
  OrgParams,
} from '../../../contract/organizations/organization.ts'
import { JoinInput } from '../../../contract/shares.ts'
import type { Context } from '../../../operations/context.ts'
import { closeOrganization } from '../../../operations/organizations/close.ts'
import { type Joined, joinOrganization } from '../../../operations/organizations/join.ts'
import {
  allOrganizations,
  createOrganization,
  readOrganization,
  renameOrganization,
} from '../../../operations/organizations/organizations.ts'
import { organizationView } from '../../../views/organizations.ts'
import { callerOf } from '../../caller.ts'
import { changeMode } from '../../change-mode.ts'
import type { HttpServer } from '../../fastify-types.ts'

const tags = ['Organizations']

export function organizationRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/orgs',
    {
      schema: {
        tags,
        operationId: 'createOrganization',
        summary: 'Create an organization and become its owner',
        body: OrganizationInput,
        response: { 201: OrganizationView },
      },
      config: { access: 'user', problems: ['subscription.required', 'org.limit_exceeded'] },
    },
    async (request, reply) => {
      const overview = await createOrganization(ctx, callerOf(request), request.body.name)
      return reply.code(201).send(organizationView(overview))
    },
  )

  app.get(
    '/orgs',
    {
      schema: {
        tags,
        operationId: 'listOrganizations',
        summary: 'List the organizations that the caller is a member of, by name',
        response: { 200: OrganizationList },
      },
      config: { access: 'user' },
    },
    async (request) => ({ items: (await allOrganizations(ctx, callerOf(request))).map(organizationView) }),
  )

  app.post(
    '/orgs/join',
    {
      schema: {
        tags,
        operationId: 'joinOrganization',
        summary: 'Join an organization by the code of an invitation',
        description: 'Answers 200 if the caller is a member already; role and uses stay as they are.',
        querystring: DryRunQuery,
        body: JoinInput,
        response: { 201: OrganizationView, 200: Type.Union([OrganizationView, OrganizationJoinPreview]) },
      },
      config: {
        access: 'user',
        refusalLimit: {
          name: 'codes',
          perMinute: LIMITS.rate.refusedCodesPerMinute,
          problem: 'org.code_invalid',
        },
        problems: ['org.code_invalid', 'org.limit_exceeded'],
      },
    },
    async (request, reply) => {
      const mode = changeMode(request.query)
      const joined = await joinOrganization(ctx, callerOf(request), request.body.code, mode)
      if (mode === 'dry_run') return reply.code(200).send(joinPreview(joined))
      return reply.code(joined.action === 'joined' ? 201 : 200).send(organizationView(joined.overview))
    },
  )

  app.get(
    '/orgs/:org_id',
    {
      schema: {
        tags,
        operationId: 'getOrganization',
        summary: 'Read an organization',
        params: OrgParams,
        response: { 200: OrganizationView },
      },
      config: { access: 'user', orgRole: 'member' },
    },
    async (request) => organizationView(await readOrganization(ctx, callerOf(request), request.params.org_id)),
  )

  app.patch(
    '/orgs/:org_id',
    {
      schema: {
        tags,
        operationId: 'renameOrganization',
        summary: 'Rename an organization',
        params: OrgParams,
        body: OrganizationInput,
        response: { 200: OrganizationView },
      },
      config: { access: 'user', orgRole: 'admin' },
    },
    async (request) => {
      const { params, body } = request
      return organizationView(await renameOrganization(ctx, callerOf(request), params.org_id, body.name))
    },
  )

  app.delete(
    '/orgs/:org_id',
    {
      schema: {
        tags,
        operationId: 'deleteOrganization',
        summary: 'Delete an organization with everything in it',
        params: OrgParams,
        response: { 204: {} },
      },
      config: { access: 'user', orgRole: 'owner' },
    },
    async (request, reply) => {
      await closeOrganization(ctx, callerOf(request), request.params.org_id)
      return reply.code(204).send()
    },
  )
}

function joinPreview({ overview, invitation }: Joined): OrganizationJoinPreview {
  const { id, name } = overview.membership.org
  return { valid: true, would: { org: { id, name }, role: invitation.role } }
}
