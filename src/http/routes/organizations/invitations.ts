// The invitations of an organization over HTTP.
import type { FastifyRequest } from 'fastify'
import {
  InvitationInput,
  InvitationList,
  InvitationParams,
  InvitationView,
} from '../../../contract/organizations/invitation.ts'
import { OrgParams } from '../../../contract/organizations/organization.ts'
import type { Invitation } from '../../../domain/organizations/invitation.ts'
import type { Context } from '../../../operations/context.ts'
import { createInvitation, openInvitations, removeInvitation } from '../../../operations/organizations/invitations.ts'
import { invitationView } from '../../../views/organizations.ts'
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { publicUrlFor } from '../../public-url.ts'

const tags = ['Organizations']
const forAdmins = { access: 'user', orgRole: 'admin' } as const

export function invitationRoutes(app: HttpServer, ctx: Context): void {
  const viewFor = (request: FastifyRequest) => (invitation: Invitation) =>
    invitationView(invitation, publicUrlFor(ctx, request))

  app.get(
    '/orgs/:org_id/invitations',
    {
      schema: {
        tags,
        operationId: 'listInvitations',
        summary: 'List the open invitations, newest first',
        params: OrgParams,
        response: { 200: InvitationList },
      },
      config: forAdmins,
    },
    async (request) => ({
      items: (await openInvitations(ctx, callerOf(request), request.params.org_id)).map(viewFor(request)),
    }),
  )

  app.post(
    '/orgs/:org_id/invitations',
    {
      schema: {
        tags,
        operationId: 'createInvitation',
        summary: 'Invite people by a code',
        description: 'Only owners invite admins.',
        params: OrgParams,
        body: InvitationInput,
        response: { 201: InvitationView },
      },
      config: { ...forAdmins, isBodyOptional: true, problems: ['org.target_unknown', 'org.limit_exceeded'] },
    },
    async (request, reply) => {
      const invitation = await createInvitation(ctx, callerOf(request), request.params.org_id, request.body)
      return reply.code(201).send(viewFor(request)(invitation))
    },
  )

  app.delete(
    '/orgs/:org_id/invitations/:invitation_id',
    {
      schema: {
        tags,
        operationId: 'deleteInvitation',
        summary: 'Delete an invitation; members who joined by it stay',
        params: InvitationParams,
        response: { 204: {} },
      },
      config: { ...forAdmins, problems: ['org_invitation.not_found'] },
    },
    async (request, reply) => {
      const { org_id, invitation_id } = request.params
      await removeInvitation(ctx, callerOf(request), org_id, invitation_id)
      return reply.code(204).send()
    },
  )
}
