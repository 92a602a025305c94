// Widgets over HTTP.
import { Type } from 'typebox'
import { DryRun, DryRunQuery } from '../../contract/dry-run.ts'
import { Slug } from '../../contract/fields.ts'
import { WidgetInput, WidgetList, WidgetPatch, WidgetView } from '../../contract/widget.ts'
import { toRfc3339 } from '../../domain/instant.ts'
import type { Widget } from '../../domain/widgets/widget.ts'
import type { Context } from '../../operations/context.ts'
import {
  allWidgets,
  patchWidget,
  putWidget,
  readWidget,
  removeWidget,
  type WidgetChange,
} from '../../operations/widgets/widgets.ts'
import type { HttpServer } from '../fastify-types.ts'
import { callerOf } from '../request-checks.ts'

const tags = ['Widgets']
const SlugParams = Type.Object({ slug: Slug })
const toRead = { access: { resource: 'widgets', level: 'read' }, slugs: 'widgets' } as const
const toWrite = { access: { resource: 'widgets', level: 'write' }, slugs: 'widgets' } as const
const commitment = (query: DryRunQuery) => (query.dry_run ? 'rehearse' : 'commit')

export function widgetRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/widgets',
    {
      schema: {
        tags,
        operationId: 'putWidget',
        summary: 'Create a widget, or replace the one with this slug',
        querystring: DryRunQuery,
        body: WidgetInput,
        response: { 201: WidgetView, 200: DryRun },
      },
      config: {
        ...toWrite,
        resourceActionOn: [201],
        problems: ['widget.content_invalid', 'widget.limit_exceeded', 'quota.exceeded'],
      },
    },
    async (request, reply) => {
      const change = await putWidget(ctx, callerOf(request), request.body, commitment(request.query))
      if (request.query.dry_run) return reply.code(200).send(dryRunView(ctx, change))
      return reply.code(201).header('x-resource-action', change.action).send(widgetView(change.widget))
    },
  )

  app.get(
    '/widgets',
    {
      schema: { tags, operationId: 'listWidgets', summary: 'List the widgets', response: { 200: WidgetList } },
      config: toRead,
    },
    async (request) => ({ items: (await allWidgets(ctx, callerOf(request))).map(widgetView) }),
  )

  app.get(
    '/widgets/:slug',
    {
      schema: {
        tags,
        operationId: 'getWidget',
        summary: 'Read a widget',
        params: SlugParams,
        response: { 200: WidgetView },
      },
      config: { ...toRead, problems: ['widget.not_found'] },
    },
    async (request) => widgetView(await readWidget(ctx, callerOf(request), request.params.slug)),
  )

  app.patch(
    '/widgets/:slug',
    {
      schema: {
        tags,
        operationId: 'patchWidget',
        summary: 'Change a widget (RFC 7396 merge patch)',
        params: SlugParams,
        querystring: DryRunQuery,
        body: WidgetPatch,
        response: { 200: Type.Union([WidgetView, DryRun]) },
      },
      config: { ...toWrite, problems: ['widget.content_invalid', 'widget.not_found', 'quota.exceeded'] },
    },
    async (request) => {
      const how = commitment(request.query)
      const change = await patchWidget(ctx, callerOf(request), request.params.slug, { patch: request.body, how })
      return request.query.dry_run ? dryRunView(ctx, change) : widgetView(change.widget)
    },
  )

  app.delete(
    '/widgets/:slug',
    {
      schema: {
        tags,
        operationId: 'deleteWidget',
        summary: 'Delete a widget',
        params: SlugParams,
        response: { 204: {} },
      },
      config: { ...toWrite, problems: ['widget.not_found'] },
    },
    async (request, reply) => {
      await removeWidget(ctx, callerOf(request), request.params.slug)
      return reply.code(204).send()
    },
  )
}

function widgetView(widget: Widget): WidgetView {
  return {
    slug: widget.slug,
    name: widget.name,
    content: widget.content,
    push_throttle: widget.pushThrottleSeconds ?? undefined,
    stale_after: widget.staleAfterSeconds ?? undefined,
    created_at: toRfc3339(widget.createdAt),
    updated_at: toRfc3339(widget.updatedAt),
  }
}

function dryRunView(ctx: Context, { widget, action, quota }: WidgetChange): DryRun {
  return {
    valid: true,
    would: {
      action,
      resource: widgetView(widget),
      pushes: action === 'updated' ? ctx.push.preview({ kind: 'widget-reload', slug: widget.slug }) : [],
      quota: quota && { ...quota, limit: quota.limit ?? undefined },
    },
  }
}
