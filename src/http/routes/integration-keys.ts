// Integration keys over HTTP.
import { Type } from 'typebox'
import {
  DefaultKeyCreated,
  DefaultKeyFound,
  KeyInput,
  KeyList,
  KeyPatch,
  KeyView,
  KeyWithSecret,
} from '../../contract/keys.ts'
import type { Context } from '../../operations/context.ts'
import { allKeys, changeKey, createKey, ensureDefaultKey, removeKey, rollKey } from '../../operations/keys/keys.ts'
import { keyView } from '../../views/keys.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'

const tags = ['Integration keys']
const KeyParams = Type.Object({ key_id: Type.String({ description: 'The id of the key.' }) })
const ofOneKey = ['integration_key.not_found', 'integration_key.default_target', 'path.too_long'] as const
const grantProblems = [
  'integration_key.slug_list_invalid',
  'integration_key.permissions_conflict',
  'integration_key.expires_at_invalid',
  'integration_key.grant_exceeded',
  'org.target_invalid',
  'org.target_unknown',
  'org.target_unavailable',
] as const

export function integrationKeyRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/integrations/default-key',
    {
      schema: {
        tags,
        operationId: 'ensureDefaultKey',
        summary: 'Create or find the default key',
        response: { 201: DefaultKeyCreated, 200: DefaultKeyFound },
      },
      config: { access: 'key-manager', problems: ['integration_key.limit_exceeded'] },
    },
    async (request, reply) => {
      const { key, secret } = await ensureDefaultKey(ctx, callerOf(request))
      if (secret) return reply.code(201).send({ ...keyView(key), key: secret, created: true })
      return reply.code(200).send({ ...keyView(key), created: false })
    },
  )

  app.post(
    '/integrations/keys',
    {
      schema: {
        tags,
        operationId: 'createKey',
        summary: 'Create an integration key',
        body: KeyInput,
        response: { 201: KeyWithSecret },
      },
      config: { access: 'key-manager', problems: ['integration_key.limit_exceeded', ...grantProblems] },
    },
    async (request, reply) => {
      const { key, secret } = await createKey(ctx, callerOf(request), request.body)
      return reply.code(201).send({ ...keyView(key), key: secret })
    },
  )

  app.get(
    '/integrations/keys',
    {
      schema: {
        tags,
        operationId: 'listKeys',
        summary: 'List the integration keys, newest first',
        description: 'A full-access token gets a bare array; the default key gets an object with `items`.',
        response: { 200: Type.Union([Type.Array(KeyView), KeyList]) },
      },
      config: { access: 'key-manager' },
    },
    async (request) => {
      const caller = callerOf(request)
      const items = (await allKeys(ctx, caller)).map(keyView)
      return caller.kind === 'user' && !caller.actingMember ? items : { items }
    },
  )

  app.patch(
    '/integrations/keys/:key_id',
    {
      schema: {
        tags,
        operationId: 'updateKey',
        summary: 'Change the name, permissions or slugs of a key',
        params: KeyParams,
        body: KeyPatch,
        response: { 200: KeyView },
      },
      config: { access: 'key-manager', problems: [...ofOneKey, ...grantProblems, 'integration_key.default_locked'] },
    },
    async (request) => keyView(await changeKey(ctx, callerOf(request), request.params.key_id, request.body)),
  )

  app.post(
    '/integrations/keys/:key_id/roll',
    {
      schema: {
        tags,
        operationId: 'rollKey',
        summary: 'Replace the secret of a key; the old one stops working at once',
        params: KeyParams,
        response: { 200: KeyWithSecret },
      },
      config: { access: 'key-manager', problems: ofOneKey },
    },
    async (request) => {
      const { key, secret } = await rollKey(ctx, callerOf(request), request.params.key_id)
      return { ...keyView(key), key: secret }
    },
  )

  app.delete(
    '/integrations/keys/:key_id',
    {
      schema: { tags, operationId: 'deleteKey', summary: 'Revoke a key', params: KeyParams, response: { 204: {} } },
      config: { access: 'key-manager', problems: ofOneKey },
    },
    async (request, reply) => {
      await removeKey(ctx, callerOf(request), request.params.key_id)
      return reply.code(204).send()
    },
  )
}
