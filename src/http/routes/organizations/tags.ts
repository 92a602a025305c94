// The device tags of an organization over HTTP.
import { ForceQuery, TagInput, TagList, TagParams, TagView } from '../../../contract/organizations/group.ts'
import { OrgParams } from '../../../contract/organizations/organization.ts'
import type { Context } from '../../../operations/context.ts'
import { allTags, createTag, removeTag } from '../../../operations/organizations/tags.ts'
import { tagView } from '../../../views/organizations.ts'
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'

const tags = ['Organizations']
const forAdmins = { access: 'user', orgRole: 'admin' } as const

export function tagRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/orgs/:org_id/tags',
    {
      schema: {
        tags,
        operationId: 'listTags',
        summary: 'List the device tags by name',
        params: OrgParams,
        response: { 200: TagList },
      },
      config: { access: 'user', orgRole: 'member' },
    },
    async (request) => ({ items: (await allTags(ctx, callerOf(request), request.params.org_id)).map(tagView) }),
  )

  app.post(
    '/orgs/:org_id/tags',
    {
      schema: {
        tags,
        operationId: 'createTag',
        summary: 'Create a device tag',
        description: 'A device carries it when it belongs to a member and its own tags contain the name.',
        params: OrgParams,
        body: TagInput,
        response: { 201: TagView },
      },
      config: { ...forAdmins, problems: ['org.name_taken', 'org.limit_exceeded'] },
    },
    async (request, reply) => {
      const tag = await createTag(ctx, callerOf(request), request.params.org_id, request.body.name)
      return reply.code(201).send(tagView(tag))
    },
  )

  app.delete(
    '/orgs/:org_id/tags/:tag_id',
    {
      schema: {
        tags,
        operationId: 'deleteTag',
        summary: 'Delete a device tag',
        params: TagParams,
        querystring: ForceQuery,
        response: { 204: {} },
      },
      config: { ...forAdmins, problems: ['org_tag.not_found', 'org.in_use'] },
    },
    async (request, reply) => {
      const { org_id: orgId, tag_id: tagId } = request.params
      await removeTag(ctx, callerOf(request), { orgId, tagId }, { force: request.query.force ?? false })
      return reply.code(204).send()
    },
  )
}
