// Widgets and activities as texts, for status bars, terminals and small screens: the address of the resource with an ending.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  BarLine,
  Glance,
  GlanceListQuery,
  GlanceParams,
  GlanceQuery,
  TextListQuery,
  TextQuery,
} from '../../contract/screens/texts.ts'
import { earlier } from '../../domain/instant.ts'
import type { ScreenGlance } from '../../domain/screens/glance.ts'
import { requireEffect, textOf } from '../../domain/screens/text-forms.ts'
import type { Context } from '../../operations/context.ts'
import {
  type Glanced,
  glanceAtActivities,
  glanceAtOneActivity,
  glanceAtOneWidget,
  glanceAtWidgets,
} from '../../operations/screens/glances.ts'
import { glanceView } from '../../views/screens.ts'
import { sendCached } from '../cached-reply.ts'
import { route, table } from '../route.ts'

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
    readOne: glanceAtOneActivity,
    readAll: glanceAtActivities,
  },
} as const

export const screenRoutes = (ctx: Context) => [...textRoutes(ctx, 'widgets'), ...textRoutes(ctx, 'activities')]

function textRoutes(ctx: Context, noun: keyof typeof NOUNS) {
  const { tag, one, all, id, access, problem, readOne, readAll } = NOUNS[noun]
  const ofOne = { access, slugs: noun, params: GlanceParams, compress: false, problems: [problem] } as const
  const ofAll = { access, compress: false } as const
  return table({ tag }, [
    route(`GET /${noun}/:slug.txt`, {
      id: `get${id}Text`,
      summary: `Read ${one} as one line of text, or in the form of a status bar`,
      description: 'Costs nothing of a quota. May be kept as long as Cache-Control says, then asked for with its ETag.',
      ...ofOne,
      query: TextQuery,
      ok: TEXT,
      handle: async ({ caller, params, query, publicUrl, request, reply }) => {
        const read = await readOne(ctx, caller, params.slug, query)
        return sendText(request, reply, read, inForm(read, query, `${publicUrl}/app/${noun}`))
      },
    }),

    route(`GET /${noun}/:slug.json`, {
      id: `get${id}Glance`,
      summary: `Read ${one} as one value with its name`,
      ...ofOne,
      query: GlanceQuery,
      ok: Type.Union([Glance, BarLine]),
      handle: async ({ caller, params, query, publicUrl, request, reply }) => {
        const read = await readOne(ctx, caller, params.slug, query)
        const { form } = query
        const body = form
          ? inForm(read, { ...query, form }, `${publicUrl}/app/${noun}`)
          : JSON.stringify(read.glances.map(glanceView)[0])
        return sendText(request, reply, read, body, JSON_TYPE)
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

function inForm({ glances, viewer }: Glanced, query: TextQuery, pages: string): string {
  requireEffect(query)
  const { form = 'plain', max: maxChars, markup, style } = query
  const options = { form, maxChars, hasMarkup: markup === '1', hasStyle: style === '1', words: viewer.words }
  return glances.map((glance) => textOf(glance, { ...options, page: `${pages}/${glance.slug}` })).join('')
}

function sendText(request: FastifyRequest, reply: FastifyReply, read: Glanced, body: string, type = TEXT_TYPE) {
  return sendCached(request, reply, {
    type,
    body,
    now: read.viewer.now,
    validUntil: validUntilOf(read.glances),
  }) as never
}

function validUntilOf(glances: ScreenGlance[]): ScreenGlance['validUntil'] {
  const times = glances.flatMap(({ validUntil }) => validUntil ?? [])
  return times.length > 0 ? times.reduce(earlier) : undefined
}
