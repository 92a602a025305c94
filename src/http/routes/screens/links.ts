// Screen links over HTTP, for their owner.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { List } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { ScreenInput, ScreenParams, ScreenPatch, ScreenView, ScreenWithToken } from '../../../contract/screens/links.ts'
import { GlanceListQuery } from '../../../contract/screens/texts.ts'
import type { Caller } from '../../../domain/caller.ts'
import type { Context } from '../../../operations/context.ts'
import { followLinkEvents } from '../../../operations/events/link-events.ts'
import {
  allScreenLinks,
  changeScreenLink,
  createScreenLink,
  pairScreenAgain,
  removeScreenLink,
  rollScreenLink,
  thingsOfLink,
} from '../../../operations/screens/links.ts'
import { screenLinkView, screenLinkWithTokenView } from '../../../views/screens.ts'
import { sendHtml } from '../../html.ts'
import { iphonePage } from '../../pages/iphone-page.ts'
import { route, table } from '../../route.ts'
import { SCRIPT_WORDS, scriptOf } from '../../screens/scriptable.ts'
import { lastEventId, StreamHeaders, streamEvents } from '../events.ts'

const ofOneLink = { params: ScreenParams, problems: ['screen.not_found', 'path.too_long'] } as const

// What only a link has.
export const onLinkRoutes = (ctx: Context) =>
  table({ tag: 'Screen links', access: 'any', screenLink: 'only' }, [
    route('GET /events', {
      id: 'streamEvents',
      summary: 'Stream the changes of what the link shows',
      description:
        'As `GET /wall/events`: server-sent events. The `data` of an event has a `Glance`; of something that was deleted, its `slug`.',
      query: GlanceListQuery,
      headers: StreamHeaders,
      eventStream: true,
      problems: ['event_stream.limit_exceeded'],
      handle: ({ caller, query, request, reply }) =>
        streamEvents(ctx, request, reply, (follower) =>
          followLinkEvents(ctx, caller, { after: lastEventId(request), query }, follower),
        ),
    }),

    route('GET /scriptable.js', {
      id: 'getScriptable',
      summary: 'The script that shows the link on an iPhone or iPad, with the app Scriptable',
      ok: { content: { 'text/javascript': { schema: Type.String() } } },
      problems: ['picture.not_enabled'],
      handle: async ({ caller, publicUrl, request, reply }) => {
        const { script } = await phoneOf(ctx, caller, publicUrl, request)
        reply.type('text/javascript; charset=utf-8')
        return script
      },
    }),

    route('GET /iphone', {
      id: 'getIphonePage',
      summary: 'The page that brings the link onto an iPhone or iPad: three steps, with the script to copy',
      ok: { content: { 'text/html': { schema: Type.String() } } },
      problems: ['picture.not_enabled'],
      handle: async ({ caller, publicUrl, request, reply }) => {
        const page = iphonePage(await phoneOf(ctx, caller, publicUrl, request))
        return sendHtml(reply, 200, page) as unknown as Promise<never>
      },
    }),
  ])

async function phoneOf(ctx: Context, caller: Caller, publicUrl: string, request: FastifyRequest) {
  const { token } = request.params as { token: string }
  const { things, language } = await thingsOfLink(ctx, caller)
  const script = scriptOf({
    link: `${publicUrl}/s/${token}`,
    pages: `${publicUrl}/app`,
    first: things[0]?.parameter ?? 'wall',
    words: SCRIPT_WORDS[language],
  })
  return { host: new URL(publicUrl).host, script, things, language }
}

export const screenLinkRoutes = (ctx: Context) =>
  table({ tag: 'Screen links', access: 'user' }, [
    route('POST /screens', {
      id: 'createScreen',
      summary: 'Make a link that shows widgets, activities or the wall without signing in, or an address for a display',
      description: `Pictures and texts are below its \`url\`, such as \`{url}/widgets/boiler.png\`. Everybody who has the address sees what the link shows, and can do nothing else. At most ${LIMITS.screen.maxLinks} per account. Kind \`trmnl\` is a display with the firmware of TRMNL, which registers at its \`server_url\`.`,
      audited: true,
      body: ScreenInput,
      created: ScreenWithToken,
      problems: ['screen.limit_exceeded', 'screen.not_enabled', 'picture.not_enabled'],
      handle: async ({ caller, body, publicUrl }) =>
        screenLinkWithTokenView(await createScreenLink(ctx, caller, body), publicUrl),
    }),

    route('GET /screens', {
      id: 'listScreens',
      summary: 'List the screen links, newest first',
      ok: List(ScreenView),
      handle: async ({ caller }) => ({ items: (await allScreenLinks(ctx, caller)).map(screenLinkView) }),
    }),

    route('PATCH /screens/:screen_id', {
      id: 'updateScreen',
      summary: 'Change what a screen link shows, and how; its address stays',
      audited: true,
      ...ofOneLink,
      body: ScreenPatch,
      ok: ScreenView,
      handle: async ({ caller, params, body }) =>
        screenLinkView(await changeScreenLink(ctx, caller, params.screen_id, body)),
    }),

    route('POST /screens/:screen_id/roll', {
      id: 'rollScreen',
      summary: 'Replace the address of a screen link; the old one stops working at once',
      description: 'That of a display registers one again.',
      audited: true,
      ...ofOneLink,
      ok: ScreenWithToken,
      handle: async ({ caller, params, publicUrl }) =>
        screenLinkWithTokenView(await rollScreenLink(ctx, caller, params.screen_id), publicUrl),
    }),

    route('POST /screens/:screen_id/pair', {
      id: 'pairScreenAgain',
      summary: 'Let the display that has this address register again',
      description: `For ${LIMITS.display.pairingSeconds / 60} minutes, and only that device: its reset lost its key. The old key works until then.`,
      audited: true,
      ...ofOneLink,
      ok: ScreenView,
      handle: async ({ caller, params }) => screenLinkView(await pairScreenAgain(ctx, caller, params.screen_id)),
    }),

    route('DELETE /screens/:screen_id', {
      id: 'revokeScreen',
      summary: 'Revoke a screen link',
      description: 'It ends with the next request, and streams that are open end within a second.',
      audited: true,
      ...ofOneLink,
      handle: ({ caller, params }) => removeScreenLink(ctx, caller, params.screen_id),
    }),
  ])
