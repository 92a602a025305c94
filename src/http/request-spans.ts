// A span for each request, if tracing is on.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../operations/context.ts'
import type { RequestSpan } from '../runtime/tracing/tracing.ts'

export function traceRequests(app: FastifyInstance, { tracing }: Context): void {
  if (!tracing.isOn) return
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': request.method, 'http.route': route, 'heliograph.request': request.id }
    const span = tracing.startRequest(request.headers, { name: `${request.method} ${route}`, attributes })
    reply.raw.on('close', () => end(span, request, reply))
    // Fastify keeps the async context while it reads the body.
    span.enter(done)
  })
}

function end(span: RequestSpan, { caller, problem }: FastifyRequest, { raw }: FastifyReply): void {
  span.set({
    'http.response.status_code': raw.headersSent ? raw.statusCode : undefined,
    'heliograph.account': caller?.userId,
    'heliograph.key': caller?.kind === 'key' ? caller.keyId : undefined,
    'heliograph.problem': problem?.code,
  })
  if (problem && problem.status >= 500) span.fail(problem.code)
  span.end()
}
