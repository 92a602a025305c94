// The command line and the clients under /clients/, for programs that use this server: nobody has to trust a registry, and they
// have the version of the server.
import { INSTALL } from '../contract/clients.ts'
import { Problem } from '../contract/problems.ts'
import { excerpt } from '../contract/validation.ts'
import type { Context } from '../operations/context.ts'
import { OLDEST_NODE, VERSION } from '../runtime/version.ts'
import { builtFiles } from './built-files.ts'
import type { HttpServer } from './fastify-types.ts'
import { publicUrlFor } from './public-url.ts'

export function clientFiles(app: HttpServer, ctx: Context): void {
  const options = { config: { access: 'public', isStaticFile: true }, compress: false } as const
  const files = builtFiles('clients')
  app.get('/clients', options, async (_request, reply) => reply.redirect('/clients/', 301))
  app.get('/clients/', options, async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    return reply.type('text/plain; charset=utf-8').send(indexText(publicUrlFor(ctx, request)))
  })
  app.get('/clients/*', options, async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    const send = files.get(path)
    if (send) return send(request, reply)
    if (files.size === 0) throw new Problem('route.not_found', 'The clients are not built; run "npm run build".')
    throw new Problem('route.not_found', `There is no client ${excerpt(path)}; /clients/ lists them.`)
  })
}

function indexText(url: string): string {
  return `Clients of Heliograph ${VERSION}, handed out by this server. None has dependencies, so no registry is asked for anything.

The command line, for Node.js ${OLDEST_NODE} or newer:
${indented(INSTALL.commandLine(url))}

The client for TypeScript and JavaScript, @heliograph/client:
${indented(INSTALL.typescript(url))}

The client for Python:
${indented(INSTALL.python(url, VERSION))}

The function for any POSIX shell with curl, for use with ". ./heliograph.sh":
${indented(INSTALL.shell(url))}

Checksums:
  ${url}/clients/SHA256SUMS

How to use them:
  ${url}/docs/clients.html
`
}

const indented = (commands: string) => commands.replace(/^/gm, '  ')
