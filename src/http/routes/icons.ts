// Icons as single SVG files, for the console and for other clients. They are public and never change.
import { Type } from 'typebox'
import { IconParams } from '../../contract/icon.ts'
import { iconOfSymbol } from '../../domain/symbols.ts'
import type { HttpServer } from '../fastify-types.ts'
import { drawingOf } from '../icon-set.ts'

// An unknown name may be known to the next release.
const CACHING = { known: 'public, max-age=31536000, immutable', unknown: 'public, max-age=86400' }

// The icon of unknown names: a rounded square.
const NEUTRAL =
  '<path fill="none" stroke="currentColor" stroke-width="2" d="M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z"/>'

export function iconRoutes(app: HttpServer): void {
  app.get(
    '/icons/:file',
    {
      schema: {
        tags: ['System'],
        summary: 'An icon by its name, as SVG',
        description: 'A neutral drawing for a name that is unknown.',
        params: IconParams,
        response: { 200: { content: { 'image/svg+xml': { schema: Type.String() } } } },
      },
      config: { access: 'public', problems: ['request.validation_failed'] },
    },
    async (request, reply) => {
      const icon = iconOfSymbol(request.params.file.slice(0, -'.svg'.length))
      const drawing = icon && (await drawingOf(icon))
      return reply
        .type('image/svg+xml')
        .headers({
          'cache-control': drawing ? CACHING.known : CACHING.unknown,
          'x-content-type-options': 'nosniff',
          // Opened directly, the SVG is a document of this origin, so it must not run anything.
          'content-security-policy': "default-src 'none'",
        })
        .send(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${drawing ?? NEUTRAL}</svg>`)
    },
  )
}
