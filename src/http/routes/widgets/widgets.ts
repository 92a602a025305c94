// Widgets over HTTP.
import { Type } from 'typebox'
import { DryRun, DryRunQuery } from '../../../contract/dry-run.ts'
import { Slug } from '../../../contract/fields.ts'
import { WidgetInput, WidgetList, WidgetPatch, WidgetView } from '../../../contract/widgets.ts'
import { isSlug } from '../../../domain/ids.ts'
import type { Context } from '../../../operations/context.ts'
import {
  allWidgets,
  beginReading,
  patchWidget,
  putWidget,
  readWidget,
  removeWidget,
} from '../../../operations/widgets/widgets.ts'
import { dryRunView } from '../../../views/dry-run.ts'
import { widgetView } from '../../../views/widgets.ts'
import { callerOf } from '../../caller.ts'
import { changeMode } from '../../change-mode.ts'
import type { HttpServer } from '../../fastify-types.ts'

const tags = ['Widgets']
const SlugParams = Type.Object({ slug: Slug })
const toRead = { access: { resource: 'widgets', level: 'read' }, slugs: 'widgets' } as const
const toWrite = { access: { resource: 'widgets', level: 'write' }, slugs: 'widgets' } as const

export function widgetRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/widgets',
    {
      schema: {
        tags,
        operationId: 'createWidget',
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
      const mode = changeMode(request.query)
      const { widget, action, effects } = await putWidget(ctx, callerOf(request), request.body, mode)
      if (effects) return reply.code(200).send(dryRunView(action, widgetView(widget), effects))
      return reply.code(201).header('x-resource-action', action).send(widgetView(widget))
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
      config: {
        ...toRead,
        problems: ['widget.not_found'],
        begin(request, userId) {
          const { slug } = request.params as { slug: string }
          if (isSlug(slug)) request.begunRead = beginReading(ctx, userId, slug)
        },
      },
    },
    async (request) => widgetView(await readWidget(ctx, callerOf(request), request.params.slug, request.begunRead)),
  )

  app.patch(
    '/widgets/:slug',
    {
      schema: {
        tags,
        operationId: 'updateWidget',
        summary: 'Change a widget (RFC 7396 merge patch)',
        params: SlugParams,
        querystring: DryRunQuery,
        body: WidgetPatch,
        response: { 200: Type.Union([WidgetView, DryRun]) },
      },
      config: { ...toWrite, problems: ['widget.content_invalid', 'widget.not_found', 'quota.exceeded'] },
    },
    async (request) => {
      const change = { patch: request.body, mode: changeMode(request.query) }
      const { widget, action, effects } = await patchWidget(ctx, callerOf(request), request.params.slug, change)
      return effects ? dryRunView(action, widgetView(widget), effects) : widgetView(widget)
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
