// The console's built files under /app/. Every other path below it is a page of the console, drawn by the same
// document.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../contract/problems.ts'
import { excerpt } from '../contract/violations.ts'
import type { HttpServer } from './fastify-types.ts'

// The same distance from src/http and from dist/http.
const FOLDER = fileURLToPath(new URL('../../dist/console/', import.meta.url))

// Icons and media of notifications lie anywhere, and so do the addresses that silent buttons call. Code comes from here
// only, and none of it stands in the document.
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

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

// Files whose names carry a hash of their content are never asked for again.
const HASHED_FOLDER = 'assets/'

export function consoleFiles(app: HttpServer): void {
  const options = { schema: { hide: true }, config: { access: 'public' } } as const
  const files = new Set(existsSync(FOLDER) ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }) : [])
  app.get('/', options, async (_request, reply) => reply.redirect('/app/', 302))
  app.get('/app', options, async (_request, reply) => reply.redirect('/app/', 301))
  app.get('/app/*', options, async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    if (files.has(path) && extname(path) in TYPES) return sendFile(request, reply, path)
    if (!files.has('index.html'))
      throw new Problem('route.not_found', 'The console is not built; "npm run build" does.')
    if (extname(path) !== '') throw new Problem('route.not_found', `The console has no file ${excerpt(path)}.`)
    return sendFile(request, reply, 'index.html')
  })
}

function sendFile(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const { plain, gzipped } = contentOf(path)
  const asGzip = gzipped !== undefined && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  if (asGzip) reply.header('content-encoding', 'gzip')
  return reply
    .type(TYPES[extname(path)] as string)
    .headers({
      vary: 'accept-encoding',
      'cache-control': path.startsWith(HASHED_FOLDER) ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(asGzip ? gzipped : plain)
}

type Content = { plain: Buffer; gzipped?: Buffer }

const contents = new Map<string, Content>()

// Read and compressed when first asked for: most files of most servers are never.
function contentOf(path: string): Content {
  const known = contents.get(path)
  if (known) return known
  const plain = readFileSync(FOLDER + path)
  const content = extname(path) === '.png' ? { plain } : { plain, gzipped: gzipSync(plain) }
  contents.set(path, content)
  return content
}
