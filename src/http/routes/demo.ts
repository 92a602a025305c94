// The demonstration over HTTP.
import { DemoInput, DemoView } from '../../contract/demo.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Context } from '../../operations/context.ts'
import { runDemo } from '../../operations/demo/demo.ts'
import { demoView } from '../../views/demo.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'

export function demoRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/demo/run',
    {
      schema: {
        tags: ['System'],
        operationId: 'runDemo',
        summary: 'Play a demonstration of one minute on your own devices',
        description:
          'Shows a build in steps, a countdown, a widget and a question, under slugs that begin with `demo-`, and deletes them afterwards. Costs no quota.',
        body: DemoInput,
        response: { 202: DemoView },
      },
      config: {
        access: 'key-manager',
        isBodyOptional: true,
        rateLimit: { name: 'demo', perMinute: LIMITS.rate.demosPerMinute },
        problems: ['demo.conflict', 'activity.limit_exceeded', 'widget.limit_exceeded'],
      },
    },
    async (request, reply) => {
      const demo = await runDemo(ctx, callerOf(request), request.body.mode ?? 'auto')
      return reply.code(202).send(demoView(demo))
    },
  )
}
