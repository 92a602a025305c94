// Aliases of integration keys over HTTP.
import { Type } from 'typebox'
import { AliasInput, AliasList, AliasWithToken } from '../../../contract/keys.ts'
import type { Context } from '../../../operations/context.ts'
import { allAliases, createAlias, removeAlias } from '../../../operations/keys/aliases.ts'
import { aliasView } from '../../../views/keys.ts'
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'

const tags = ['Integration keys']
const KEY_ID = { key_id: Type.String({ description: 'The id of the key.' }) }
const KeyParams = Type.Object(KEY_ID)
const AliasParams = Type.Object({ ...KEY_ID, alias_id: Type.String({ description: 'The id of the alias.' }) })
const ofOneKey = ['integration_key.not_found', 'integration_key.default_target', 'path.too_long'] as const

export function keyAliasRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/integrations/keys/:key_id/aliases',
    {
      schema: {
        tags,
        operationId: 'createKeyAlias',
        summary: 'Create an alias of a key',
        description:
          'A token in the form that senders of another service expect. It sends through the door of that service and gives access to nothing else. It ends when its key is rolled or deleted.',
        params: KeyParams,
        body: AliasInput,
        response: { 201: AliasWithToken },
      },
      config: { access: 'key-manager', problems: [...ofOneKey, 'integration_key.alias_limit_exceeded'] },
    },
    async (request, reply) => {
      const { alias, token } = await createAlias(ctx, callerOf(request), request.params.key_id, request.body.door)
      return reply.code(201).send({ ...aliasView(alias), token })
    },
  )

  app.get(
    '/integrations/keys/:key_id/aliases',
    {
      schema: {
        tags,
        operationId: 'listKeyAliases',
        summary: 'List the aliases of a key, oldest first',
        params: KeyParams,
        response: { 200: AliasList },
      },
      config: { access: 'key-manager', problems: ofOneKey },
    },
    async (request) => {
      const aliases = await allAliases(ctx, callerOf(request), request.params.key_id)
      return { items: aliases.map(aliasView) }
    },
  )

  app.delete(
    '/integrations/keys/:key_id/aliases/:alias_id',
    {
      schema: {
        tags,
        operationId: 'deleteKeyAlias',
        summary: 'End an alias of a key',
        params: AliasParams,
        response: { 204: {} },
      },
      config: { access: 'key-manager', problems: [...ofOneKey, 'integration_key.alias_not_found'] },
    },
    async (request, reply) => {
      await removeAlias(ctx, callerOf(request), request.params.key_id, request.params.alias_id)
      return reply.code(204).send()
    },
  )
}
