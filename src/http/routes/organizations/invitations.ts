// The invitations of an organization over HTTP.
import { List } from '../../../contract/fields.ts'
import { InvitationInput, InvitationParams, InvitationView } from '../../../contract/organizations/invitation.ts'
import { OrgParams } from '../../../contract/organizations/organization.ts'
import type { Context } from '../../../operations/context.ts'
import { createInvitation, openInvitations, removeInvitation } from '../../../operations/join-codes.ts'
import { invitationView } from '../../../views/organizations.ts'
import { route, table } from '../../route.ts'

export const invitationRoutes = (ctx: Context) =>
  table({ tag: 'Organizations', access: 'user', orgRole: 'admin' }, [
    route('GET /orgs/:org_id/invitations', {
      id: 'listInvitations',
      summary: 'List the open invitations, newest first',
      params: OrgParams,
      ok: List(InvitationView),
      handle: async ({ caller, params, publicUrl }) => ({
        items: (await openInvitations(ctx, caller, params.org_id)).map((invitation) =>
          invitationView(invitation, publicUrl),
        ),
      }),
    }),

    route('POST /orgs/:org_id/invitations', {
      id: 'createInvitation',
      summary: 'Invite people by a code',
      description: 'Only owners invite admins.',
      audited: true,
      isBodyOptional: true,
      params: OrgParams,
      body: InvitationInput,
      created: InvitationView,
      problems: ['org.target_unknown', 'org.limit_exceeded'],
      handle: async ({ caller, params, body, publicUrl }) =>
        invitationView(await createInvitation(ctx, caller, params.org_id, body), publicUrl),
    }),

    route('DELETE /orgs/:org_id/invitations/:invitation_id', {
      id: 'deleteInvitation',
      summary: 'Delete an invitation; members who joined by it stay',
      audited: true,
      params: InvitationParams,
      problems: ['org_invitation.not_found'],
      handle: ({ caller, params }) => removeInvitation(ctx, caller, params.org_id, params.invitation_id),
    }),
  ])
