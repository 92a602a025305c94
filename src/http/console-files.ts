// The console's built files under /app/. Every other path below /app/ is a page of the console and gets index.html.
import { extname } from 'node:path'
import { Problem } from '../contract/problems.ts'
import { excerpt } from '../contract/validation.ts'
import { builtFiles } from './built-files.ts'
import type { HttpServer } from './fastify-types.ts'

// Icons and media of notifications, and the targets of silent buttons, may be on any host, so img-src and connect-src cannot be
// narrower. Scripts and styles come from this server only, and none is inline.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: http:",
  'media-src https:',
  "connect-src 'self' https: http:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function consoleFiles(app: HttpServer): void {
  const options = { config: { access: 'public', isStaticFile: true }, compress: false } as const
  const files = builtFiles('console', { policy: POLICY })
  app.get('/', options, async (_request, reply) => reply.redirect('/app/', 302))
  app.get('/app', options, async (_request, reply) => reply.redirect('/app/', 301))
  app.get('/app/*', options, async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    const send = files.get(path) ?? (extname(path) === '' ? files.get('index.html') : undefined)
    if (send) return send(request, reply)
    if (files.size === 0) throw new Problem('route.not_found', 'The console is not built; run "npm run build".')
    throw new Problem('route.not_found', `The console has no file ${excerpt(path)}.`)
  })
  // The shared worker, outside of /app/: there the service worker would control it, and Firefox does not end the requests of
  // a controlled worker when its last page is closed. Each page load would leave an event stream open.
  app.get('/workers/*', options, async (request, reply) => {
    const name = (request.params as { '*': string })['*']
    const send = files.get(`assets/${name}`)
    if (!send) throw new Problem('route.not_found', `The console has no worker ${excerpt(name)}.`)
    return send(request, reply)
  })
}
