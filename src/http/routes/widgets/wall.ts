// The wall over HTTP: order and sizes, links to it, and the events that a link may read.
import { LIMITS } from '../../../contract/limits.ts'
import { NewWallLink, Wall, WallInput, WallLinkInput, WallLinkList, WallLinkParams } from '../../../contract/widgets.ts'
import type { Context } from '../../../operations/context.ts'
import { followWallEvents } from '../../../operations/events/events.ts'
import {
  type ArrangedWall,
  arrangeWall,
  createWallLink,
  readWall,
  readWallLinks,
  revokeWallLink,
} from '../../../operations/widgets/wall.ts'
import { wallLinkView } from '../../../views/widgets.ts'
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { publicUrlFor } from '../../public-url.ts'
import { lastEventId, StreamHeaders, streamEvents } from '../event-stream.ts'

const tags = ['Widgets']
const toRead = { access: { resource: 'widgets', level: 'read' } } as const

export function wallRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/wall',
    {
      schema: {
        tags,
        operationId: 'getWall',
        summary: 'Read the order and the sizes of the widgets',
        response: { 200: Wall },
      },
      config: toRead,
    },
    async (request) => wallView(await readWall(ctx, callerOf(request))),
  )

  app.put(
    '/wall',
    {
      schema: {
        tags,
        operationId: 'arrangeWall',
        summary: 'Set the order and the sizes of the widgets',
        body: WallInput,
        response: { 200: Wall },
      },
      config: { access: 'user' },
    },
    async (request) => wallView(await arrangeWall(ctx, callerOf(request), request.body)),
  )

  app.get(
    '/wall/events',
    {
      schema: {
        tags,
        operationId: 'streamWallEvents',
        summary: 'Stream the changes of the widgets',
        description:
          'As `GET /events`, with the events of widgets and of the wall alone. A widget token may read it; a key reads those of the widgets that it may read.',
        requestHeaders: StreamHeaders,
        eventStream: true,
      },
      config: { ...toRead, problems: ['event_stream.limit_exceeded'] },
    },
    (request, reply) =>
      streamEvents(ctx, request, reply, (follower) =>
        followWallEvents(ctx, callerOf(request), lastEventId(request), follower),
      ),
  )

  app.get(
    '/wall/links',
    {
      schema: {
        tags,
        operationId: 'listWallLinks',
        summary: 'List the links that show the wall',
        response: { 200: WallLinkList },
      },
      config: { access: 'user' },
    },
    async (request) => ({ items: (await readWallLinks(ctx, callerOf(request))).map(wallLinkView) }),
  )

  app.post(
    '/wall/links',
    {
      schema: {
        tags,
        operationId: 'createWallLink',
        summary: 'Make a link that shows the wall without signing in',
        description: `It has a widget token (\`hlw_…\`), which reads widgets and nothing else. At most ${LIMITS.wall.maxLinks} per account.`,
        body: WallLinkInput,
        response: { 201: NewWallLink },
      },
      // The console shows the link once, as it does with keys.
      config: { access: 'user', problems: ['wall_link.limit_exceeded'] },
    },
    async (request, reply) => {
      const wanted = { name: request.body.name, publicUrl: publicUrlFor(ctx, request) }
      const link = await createWallLink(ctx, callerOf(request), wanted)
      return reply.code(201).send({ ...wallLinkView(link), url: link.url })
    },
  )

  app.delete(
    '/wall/links/:link_id',
    {
      schema: {
        tags,
        operationId: 'revokeWallLink',
        summary: 'Revoke a link to the wall',
        description: 'Screens that show it are disconnected within a second.',
        params: WallLinkParams,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ['wall_link.not_found', 'path.too_long'] },
    },
    async (request, reply) => {
      await revokeWallLink(ctx, callerOf(request), request.params.link_id)
      return reply.code(204).send()
    },
  )
}

const wallView = ({ items, showsClock }: ArrangedWall) => ({ items, shows_clock: showsClock })
