// The console's built files under /app/. Every other path below /app/ is a page of the console and gets index.html.
import { existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from '../contract/problems.ts'
import { excerpt } from '../contract/violations.ts'
import type { HttpServer } from './fastify-types.ts'
import { readVariants, sharedDocument } from './shared-document.ts'

// The path is the same from src/http and from dist/http.
const FOLDER = fileURLToPath(new URL('../../dist/console/', import.meta.url))

// Icons and media of notifications, and the targets of silent buttons, may be on any host. Scripts and styles come from
// this server only, and none is inline.
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

// Files of other types, such as the compressed variants, are not served under their own name.
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

// The build writes a hash of the content into the names of the files in this folder.
const HASHED_FOLDER = 'assets/'

export function consoleFiles(app: HttpServer): void {
  const options = { schema: { hide: true }, config: { access: 'public' }, compress: false } as const
  const files = builtFiles()
  app.get('/', options, async (_request, reply) => reply.redirect('/app/', 302))
  app.get('/app', options, async (_request, reply) => reply.redirect('/app/', 301))
  app.get('/app/*', options, async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    const send = files.get(path) ?? (extname(path) === '' ? files.get('index.html') : undefined)
    if (send) return send(request, reply)
    if (files.size === 0) throw new Problem('route.not_found', 'The console is not built; run "npm run build".')
    throw new Problem('route.not_found', `The console has no file ${excerpt(path)}.`)
  })
}

// The map holds every path that can be answered, so a path with ".." finds nothing.
function builtFiles(): Map<string, ReturnType<typeof sharedDocument>> {
  const paths = existsSync(FOLDER) ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }) : []
  const served = paths.filter((path) => extname(path) in TYPES)
  return new Map(
    served.map((path) => [
      path,
      sharedDocument({ headers: headersOf(path), load: () => readVariants(join(FOLDER, path)) }),
    ]),
  )
}

function headersOf(path: string): Record<string, string> {
  return {
    'content-type': TYPES[extname(path)] as string,
    'cache-control': path.startsWith(HASHED_FOLDER) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  }
}
