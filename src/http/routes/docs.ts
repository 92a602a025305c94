// The documentation site under /docs/, the description of the API, and the page that shows it, /docs/api.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Problem } from '../../contract/problems.ts'
import { excerpt } from '../../contract/validation.ts'
import type { Context } from '../../operations/context.ts'
import { builtFiles } from '../built-files.ts'
import type { HttpServer } from '../fastify-types.ts'
import { describeInfo } from '../openapi/document.ts'
import { compressed, sharedDocument } from '../shared-document.ts'
import { toYaml } from '../yaml.ts'

const PUBLIC = { config: { access: 'public', isStaticFile: true } } as const

export function docsRoutes(app: HttpServer, { config }: Context): void {
  sitePages(app)
  const readDescription = async () => ({ ...(await readDescriptionFile()), info: describeInfo(config.plans) })
  app.get('/docs/api', PUBLIC, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').headers(REFERENCE_HEADERS).send(REFERENCE_PAGE),
  )
  const documents = {
    '/openapi.json': {
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
      load: async () => compressed(Buffer.from(JSON.stringify(await readDescription()))),
    },
    '/openapi.yaml': {
      headers: { 'content-type': 'application/yaml', 'cache-control': 'no-cache' },
      load: async () => compressed(Buffer.from(toYaml(await readDescription()))),
    },
    '/docs/reference.js': {
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=86400' },
      load: async () => compressed(await readReferenceScript()),
    },
  }
  for (const [path, document] of Object.entries(documents)) {
    app.get(path, { ...PUBLIC, compress: false }, sharedDocument(document))
  }
}

// Scripts and styles come from this server only, and none is inline.
const SITE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// A page is answered with and without .html, and the start page of a folder under the folder's own path.
function sitePages(app: HttpServer): void {
  const options = { ...PUBLIC, compress: false } as const
  const files = builtFiles('docs', { policy: SITE_POLICY })
  app.get('/docs', options, async (_request, reply) => reply.redirect('/docs/', 301))
  app.get('/docs/*', options, async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    const isFolder = path === '' || path.endsWith('/')
    const send = isFolder ? files.get(`${path}index.html`) : (files.get(path) ?? files.get(`${path}.html`))
    if (send) return send(request, reply)
    if (files.has(`${path}/index.html`)) return reply.redirect(`/docs/${path}/`, 301)
    if (files.size === 0) throw new Problem('route.not_found', 'The documentation is not built; run "npm run build".')
    throw new Problem('route.not_found', `The documentation has no page ${excerpt(path)}.`)
  })
}

// The page renders /openapi.json; the policy lets it connect to this server only.
const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const REFERENCE_HEADERS = { 'content-security-policy': REFERENCE_POLICY, 'referrer-policy': 'no-referrer' }

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Heliograph API</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
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

// `npm run generate` makes the file from the schemas that validate requests. Its plans are those of the contract.
const DESCRIPTION_FILE = new URL('../../../openapi.json', import.meta.url)

async function readDescriptionFile(): Promise<object> {
  return JSON.parse(await readFile(DESCRIPTION_FILE, 'utf8'))
}

// The package publishes its browser script only here. @scalar/api-reference, where the script comes from, would install
// 287 MB of packages.
function readReferenceScript(): Promise<Buffer> {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  return readFile(new URL('js/standalone.js', `file://${entry}`))
}
