// Widgets over HTTP, and the wall: order and sizes, links to it, and the events that a link may read.
import { Type } from 'typebox'
import { DryRun, DryRunQuery } from '../../contract/dry-run.ts'
import { List, Slug } from '../../contract/fields.ts'
import { LIMITS } from '../../contract/limits.ts'
import {
  NewWallLink,
  Wall,
  WallInput,
  WallLinkInput,
  WallLinkParams,
  WallLinkView,
  WidgetInput,
  WidgetPatch,
  WidgetView,
} from '../../contract/widgets.ts'
import { isSlug } from '../../domain/ids.ts'
import type { Context } from '../../operations/context.ts'
import { followWallEvents } from '../../operations/events/events.ts'
import {
  type ArrangedWall,
  arrangeWall,
  createWallLink,
  readWall,
  readWallLinks,
  revokeWallLink,
} from '../../operations/widgets/wall.ts'
import {
  allWidgets,
  beginReading,
  patchWidget,
  putWidget,
  readWidget,
  removeWidget,
} from '../../operations/widgets/widgets.ts'
import { dryRunView } from '../../views/dry-run.ts'
import { wallLinkView, widgetView } from '../../views/widgets.ts'
import { route, table } from '../route.ts'
import { lastEventId, StreamHeaders, streamEvents } from './events.ts'

const SlugParams = Type.Object({ slug: Slug })
const toRead = { access: { resource: 'widgets', level: 'read' }, slugs: 'widgets' } as const
const toWrite = { access: { resource: 'widgets', level: 'write' }, slugs: 'widgets' } as const

export const widgetRoutes = (ctx: Context) =>
  table({ tag: 'Widgets' }, [
    route('POST /widgets', {
      id: 'createWidget',
      summary: 'Create a widget, or replace the one with this slug',
      ...toWrite,
      resourceActionOn: [201],
      query: DryRunQuery,
      body: WidgetInput,
      created: WidgetView,
      ok: DryRun,
      problems: ['widget.content_invalid', 'widget.limit_exceeded', 'quota.exceeded'],
      handle: async ({ caller, body, mode, reply }) => {
        const { widget, action, effects } = await putWidget(ctx, caller, body, mode)
        if (effects) return dryRunView(action, widgetView(widget), effects)
        reply.code(201).header('x-resource-action', action)
        return widgetView(widget)
      },
    }),

    route('GET /widgets', {
      id: 'listWidgets',
      summary: 'List the widgets',
      ...toRead,
      ok: List(WidgetView),
      handle: async ({ caller }) => ({ items: (await allWidgets(ctx, caller)).map(widgetView) }),
    }),

    route('GET /widgets/:slug', {
      id: 'getWidget',
      summary: 'Read a widget',
      ...toRead,
      begin(request, userId) {
        const { slug } = request.params as { slug: string }
        if (isSlug(slug)) request.begunRead = beginReading(ctx, userId, slug)
      },
      params: SlugParams,
      ok: WidgetView,
      problems: ['widget.not_found'],
      handle: async ({ caller, params, request }) =>
        widgetView(await readWidget(ctx, caller, params.slug, request.begunRead)),
    }),

    route('PATCH /widgets/:slug', {
      id: 'updateWidget',
      summary: 'Change a widget (RFC 7396 merge patch)',
      ...toWrite,
      params: SlugParams,
      query: DryRunQuery,
      body: WidgetPatch,
      ok: Type.Union([WidgetView, DryRun]),
      problems: ['widget.content_invalid', 'widget.not_found', 'quota.exceeded'],
      handle: async ({ caller, params, body, mode }) => {
        const { widget, action, effects } = await patchWidget(ctx, caller, params.slug, { patch: body, mode })
        return effects ? dryRunView(action, widgetView(widget), effects) : widgetView(widget)
      },
    }),

    route('DELETE /widgets/:slug', {
      id: 'deleteWidget',
      summary: 'Delete a widget',
      ...toWrite,
      params: SlugParams,
      problems: ['widget.not_found'],
      handle: ({ caller, params }) => removeWidget(ctx, caller, params.slug),
    }),

    route('GET /wall', {
      id: 'getWall',
      summary: 'Read the order and the sizes of the widgets',
      access: toRead.access,
      ok: Wall,
      handle: async ({ caller }) => wallView(await readWall(ctx, caller)),
    }),

    route('PUT /wall', {
      id: 'arrangeWall',
      summary: 'Set the order and the sizes of the widgets',
      access: 'user',
      body: WallInput,
      ok: Wall,
      handle: async ({ caller, body }) => wallView(await arrangeWall(ctx, caller, body)),
    }),

    route('GET /wall/events', {
      id: 'streamWallEvents',
      summary: 'Stream the changes of the widgets',
      description:
        'As `GET /events`, with the events of widgets and of the wall alone. A widget token may read it; a key reads those of the widgets that it may read.',
      access: toRead.access,
      headers: StreamHeaders,
      eventStream: true,
      problems: ['event_stream.limit_exceeded'],
      handle: ({ caller, request, reply }) =>
        streamEvents(ctx, request, reply, (follower) => followWallEvents(ctx, caller, lastEventId(request), follower)),
    }),

    route('GET /wall/links', {
      id: 'listWallLinks',
      summary: 'List the links that show the wall',
      access: 'user',
      ok: List(WallLinkView),
      handle: async ({ caller }) => ({ items: (await readWallLinks(ctx, caller)).map(wallLinkView) }),
    }),

    route('POST /wall/links', {
      id: 'createWallLink',
      summary: 'Make a link that shows the wall without signing in',
      description: `It has a widget token (\`hlw_…\`), which reads widgets and nothing else. At most ${LIMITS.wall.maxLinks} per account.`,
      // The console shows the link once, as it does with keys.
      access: 'user',
      body: WallLinkInput,
      created: NewWallLink,
      problems: ['wall_link.limit_exceeded'],
      handle: async ({ caller, body, publicUrl }) => {
        const link = await createWallLink(ctx, caller, { name: body.name, publicUrl })
        return { ...wallLinkView(link), url: link.url }
      },
    }),

    route('DELETE /wall/links/:link_id', {
      id: 'revokeWallLink',
      summary: 'Revoke a link to the wall',
      description: 'Screens that show it are disconnected within a second.',
      access: 'user',
      params: WallLinkParams,
      problems: ['wall_link.not_found', 'path.too_long'],
      handle: ({ caller, params }) => revokeWallLink(ctx, caller, params.link_id),
    }),
  ])

const wallView = ({ items, showsClock }: ArrangedWall) => ({ items, shows_clock: showsClock })
