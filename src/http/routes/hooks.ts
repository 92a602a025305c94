// Hooks over HTTP, for who manages them. Their senders use the door (doors/hooks).

import { Type } from 'typebox'
import { List } from '../../contract/fields.ts'
import {
  HookInput,
  HookOutcome,
  HookPatch,
  HookPreview,
  HookPreviewInput,
  HookRequestView,
  HookView,
  HookWithUrl,
} from '../../contract/hooks.ts'
import type { Context } from '../../operations/context.ts'
import { allHooks, changeHook, createHook, readHook, removeHook, rollHook } from '../../operations/hooks/manage.ts'
import { keptRequests, previewRequest, replayRequest } from '../../operations/hooks/requests.ts'
import { hookPreviewView, hookRequestView, hookView, hookWithUrlView } from '../../views/hooks.ts'
import { route, table } from '../route.ts'

const HOOK_ID = { hook_id: Type.String({ description: 'The id of the hook.' }) }
const HookParams = Type.Object(HOOK_ID)
const RequestParams = Type.Object({
  ...HOOK_ID,
  number: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The number of the request.' }),
})
const ofOneHook = { params: HookParams, problems: ['hook.not_found', 'path.too_long'] } as const
const ofOneRequest = [
  ...ofOneHook.problems,
  'request.validation_failed',
  'hook.request_not_found',
  'hook.request_incomplete',
] as const

export const hookRoutes = (ctx: Context) =>
  table({ tag: 'Hooks', organization: true, access: 'key-manager' }, [
    route('POST /integrations/hooks', {
      id: 'createHook',
      summary: 'Create a hook',
      description:
        'An address at which another program reports what happened, in its own form. Each report becomes a notification that the key of the hook sends.',
      audited: true,
      body: HookInput,
      created: HookWithUrl,
      problems: ['hook.limit_exceeded', 'hook.template_invalid', 'integration_key.not_found', 'escalation.unknown'],
      handle: async ({ caller, body, publicUrl }) => hookWithUrlView(await createHook(ctx, caller, body), publicUrl),
    }),

    route('GET /integrations/hooks', {
      id: 'listHooks',
      summary: 'List the hooks, newest first',
      ok: List(HookView),
      handle: async ({ caller }) => ({ items: (await allHooks(ctx, caller)).map(hookView) }),
    }),

    route('GET /integrations/hooks/:hook_id', {
      id: 'getHook',
      summary: 'Read a hook',
      ...ofOneHook,
      ok: HookView,
      handle: async ({ caller, params }) => hookView(await readHook(ctx, caller, params.hook_id)),
    }),

    route('PATCH /integrations/hooks/:hook_id', {
      id: 'updateHook',
      summary: 'Change a hook; its address stays',
      audited: true,
      params: HookParams,
      body: HookPatch,
      ok: HookView,
      problems: [...ofOneHook.problems, 'hook.template_invalid', 'integration_key.not_found', 'escalation.unknown'],
      handle: async ({ caller, params, body }) => hookView(await changeHook(ctx, caller, params.hook_id, body)),
    }),

    route('DELETE /integrations/hooks/:hook_id', {
      id: 'deleteHook',
      summary: 'Delete a hook',
      audited: true,
      ...ofOneHook,
      handle: ({ caller, params }) => removeHook(ctx, caller, params.hook_id),
    }),

    route('POST /integrations/hooks/:hook_id/roll', {
      id: 'rollHook',
      summary: 'Replace the address of a hook; the old one stops working at once',
      audited: true,
      ...ofOneHook,
      ok: HookWithUrl,
      handle: async ({ caller, params, publicUrl }) =>
        hookWithUrlView(await rollHook(ctx, caller, params.hook_id), publicUrl),
    }),

    route('GET /integrations/hooks/:hook_id/requests', {
      id: 'listHookRequests',
      summary: 'List the last requests that a hook got, newest first',
      description:
        'The last 10, for 7 days, with what became of each. Requests without the right signature are not kept.',
      ...ofOneHook,
      ok: List(HookRequestView),
      handle: async ({ caller, params }) => ({
        items: (await keptRequests(ctx, caller, params.hook_id)).map(hookRequestView),
      }),
    }),

    route('POST /integrations/hooks/:hook_id/requests/:number/replay', {
      id: 'replayHookRequest',
      summary: 'Carry out a kept request again, by the hook as it is now',
      params: RequestParams,
      ok: HookOutcome,
      problems: [...ofOneRequest, ...SENDING],
      handle: ({ caller, params }) => replayRequest(ctx, caller, params.hook_id, params.number),
    }),

    route('POST /integrations/hooks/:hook_id/preview', {
      id: 'previewHook',
      summary: 'Show what a request to a hook would become',
      description: 'Sends and stores nothing. With `template` the request is read by that template instead.',
      params: HookParams,
      body: HookPreviewInput,
      ok: HookPreview,
      problems: [...ofOneRequest, 'hook.template_invalid'],
      handle: async ({ caller, params, body }) =>
        hookPreviewView(await previewRequest(ctx, caller, params.hook_id, body)),
    }),
  ])

// The problems of a send with the key of the hook.
const SENDING = [
  'integration_key.expired',
  'integration_key.permission_denied',
  'notification.invalid',
  'notification_receipt.limit_exceeded',
  'quota.exceeded',
  'request.body_invalid',
] as const
