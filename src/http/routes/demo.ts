// The demonstration over HTTP.
import { DemoInput, DemoView } from '../../contract/demo.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Context } from '../../operations/context.ts'
import { runDemo } from '../../operations/demo/demo.ts'
import { demoView } from '../../views/demo.ts'
import { route, table } from '../route.ts'

export const demoRoutes = (ctx: Context) =>
  table({ tag: 'System' }, [
    route('POST /demo/run', {
      id: 'runDemo',
      summary: 'Play a demonstration of one minute on your own devices',
      description:
        'Shows a build in steps, a countdown, a widget and a question, under slugs that begin with `demo-`, and deletes them afterwards. Costs no quota.',
      access: 'key-manager',
      isBodyOptional: true,
      rateLimit: { name: 'demo', perMinute: LIMITS.rate.demosPerMinute },
      body: DemoInput,
      accepted: DemoView,
      problems: ['demo.conflict', 'activity.limit_exceeded', 'widget.limit_exceeded'],
      handle: async ({ caller, body }) => demoView(await runDemo(ctx, caller, body.mode ?? 'auto')),
    }),
  ])
