// Sharing over HTTP.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { DryRunQuery } from '../../contract/dry-run.ts'
import { Slug } from '../../contract/fields.ts'
import { LIMITS } from '../../contract/limits.ts'
import {
  JoinInput,
  JoinPreview,
  PatternCodeInput,
  ShareCodeInput,
  ShareCodeList,
  ShareCodeView,
  ShareList,
  ShareListQuery,
  SharePatch,
  ShareView,
} from '../../contract/shares.ts'
import type { ShareCode } from '../../domain/shares/share-code.ts'
import type { Context } from '../../operations/context.ts'
import { createActivityCode, createPatternCode, openCodes, removeCode } from '../../operations/shares/codes.ts'
import { joinByCode } from '../../operations/shares/join.ts'
import { allShares, changeRole, removeShare } from '../../operations/shares/shares.ts'
import { joinPreview, shareCodeView, shareView } from '../../views/shares.ts'
import { callerOf } from '../caller.ts'
import { changeMode } from '../change-mode.ts'
import type { HttpServer } from '../fastify-types.ts'
import { publicUrlFor } from '../public-url.ts'

const tags = ['Sharing']
const ShareParams = Type.Object({ share_id: Type.String({ description: 'The id of the share.' }) })
const CodeParams = Type.Object({ code_id: Type.String({ description: 'The id of the share code.' }) })
const ofOneShare = ['share.not_found', 'path.too_long'] as const

export function shareRoutes(app: HttpServer, ctx: Context): void {
  codeRoutes(app, ctx)

  app.post(
    '/shares/join',
    {
      schema: {
        tags,
        operationId: 'joinShare',
        summary: 'Join by a share code',
        description:
          'Whoever has joined before gets the same share again, and the code is not used. A code of a higher role raises the role.',
        querystring: DryRunQuery,
        body: JoinInput,
        response: { 201: ShareView, 200: Type.Union([ShareView, JoinPreview]) },
      },
      config: {
        access: 'user',
        refusalLimit: {
          name: 'codes',
          perMinute: LIMITS.rate.refusedCodesPerMinute,
          problem: 'share.code_invalid',
        },
        problems: [
          'share.code_invalid',
          'share.own',
          'permission.editor_requires_paid_recipient',
          'subscription.required',
          'permission.free_recipient_limit_exceeded',
          'permission.free_share_limit_exceeded',
          'share.limit_exceeded',
        ],
      },
    },
    async (request, reply) => {
      const mode = changeMode(request.query)
      const caller = callerOf(request)
      const { share, effect } = await joinByCode(ctx, caller, request.body.code, mode)
      if (mode === 'dry_run') return reply.code(200).send(joinPreview(share))
      return reply.code(effect === 'create' ? 201 : 200).send(shareView(share, caller.userId))
    },
  )

  app.get(
    '/shares',
    {
      schema: {
        tags,
        operationId: 'listShares',
        summary: 'List the shares given and received, newest first',
        querystring: ShareListQuery,
        response: { 200: ShareList },
      },
      config: { access: 'user' },
    },
    async (request) => {
      const caller = callerOf(request)
      const shares = await allShares(ctx, caller, request.query.slug)
      return { items: shares.map((share) => shareView(share, caller.userId)) }
    },
  )

  app.patch(
    '/shares/:share_id',
    {
      schema: {
        tags,
        operationId: 'changeShareRole',
        summary: 'Change the role of a recipient',
        params: ShareParams,
        body: SharePatch,
        response: { 200: ShareView },
      },
      config: {
        access: 'user',
        problems: [...ofOneShare, 'share.owner_required', 'permission.editor_requires_paid_recipient'],
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const share = await changeRole(ctx, caller, request.params.share_id, request.body.role)
      return shareView(share, caller.userId)
    },
  )

  app.delete(
    '/shares/:share_id',
    {
      schema: {
        tags,
        operationId: 'deleteShare',
        summary: 'End a share: its owner revokes it, or its recipient leaves',
        params: ShareParams,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ofOneShare },
    },
    async (request, reply) => {
      await removeShare(ctx, callerOf(request), request.params.share_id)
      return reply.code(204).send()
    },
  )
}

function codeRoutes(app: HttpServer, ctx: Context): void {
  const viewFor = (request: FastifyRequest) => (code: ShareCode) => shareCodeView(code, publicUrlFor(ctx, request))

  app.post(
    '/activities/:slug/share',
    {
      schema: {
        tags,
        operationId: 'createShareCode',
        summary: 'Create a code by which others can join an activity',
        params: Type.Object({ slug: Slug }),
        body: ShareCodeInput,
        response: { 201: ShareCodeView },
      },
      config: {
        access: 'user',
        isBodyOptional: true,
        problems: ['slug.invalid', 'activity.not_found', 'subscription.required', 'share.limit_exceeded'],
      },
    },
    async (request, reply) => {
      const code = await createActivityCode(ctx, callerOf(request), request.params.slug, request.body)
      return reply.code(201).send(viewFor(request)(code))
    },
  )

  app.post(
    '/shares/patterns',
    {
      schema: {
        tags,
        operationId: 'createPatternCode',
        summary: 'Create a code by which others can join all activities of a pattern, present and future',
        body: PatternCodeInput,
        response: { 201: ShareCodeView },
      },
      config: { access: 'user', problems: ['subscription.required', 'share.limit_exceeded'] },
    },
    async (request, reply) => {
      return reply.code(201).send(viewFor(request)(await createPatternCode(ctx, callerOf(request), request.body)))
    },
  )

  app.get(
    '/shares/codes',
    {
      schema: {
        tags,
        operationId: 'listShareCodes',
        summary: 'List the codes that can still be used, newest first',
        response: { 200: ShareCodeList },
      },
      config: { access: 'user' },
    },
    async (request) => ({ items: (await openCodes(ctx, callerOf(request))).map(viewFor(request)) }),
  )

  app.delete(
    '/shares/codes/:code_id',
    {
      schema: {
        tags,
        operationId: 'deleteShareCode',
        summary: 'Delete a share code; those who have joined by it keep their share',
        params: CodeParams,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ofOneShare },
    },
    async (request, reply) => {
      await removeCode(ctx, callerOf(request), request.params.code_id)
      return reply.code(204).send()
    },
  )
}
