// Icons as SVG, for the console and for clients without system symbols: one, or many in one request.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { IconNames, IconParams, IconQuery, IconSearchQuery } from '../../contract/icons.ts'
import { iconOfSymbol, searchIconNames } from '../../domain/symbols.ts'
import { route, table } from '../route.ts'
import { once } from '../shared-document.ts'

// An unknown name may be known to the next release.
const CACHING = { known: 'public, max-age=31536000, immutable', unknown: 'public, max-age=86400' }

// The icon for unknown names: a rounded square.
const NEUTRAL =
  '<path fill="none" stroke="currentColor" stroke-width="2" d="M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z"/>'

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

async function drawingOfName(name: string): Promise<string | undefined> {
  const icon = iconOfSymbol(name)
  return icon && (await drawingOf(icon))
}

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

// The icons of Material Design by name. The file has 3 MB, so it is read at the first request.
type IconSet = { icons: Record<string, { body: string }>; aliases: Record<string, { parent: string }> }

const iconSet = once(
  async (): Promise<IconSet> =>
    JSON.parse(await readFile(createRequire(import.meta.url).resolve('@iconify-json/mdi/icons.json'), 'utf8')),
)

// Returns SVG elements on a grid of 24, or undefined for an unknown icon.
async function drawingOf(icon: string): Promise<string | undefined> {
  const { icons, aliases } = await iconSet()
  // Names such as `constructor` find members of Object.prototype, which have neither a parent nor a body.
  return icons[aliases[icon]?.parent ?? icon]?.body
}

async function iconNames(): Promise<string[]> {
  return Object.keys((await iconSet()).icons)
}
