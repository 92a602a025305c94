// Integration keys and their aliases over HTTP.

import { Type } from 'typebox'
import { List } from '../../contract/fields.ts'
import {
  AliasInput,
  AliasView,
  AliasWithToken,
  DefaultKeyCreated,
  DefaultKeyFound,
  KeyInput,
  KeyPatch,
  KeyView,
  KeyWithSecret,
} from '../../contract/keys/keys.ts'
import type { Context } from '../../operations/context.ts'
import { allAliases, createAlias, removeAlias } from '../../operations/keys/aliases.ts'
import { allKeys, changeKey, createKey, ensureDefaultKey, removeKey, rollKey } from '../../operations/keys/keys.ts'
import { aliasView, keyView } from '../../views/keys.ts'
import { route, table } from '../route.ts'

const KEY_ID = { key_id: Type.String({ description: 'The id of the key.' }) }
const KeyParams = Type.Object(KEY_ID)
const AliasParams = Type.Object({ ...KEY_ID, alias_id: Type.String({ description: 'The id of the alias.' }) })
const ofOneKey = {
  params: KeyParams,
  problems: ['integration_key.not_found', 'integration_key.default_target', 'path.too_long'],
} as const
const grantProblems = [
  'integration_key.slug_list_invalid',
  'integration_key.permissions_conflict',
  'integration_key.expires_at_invalid',
  'integration_key.grant_exceeded',
  'org.target_invalid',
  'org.target_unknown',
  'org.target_unavailable',
] as const

export const keyRoutes = (ctx: Context) =>
  table({ tag: 'Integration keys', organization: true, access: 'key-manager' }, [
    route('POST /integrations/default-key', {
      id: 'ensureDefaultKey',
      summary: 'Create or find the default key',
      organization: false,
      audited: true,
      created: DefaultKeyCreated,
      ok: DefaultKeyFound,
      problems: ['integration_key.limit_exceeded'],
      handle: async ({ caller, reply }) => {
        const { key, secret } = await ensureDefaultKey(ctx, caller)
        if (!secret) return { ...keyView(key), created: false }
        reply.code(201)
        return { ...keyView(key), key: secret, created: true }
      },
    }),

    route('POST /integrations/keys', {
      id: 'createKey',
      summary: 'Create an integration key',
      audited: true,
      body: KeyInput,
      created: KeyWithSecret,
      problems: ['integration_key.limit_exceeded', ...grantProblems],
      handle: async ({ caller, body }) => {
        const { key, secret } = await createKey(ctx, caller, body)
        return { ...keyView(key), key: secret }
      },
    }),

    route('GET /integrations/keys', {
      id: 'listKeys',
      summary: 'List the integration keys, newest first',
      description: 'A full-access token gets a bare array; the default key gets an object with `items`.',
      organization: { description: '', ok: List(KeyView) },
      ok: Type.Union([Type.Array(KeyView), List(KeyView)]),
      handle: async ({ caller }) => {
        const items = (await allKeys(ctx, caller)).map(keyView)
        return caller.kind === 'user' && !caller.actingMember ? items : { items }
      },
    }),

    route('PATCH /integrations/keys/:key_id', {
      id: 'updateKey',
      summary: 'Change the name, permissions or slugs of a key',
      audited: true,
      params: KeyParams,
      body: KeyPatch,
      ok: KeyView,
      problems: [...ofOneKey.problems, ...grantProblems, 'integration_key.default_locked'],
      handle: async ({ caller, params, body }) => keyView(await changeKey(ctx, caller, params.key_id, body)),
    }),

    route('POST /integrations/keys/:key_id/roll', {
      id: 'rollKey',
      summary: 'Replace the secret of a key; the old one stops working at once',
      audited: true,
      ...ofOneKey,
      ok: KeyWithSecret,
      handle: async ({ caller, params }) => {
        const { key, secret } = await rollKey(ctx, caller, params.key_id)
        return { ...keyView(key), key: secret }
      },
    }),

    route('DELETE /integrations/keys/:key_id', {
      id: 'deleteKey',
      summary: 'Revoke a key',
      audited: true,
      ...ofOneKey,
      handle: ({ caller, params }) => removeKey(ctx, caller, params.key_id),
    }),

    route('POST /integrations/keys/:key_id/aliases', {
      id: 'createKeyAlias',
      summary: 'Create an alias of a key',
      description:
        'A token in the form that senders of another service expect. It sends through the door of that service and gives access to nothing else. It ends when its key is rolled or deleted.',
      audited: true,
      params: KeyParams,
      body: AliasInput,
      created: AliasWithToken,
      problems: [...ofOneKey.problems, 'integration_key.alias_limit_exceeded'],
      handle: async ({ caller, params, body }) => {
        const { alias, token } = await createAlias(ctx, caller, params.key_id, body.door)
        return { ...aliasView(alias), token }
      },
    }),

    route('GET /integrations/keys/:key_id/aliases', {
      id: 'listKeyAliases',
      summary: 'List the aliases of a key, oldest first',
      ...ofOneKey,
      ok: List(AliasView),
      handle: async ({ caller, params }) => ({ items: (await allAliases(ctx, caller, params.key_id)).map(aliasView) }),
    }),

    route('DELETE /integrations/keys/:key_id/aliases/:alias_id', {
      id: 'deleteKeyAlias',
      summary: 'End an alias of a key',
      audited: true,
      params: AliasParams,
      problems: [...ofOneKey.problems, 'integration_key.alias_not_found'],
      handle: ({ caller, params }) => removeAlias(ctx, caller, params.key_id, params.alias_id),
    }),
  ])
