// Widgets and activities as texts and pictures, for status bars, terminals and screens: the address of the resource with an ending.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { PICTURE_QUERIES, SHEET_QUERIES } from '../../../contract/screens/pictures.ts'
import {
  BarLine,
  GLANCE_QUERIES,
  Glance,
  GlanceListQuery,
  GlanceParams,
  TextListQuery,
  TextQuery,
} from '../../../contract/screens/texts.ts'
import type { Caller } from '../../../domain/caller.ts'
import { earlier } from '../../../domain/instant.ts'
import type { ScreenGlance } from '../../../domain/screens/glance.ts'
import { requireEffect, textOf } from '../../../domain/screens/text-forms.ts'
import type { Context } from '../../../operations/context.ts'
import { followText } from '../../../operations/screens/follow.ts'
import {
  type Glanced,
  glanceAtActivities,
  glanceAtOneActivity,
  glanceAtOneWidget,
  glanceAtWidgets,
} from '../../../operations/screens/glances.ts'
import {
  findTimerHole,
  type Picture,
  pictureOfActivity,
  pictureOfWidget,
} from '../../../operations/screens/pictures.ts'
import { pictureOfActivities, pictureOfWall } from '../../../operations/screens/sheets.ts'
import { glanceView } from '../../../views/screens.ts'
import { etagOf, sendCached } from '../../cached-reply.ts'
import { type HeldAnswer, holdAnswer } from '../../connections/held-answer.ts'
import { route, table } from '../../route.ts'
import { PICTURE_TYPES } from '../../screens/problem-picture.ts'

const TEXT = { content: { 'text/plain': { schema: Type.String() } } }
const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'

const NOUNS = {
  widgets: {
    tag: 'Widgets',
    one: 'a widget',
    all: 'all widgets',
    id: 'Widget',
    access: { resource: 'widgets', level: 'read' },
    problem: 'widget.not_found',
    picture: pictureOfWidget,
    readOne: glanceAtOneWidget,
    readAll: glanceAtWidgets,
  },
  activities: {
    tag: 'Activities',
    one: 'an activity',
    all: 'the ongoing activities, the most important first',
    id: 'Activity',
    access: { resource: 'activities', level: 'read' },
    problem: 'activity.not_found',
    picture: pictureOfActivity,
    readOne: glanceAtOneActivity,
    readAll: glanceAtActivities,
  },
} as const

export const screenRoutes = (ctx: Context) => [
  ...(['widgets', 'activities'] as const).flatMap((noun) => [...textRoutes(ctx, noun), ...pictureRoutes(ctx, noun)]),
  ...sheetRoutes(ctx),
]

function textRoutes(ctx: Context, noun: keyof typeof NOUNS) {
  const { tag, one, all, id, access, problem, picture, readOne, readAll } = NOUNS[noun]
  const ofOne = { access, slugs: noun, params: GlanceParams, compress: false, problems: [problem] } as const
  const ofAll = { access, compress: false } as const
  return table({ tag, screenLink: true }, [
    route(`GET /${noun}/:slug.txt`, {
      id: `get${id}Text`,
      summary: `Read ${one} as one line of text, or in the form of a status bar`,
      description: 'Costs nothing of a quota. May be kept as long as Cache-Control says, then asked for with its ETag.',
      ...ofOne,
      query: TextQuery,
      ok: TEXT,
      problems: [problem, 'event_stream.limit_exceeded'],
      handle: async ({ caller, params, query, publicUrl, request, reply }) => {
        const read = (current: Caller) => readOne(ctx, current, params.slug, query)
        const textIn = (found: Glanced) => inForm(found, query, `${publicUrl}/app/${noun}`)
        if (!query.follow) {
          const found = await read(caller)
          return sendText(request, reply, found, textIn(found))
        }
        // SwiftBar replaces its menu at this line.
        const end = query.form === 'swiftbar' ? '~~~\n' : ''
        const follow = ({ isStalled, write, ...answer }: HeldAnswer) =>
          followText(ctx, caller, {
            ...answer,
            read: async (current) => textIn(await read(current)) + end,
            write: (text) => isStalled() || write(text),
          })
        return holdAnswer(ctx, request, reply, { type: TEXT_TYPE, follow }) as Promise<never>
      },
    }),

    route(`GET /${noun}/:slug.json`, {
      id: `get${id}Glance`,
      summary: `Read ${one} as one value with its name`,
      ...ofOne,
      query: GLANCE_QUERIES[noun],
      ok: Type.Union([Glance, BarLine]),
      handle: async ({ caller, params, query, publicUrl, request, reply }) => {
        const read = await readOne(ctx, caller, params.slug, query)
        const { form, family, size, hole, ...rest } = query
        if (form)
          return sendText(request, reply, read, inForm(read, { ...rest, form }, `${publicUrl}/app/${noun}`), JSON_TYPE)
        const frame = { slug: params.slug, query: { ...rest, family, size, hole }, format: 'hole' as const }
        const place = hole && { hole: await findTimerHole(picture(ctx, caller, frame)) }
        const [glance] = read.glances.map(glanceView)
        return sendText(request, reply, read, JSON.stringify({ ...glance, ...place }), JSON_TYPE)
      },
    }),

    route(`GET /${noun}.txt`, {
      id: `list${id}Texts`,
      summary: `Read ${all} as text, a line each`,
      ...ofAll,
      query: TextListQuery,
      ok: TEXT,
      handle: async ({ caller, query, publicUrl, request, reply }) => {
        const read = await readAll(ctx, caller, query)
        return sendText(request, reply, read, inForm(read, query, `${publicUrl}/app/${noun}`))
      },
    }),

    route(`GET /${noun}.json`, {
      id: `list${id}Glances`,
      summary: `Read ${all} as values with their names`,
      ...ofAll,
      query: GlanceListQuery,
      ok: Type.Object({ items: Type.Array(Glance) }, { title: 'GlanceList' }),
      handle: async ({ caller, query, request, reply }) => {
        const read = await readAll(ctx, caller, query)
        return sendText(request, reply, read, JSON.stringify({ items: read.glances.map(glanceView) }), JSON_TYPE)
      },
    }),
  ])
}

