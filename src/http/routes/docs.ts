// The description of the API, and the page that shows it.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { HttpServer } from '../fastify-types.ts'
import { sharedDocument } from '../shared-document.ts'
import { toYaml } from '../yaml.ts'

export function docsRoutes(app: HttpServer): void {
  const hidden = { schema: { hide: true }, config: { access: 'public' } } as const
  app.get('/docs', hidden, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').headers(DOCS_HEADERS).send(DOCS_PAGE),
  )
  const documents = {
    '/openapi.json': {
      type: 'application/json; charset=utf-8',
      caching: 'no-cache',
      make: async () => JSON.stringify(await readDescription()),
    },
    '/openapi.yaml': {
      type: 'application/yaml',
      caching: 'no-cache',
      make: async () => toYaml(await readDescription()),
    },
    '/docs/reference.js': {
      type: 'text/javascript; charset=utf-8',
      caching: 'public, max-age=86400',
      make: readReferenceScript,
    },
  }
  for (const [path, document] of Object.entries(documents)) {
    app.get(path, { ...hidden, compress: false }, sharedDocument(document))
  }
}

// The reference draws itself from /openapi.json; it may talk to this server and to nobody else.
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const DOCS_HEADERS = { 'content-security-policy': DOCS_POLICY, 'referrer-policy': 'no-referrer' }

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Heliograph API</title>
</head>
<body>
<script id="api-reference" data-url="/openapi.json" data-configuration='${JSON.stringify({
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'token' },
  hideClientButton: true,
  proxyUrl: '',
})}'></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`

// Made from the schemas that validate by `npm run generate`, not at run time: that takes 50 ms of the event loop.
const DESCRIPTION_FILE = new URL('../../../openapi.json', import.meta.url)

async function readDescription(): Promise<object> {
  return JSON.parse(await readFile(DESCRIPTION_FILE, 'utf8'))
}

// 3.5 MB that most servers are never asked for.
function readReferenceScript(): Promise<Buffer> {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  return readFile(new URL('js/standalone.js', `file://${entry}`))
}
