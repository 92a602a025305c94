// GET /icons/{file}: single icons as SVG, for the console and for clients without system symbols.
import { Type } from 'typebox'
import { IconParams } from '../../contract/icon.ts'
import { iconOfSymbol } from '../../domain/symbols.ts'
import type { HttpServer } from '../fastify-types.ts'
import { drawingOf } from '../icon-set.ts'

// An unknown name may be known to the next release.
const CACHING = { known: 'public, max-age=31536000, immutable', unknown: 'public, max-age=86400' }

// The icon for unknown names: a rounded square.
const NEUTRAL =
  '<path fill="none" stroke="currentColor" stroke-width="2" d="M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z"/>'

export function iconRoutes(app: HttpServer): void {
  app.get(
    '/icons/:file',
    {
      schema: {
        tags: ['System'],
        operationId: 'getIcon',
        summary: 'Read an icon as SVG',
        description: 'An unknown name gets a neutral icon.',
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
          // An SVG opened as a page runs with the origin of this server, so the policy forbids scripts.
          'content-security-policy': "default-src 'none'",
        })
        .send(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${drawing ?? NEUTRAL}</svg>`)
    },
  )
}