const PICTURE_NAMES = { svg: 'Svg', png: 'Png', bmp: 'Bmp' } as const

// A picture opened as a page runs no script. The style is for the picture itself.
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

function pictureRoutes(ctx: Context, noun: keyof typeof NOUNS) {
  const { tag, one, id, access, problem, picture } = NOUNS[noun]
  const rows = (['svg', 'png', 'bmp'] as const).map((format) =>
    route(`GET /${noun}/:slug.${format}`, {
      id: `get${id}${PICTURE_NAMES[format]}`,
      summary: `Read ${one} as a picture (${format.toUpperCase()})`,
      description:
        'Drawn as the console draws it, without buttons and without seconds. May be kept as long as Cache-Control says, then asked for with its ETag.',
      access,
      slugs: noun,
      params: GlanceParams,
      query: PICTURE_QUERIES[noun][format],
      compress: false,
      ok: { content: { [PICTURE_TYPES[format]]: { schema: Type.String() } } },
      problems: [problem, 'picture.not_enabled', 'picture.too_large', 'picture.busy', 'picture.failed'],
      handle: async ({ caller, params, query, request, reply }) => {
        return sendPicture(
          ctx,
          { request, reply, format },
          await picture(ctx, caller, { slug: params.slug, query, format }),
        )
      },
    }),
  )
  return table({ tag, screenLink: true }, rows)
}

const SHEETS = [
  {
    path: 'wall',
    id: 'Wall',
    tag: 'Widgets',
    what: 'the wall, in its order and sizes',
    access: { resource: 'widgets', level: 'read' },
    picture: pictureOfWall,
  },
  {
    path: 'activities',
    id: 'Activities',
    tag: 'Activities',
    what: 'the ongoing activities, the most important first',
    access: { resource: 'activities', level: 'read' },
    picture: pictureOfActivities,
  },
] as const

const sheetRoutes = (ctx: Context) =>
  SHEETS.flatMap(({ path, id, tag, what, access, picture }) =>
    table(
      { tag, screenLink: true },
      (['svg', 'png', 'bmp'] as const).map((format) =>
        route(`GET /${path}.${format}`, {
          id: `get${id}${PICTURE_NAMES[format]}`,
          summary: `Read ${what}, as one picture (${format.toUpperCase()})`,
          access,
          query: SHEET_QUERIES[format],
          compress: false,
          ok: { content: { [PICTURE_TYPES[format]]: { schema: Type.String() } } },
          problems: ['picture.not_enabled', 'picture.too_large', 'picture.busy', 'picture.failed'],
          handle: async ({ caller, query, request, reply }) =>
            sendPicture(ctx, { request, reply, format }, await picture(ctx, caller, { query, format })),
        }),
      ),
    ),
  )

type Asking = { request: FastifyRequest; reply: FastifyReply; format: keyof typeof PICTURE_TYPES }

async function sendPicture(ctx: Context, { request, reply, format }: Asking, picture: Picture): Promise<never> {
  const { name, kind, draw, ...times } = picture
  const read = async () => {
    const { bytes, name: drawnName } = await draw()
    return { body: bytes, etag: `"${drawnName}"` }
  }
  const cached = { ...times, type: PICTURE_TYPES[format], etag: `"${name}"`, read }
  reply.header('content-security-policy', PICTURE_POLICY)
  await sendCached(request, reply, cached)
  if (reply.statusCode === 304) ctx.metrics.pictureEnded(kind, 'not_modified')
  return reply as never
}

function inForm({ glances, viewer }: Glanced, query: TextQuery, pages: string): string {
  requireEffect(query)
  const { form = 'plain', max: maxChars, markup, style } = query
  const options = { form, maxChars, hasMarkup: markup === '1', hasStyle: style === '1', words: viewer.words }
  return glances.map((glance) => textOf(glance, { ...options, page: `${pages}/${glance.slug}` })).join('')
}

function sendText(request: FastifyRequest, reply: FastifyReply, read: Glanced, body: string, type = TEXT_TYPE) {
  const validUntil = validUntilOf(read.glances)
  const etag = etagOf(body)
  const cached = { type, etag, now: read.viewer.now, validUntil, read: async () => ({ body, etag }) }
  return sendCached(request, reply, cached) as Promise<never>
}

function validUntilOf(glances: ScreenGlance[]): ScreenGlance['validUntil'] {
  const times = glances.flatMap(({ validUntil }) => validUntil ?? [])
  return times.length > 0 ? times.reduce(earlier) : undefined
}
