// Hooks over HTTP, for who manages them. Their senders use the door (doors/hooks).
import { Type } from 'typebox'
import {
  HookInput,
  HookList,
  HookOutcome,
  HookPatch,
  HookPreview,
  HookPreviewInput,
  HookRequestList,
  HookView,
  HookWithUrl,
} from '../../../contract/hooks.ts'
import type { Context } from '../../../operations/context.ts'
import { allHooks, changeHook, createHook, readHook, removeHook, rollHook } from '../../../operations/hooks/manage.ts'
import { keptRequests, previewRequest, replayRequest } from '../../../operations/hooks/requests.ts'
import { hookPreviewView, hookRequestView, hookView, hookWithUrlView } from '../../../views/hooks.ts'
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { publicUrlFor } from '../../public-url.ts'

const tags = ['Hooks']
const HOOK_ID = { hook_id: Type.String({ description: 'The id of the hook.' }) }
const HookParams = Type.Object(HOOK_ID)
const RequestParams = Type.Object({
  ...HOOK_ID,
  number: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The number of the request.' }),
})
const ofOneHook = ['hook.not_found', 'path.too_long'] as const
const ofOneRequest = [
  ...ofOneHook,
  'request.validation_failed',
  'hook.request_not_found',
  'hook.request_incomplete',
] as const

export function hookRoutes(app: HttpServer, ctx: Context): void {
  managementRoutes(app, ctx)
  requestRoutes(app, ctx)
}

function managementRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/integrations/hooks',
    {
      schema: {
        tags,
        operationId: 'createHook',
        summary: 'Create a hook',
        description:
          'An address at which another program reports what happened, in its own form. Each report becomes a notification that the key of the hook sends.',
        body: HookInput,
        response: { 201: HookWithUrl },
      },
      config: {
        access: 'key-manager',
        problems: ['hook.limit_exceeded', 'hook.template_invalid', 'integration_key.not_found', 'escalation.unknown'],
      },
    },
    async (request, reply) => {
      const created = await createHook(ctx, callerOf(request), request.body)
      return reply.code(201).send(hookWithUrlView(created, publicUrlFor(ctx, request)))
    },
  )

  app.get(
    '/integrations/hooks',
    {
      schema: { tags, operationId: 'listHooks', summary: 'List the hooks, newest first', response: { 200: HookList } },
      config: { access: 'key-manager' },
    },
    async (request) => ({ items: (await allHooks(ctx, callerOf(request))).map(hookView) }),
  )

  app.get(
    '/integrations/hooks/:hook_id',
    {
      schema: {
        tags,
        operationId: 'getHook',
        summary: 'Read a hook',
        params: HookParams,
        response: { 200: HookView },
      },
      config: { access: 'key-manager', problems: ofOneHook },
    },
    async (request) => hookView(await readHook(ctx, callerOf(request), request.params.hook_id)),
  )

  app.patch(
    '/integrations/hooks/:hook_id',
    {
      schema: {
        tags,
        operationId: 'updateHook',
        summary: 'Change a hook; its address stays',
        params: HookParams,
        body: HookPatch,
        response: { 200: HookView },
      },
      config: {
        access: 'key-manager',
        problems: [...ofOneHook, 'hook.template_invalid', 'integration_key.not_found', 'escalation.unknown'],
      },
    },
    async (request) => hookView(await changeHook(ctx, callerOf(request), request.params.hook_id, request.body)),
  )

  app.delete(
    '/integrations/hooks/:hook_id',
    {
      schema: { tags, operationId: 'deleteHook', summary: 'Delete a hook', params: HookParams, response: { 204: {} } },
      config: { access: 'key-manager', problems: ofOneHook },
    },
    async (request, reply) => {
      await removeHook(ctx, callerOf(request), request.params.hook_id)
      return reply.code(204).send()
    },
  )

  app.post(
    '/integrations/hooks/:hook_id/roll',
    {
      schema: {
        tags,
        operationId: 'rollHook',
        summary: 'Replace the address of a hook; the old one stops working at once',
        params: HookParams,
        response: { 200: HookWithUrl },
      },
      config: { access: 'key-manager', problems: ofOneHook },
    },
    async (request) => {
      const rolled = await rollHook(ctx, callerOf(request), request.params.hook_id)
      return hookWithUrlView(rolled, publicUrlFor(ctx, request))
    },
  )
}

function requestRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/integrations/hooks/:hook_id/requests',
    {
      schema: {
        tags,
        operationId: 'listHookRequests',
        summary: 'List the last requests that a hook got, newest first',
        description:
          'The last 10, for 7 days, with what became of each. Requests without the right signature are not kept.',
        params: HookParams,
        response: { 200: HookRequestList },
      },
      config: { access: 'key-manager', problems: ofOneHook },
    },
    async (request) => ({
      items: (await keptRequests(ctx, callerOf(request), request.params.hook_id)).map(hookRequestView),
    }),
  )

  app.post(
    '/integrations/hooks/:hook_id/requests/:number/replay',
    {
      schema: {
        tags,
        operationId: 'replayHookRequest',
        summary: 'Carry out a kept request again, by the hook as it is now',
        params: RequestParams,
        response: { 200: HookOutcome },
      },
      config: { access: 'key-manager', problems: [...ofOneRequest, ...SENDING] },
    },
    async (request) => {
      const { hook_id, number } = request.params
      return replayRequest(ctx, callerOf(request), hook_id, number)
    },
  )

  app.post(
    '/integrations/hooks/:hook_id/preview',
    {
      schema: {
        tags,
        operationId: 'previewHook',
        summary: 'Show what a request to a hook would become',
        description: 'Sends and stores nothing. With `template` the request is read by that template instead.',
        params: HookParams,
        body: HookPreviewInput,
        response: { 200: HookPreview },
      },
      config: { access: 'key-manager', problems: [...ofOneRequest, 'hook.template_invalid'] },
    },
    async (request) =>
      hookPreviewView(await previewRequest(ctx, callerOf(request), request.params.hook_id, request.body)),
  )
}

// The problems of a send with the key of the hook.
const SENDING = [
  'integration_key.expired',
  'integration_key.permission_denied',
  'notification.invalid',
  'notification_receipt.limit_exceeded',
  'quota.exceeded',
  'request.body_invalid',
] as const
