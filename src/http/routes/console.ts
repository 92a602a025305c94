// The page behind the sign-in link.
import { readFileSync } from 'node:fs'
import type { HttpServer } from '../fastify-types.ts'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const FILES = {
  '/app/': ['index.html', 'text/html; charset=utf-8'],
  '/app/sign-in.js': ['sign-in.js', 'text/javascript; charset=utf-8'],
  '/app/style.css': ['style.css', 'text/css; charset=utf-8'],
} as const

export function consoleRoutes(app: HttpServer): void {
  const options = { schema: { hide: true }, config: { access: 'public' } } as const
  app.get('/', options, async (_request, reply) => reply.redirect('/app/', 302))
  app.get('/app', options, async (_request, reply) => reply.redirect('/app/', 301))
  for (const [url, [file, type]] of Object.entries(FILES)) {
    // The same distance from src/http/routes and from dist/http/routes.
    const body = readFileSync(new URL(`../../../console/${file}`, import.meta.url))
    app.get(url, options, async (_request, reply) =>
      reply
        .type(type)
        .headers({
          'content-security-policy': POLICY,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
        })
        .send(body),
    )
  }
}
