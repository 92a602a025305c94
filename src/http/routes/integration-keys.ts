// Integration keys over HTTP.
import { Type } from 'typebox'
import {
  DefaultKeyCreated,
  DefaultKeyFound,
  KeyInput,
  KeyPatch,
  KeyView,
  KeyWithSecret,
} from '../../contract/integration-key.ts'
import type { Context } from '../../operations/context.ts'
import {
  allKeys,
  changeKey,
  createKey,
  ensureDefaultKey,
  removeKey,
  rollKey,
} from '../../operations/integration-keys.ts'
import { keyView } from '../../views/integration-key.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'

const tags = ['Integration keys']
const KeyParams = Type.Object({ key_id: Type.String({ examples: ['7b0c…'] }) })
const ofOneKey = ['integration_key.not_found', 'integration_key.default_target', 'path.too_long'] as const
const grantProblems = [
  'integration_key.slug_list_invalid',
  'integration_key.permissions_conflict',
  'integration_key.expires_at_invalid',
  'integration_key.grant_exceeded',
] as const

export function integrationKeyRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/integrations/default-key',
    {
      schema: {
        tags,
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
      schema: { tags, summary: 'Create a key', body: KeyInput, response: { 201: KeyWithSecret } },
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
        summary: 'All keys, newest first',
        description: 'A full-access token gets the bare array, the default key gets it as `items`.',
        response: { 200: Type.Union([Type.Array(KeyView), Type.Object({ items: Type.Array(KeyView) })]) },
      },
      config: { access: 'key-manager' },
    },
    async (request) => {
      const caller = callerOf(request)
      const items = (await allKeys(ctx, caller)).map(keyView)
      return caller.kind === 'user' ? items : { items }
    },
  )

  app.patch(
    '/integrations/keys/:key_id',
    {
      schema: {
        tags,
        summary: 'Change what a key may do',
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
        summary: 'Replace the secret; the old one stops at once',
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
      schema: { tags, summary: 'Revoke a key', params: KeyParams, response: { 204: {} } },
      config: { access: 'key-manager', problems: ofOneKey },
    },
    async (request, reply) => {
      await removeKey(ctx, callerOf(request), request.params.key_id)
      return reply.code(204).send()
    },
  )
}
