// Traces as a collector of OpenTelemetry gets them, from the real SDK installed beside the program.
import { execFileSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createClient } from '../support/client.ts'
import { startServer } from '../support/fakes/local-servers.ts'
import { emptyFolder, startHeliograph } from '../support/heliograph-process.ts'

const SDK = '@opentelemetry/sdk-node@0.301.0'

type Value = { stringValue?: string; intValue?: number }
type Attributes = { key: string; value: Value }[]
type Span = { name: string; traceId: string; parentSpanId?: string; attributes: Attributes }
type Export = { resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: Span[] }[] }[] }

// The built program in a folder beside node_modules with the SDK, as npm installs both into one project.
function installBesideSdk(): string {
  const project = emptyFolder()
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', project, SDK], { cwd: project })
  const program = join(project, 'heliograph')
  cpSync('dist', join(program, 'dist'), { recursive: true })
  cpSync('package.json', join(program, 'package.json'))
  symlinkSync(resolve('node_modules'), join(program, 'node_modules'))
  return join(program, 'dist/main.js')
}

test('the collector gets the span of a request, in the trace of the sender, under the name of the service', async () => {
  const exported: Export[] = []
  const collector = await startServer(async (request, response) => {
    exported.push(JSON.parse(await text(request)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const server = await startHeliograph(['serve', '--answers', 'on'], {
    main: installBesideSdk(),
    environment: {
      HELIOGRAPH_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
  })
  const traceId = 'a'.repeat(32)
  const parentId = 'b'.repeat(16)
  const answer = await createClient(server.url).call('POST', '/notifications', {
    token: /hlk_\S+/.exec(server.output())?.[0],
    body: { title: 'Secret title', body: 'Secret body' },
    headers: { traceparent: `00-${traceId}-${parentId}-01` },
  })
  expect(answer.status).toBe(201)
  // The last spans are sent when the server stops.
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })

  const [resource] = exported.flatMap(({ resourceSpans }) => resourceSpans.map((one) => one.resource))
  expect(resource?.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'heliograph' } })
  const spans = exported.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap((one) => one.scopeSpans.flatMap((s) => s.spans)),
  )
  const sent = spans.find(({ name }) => name === 'POST /notifications')
  expect(sent).toMatchObject({ traceId, parentSpanId: parentId })
  expect(sent?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 201 } })
  // Neither content nor tokens, nor the command line, which may hold a password.
  expect(JSON.stringify(exported)).not.toMatch(/Secret|hl[akw]_|--answers/)
})
