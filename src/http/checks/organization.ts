// The organization in the path of a request: membership and role of the caller, before the body is read.
import type { FastifyContextConfig as Config, FastifyRequest } from 'fastify'
import type { Caller } from '../../domain/caller.ts'
import type { Context } from '../../operations/context.ts'
import { actAsOrganization, checkMembership } from '../../operations/organizations/membership.ts'

// Returns the caller that the operation sees.
export async function checkOrganization(
  ctx: Context,
  request: FastifyRequest,
  caller: Caller,
  { orgRole, actsAsOrganization }: Config,
): Promise<Caller> {
  if (orgRole === undefined) return caller
  const { org_id: orgId } = request.params as { org_id: string }
  if (actsAsOrganization) return actAsOrganization(ctx, caller, orgId)
  await checkMembership(ctx, caller, orgId, orgRole)
  return caller
}
