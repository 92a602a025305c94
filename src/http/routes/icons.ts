// Icons as SVG, for the console and for clients without system symbols: one, or many in one request.
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { IconNames, IconParams, IconQuery, IconSearchQuery } from '../../contract/icons.ts'
import { searchIconNames } from '../../domain/symbols.ts'
import { drawingOfName, iconNames, NEUTRAL } from '../../runtime/icon-set.ts'
import { route, table } from '../route.ts'

// An unknown name may be known to the next release.
const CACHING = { known: 'public, max-age=31536000, immutable', unknown: 'public, max-age=86400' }

// As many drawings as one request for drawings may name.
const MOST_FOUND = 96

const SVG = { content: { 'image/svg+xml': { schema: Type.String() } } }
const drawn = { access: 'public', isStaticFile: true, problems: ['request.validation_failed'] } as const

export const iconRoutes = () =>
  table({ tag: 'System' }, [
    route('GET /icons/:file', {
      id: 'getIcon',
      summary: 'Read an icon as SVG',
      description: 'An unknown name gets a neutral icon.',
      ...drawn,
      params: IconParams,
      ok: SVG,
      handle: async ({ params, reply }) => {
        const drawing = await drawingOfName(params.file.slice(0, -'.svg'.length))
        return sendSvg(reply, svg(drawing ?? NEUTRAL, 'viewBox="0 0 24 24"'), { isKnown: drawing !== undefined })
      },
    }),

    route('GET /icons/names', {
      id: 'searchIcons',
      summary: 'Search names of icons',
      ...drawn,
      query: IconSearchQuery,
      ok: IconNames,
      handle: async ({ query, reply }) => {
        const items = searchIconNames(query.search ?? '', await iconNames(), MOST_FOUND)
        reply.header('cache-control', CACHING.unknown)
        return { items }
      },
    }),

    route('GET /icons', {
      id: 'getIcons',
      summary: 'Read many icons as one SVG',
      description:
        'A sprite: one `symbol` per name, with the name as its id. Show one with `<use href="/icons?names=…#mdi:home">`.',
      ...drawn,
      query: IconQuery,
      ok: SVG,
      handle: async ({ query, reply }) => {
        const names = [...new Set(query.names.split(','))].sort()
        const drawings = await Promise.all(names.map(drawingOfName))
        const symbols = names.map(
          (name, index) => `<symbol id="${name}" viewBox="0 0 24 24">${drawings[index] ?? NEUTRAL}</symbol>`,
        )
        return sendSvg(reply, svg(symbols.join('')), { isKnown: !drawings.includes(undefined) })
      },
    }),
  ])

const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg"${attributes && ` ${attributes}`}>${content}</svg>`

const sendSvg = (reply: FastifyReply, text: string, { isKnown }: { isKnown: boolean }): FastifyReply =>
  reply
    .type('image/svg+xml')
    .headers({
      'cache-control': isKnown ? CACHING.known : CACHING.unknown,
      'x-content-type-options': 'nosniff',
      // An SVG opened as a page runs with the origin of this server, so the policy forbids scripts.
      'content-security-policy': "default-src 'none'",
    })
    .send(text)
