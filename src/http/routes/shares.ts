// Sharing over HTTP.
import { Type } from 'typebox'
import { DryRunQuery } from '../../contract/dry-run.ts'
import { List, Slug } from '../../contract/fields.ts'
import { LIMITS } from '../../contract/limits.ts'
import {
  JoinInput,
  JoinPreview,
  PatternCodeInput,
  ShareCodeInput,
  ShareCodeView,
  ShareListQuery,
  SharePatch,
  ShareView,
} from '../../contract/shares.ts'
import type { Context } from '../../operations/context.ts'
import { createActivityCode, createPatternCode, openShareCodes, removeShareCode } from '../../operations/join-codes.ts'
import { joinByCode } from '../../operations/shares/join.ts'
import { allShares, changeRole, removeShare } from '../../operations/shares/shares.ts'
import { joinPreview, shareCodeView, shareView } from '../../views/shares.ts'
import { route, table } from '../route.ts'

const ShareParams = Type.Object({ share_id: Type.String({ description: 'The id of the share.' }) })
const CodeParams = Type.Object({ code_id: Type.String({ description: 'The id of the share code.' }) })
const ofOneShare = ['share.not_found', 'path.too_long'] as const

export const shareRoutes = (ctx: Context) =>
  table({ tag: 'Sharing', access: 'user' }, [
    route('POST /activities/:slug/share', {
      id: 'createShareCode',
      summary: 'Create a code by which others can join an activity',
      isBodyOptional: true,
      params: Type.Object({ slug: Slug }),
      body: ShareCodeInput,
      created: ShareCodeView,
      problems: ['slug.invalid', 'activity.not_found', 'subscription.required', 'share.limit_exceeded'],
      handle: async ({ caller, params, body, publicUrl }) =>
        shareCodeView(await createActivityCode(ctx, caller, params.slug, body), publicUrl),
    }),

    route('POST /shares/patterns', {
      id: 'createPatternCode',
      summary: 'Create a code by which others can join all activities of a pattern, present and future',
      body: PatternCodeInput,
      created: ShareCodeView,
      problems: ['subscription.required', 'share.limit_exceeded'],
      handle: async ({ caller, body, publicUrl }) =>
        shareCodeView(await createPatternCode(ctx, caller, body), publicUrl),
    }),

    route('GET /shares/codes', {
      id: 'listShareCodes',
      summary: 'List the codes that can still be used, newest first',
      ok: List(ShareCodeView),
      handle: async ({ caller, publicUrl }) => ({
        items: (await openShareCodes(ctx, caller)).map((code) => shareCodeView(code, publicUrl)),
      }),
    }),

    route('DELETE /shares/codes/:code_id', {
      id: 'deleteShareCode',
      summary: 'Delete a share code; those who have joined by it keep their share',
      params: CodeParams,
      problems: ofOneShare,
      handle: ({ caller, params }) => removeShareCode(ctx, caller, params.code_id),
    }),

    route('POST /shares/join', {
      id: 'joinShare',
      summary: 'Join by a share code',
      description:
        'Whoever has joined before gets the same share again, and the code is not used. A code of a higher role raises the role.',
      refusalLimit: {
        name: 'codes',
        perMinute: LIMITS.rate.refusedCodesPerMinute,
        problem: 'share.code_invalid',
      },
      query: DryRunQuery,
      body: JoinInput,
      created: ShareView,
      ok: Type.Union([ShareView, JoinPreview]),
      problems: [
        'share.code_invalid',
        'share.own',
        'permission.editor_requires_paid_recipient',
        'subscription.required',
        'permission.free_recipient_limit_exceeded',
        'permission.free_share_limit_exceeded',
        'share.limit_exceeded',
      ],
      handle: async ({ caller, body, mode, reply }) => {
        const { share, effect } = await joinByCode(ctx, caller, body.code, mode)
        if (mode === 'dry_run') return joinPreview(share)
        reply.code(effect === 'create' ? 201 : 200)
        return shareView(share, caller.userId)
      },
    }),

    route('GET /shares', {
      id: 'listShares',
      summary: 'List the shares given and received, newest first',
      query: ShareListQuery,
      ok: List(ShareView),
      handle: async ({ caller, query }) => {
        const shares = await allShares(ctx, caller, query.slug)
        return { items: shares.map((share) => shareView(share, caller.userId)) }
      },
    }),

    route('PATCH /shares/:share_id', {
      id: 'changeShareRole',
      summary: 'Change the role of a recipient',
      params: ShareParams,
      body: SharePatch,
      ok: ShareView,
      problems: [...ofOneShare, 'share.owner_required', 'permission.editor_requires_paid_recipient'],
      handle: async ({ caller, params, body }) =>
        shareView(await changeRole(ctx, caller, params.share_id, body.role), caller.userId),
    }),

    route('DELETE /shares/:share_id', {
      id: 'deleteShare',
      summary: 'End a share: its owner revokes it, or its recipient leaves',
      params: ShareParams,
      problems: ofOneShare,
      handle: ({ caller, params }) => removeShare(ctx, caller, params.share_id),
    }),
  ])
