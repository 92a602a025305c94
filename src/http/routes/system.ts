// The state of the server, for its operators.
import { CheckupView } from '../../contract/checkup.ts'
import type { Context } from '../../operations/context.ts'
import { checkUp, type RunCheckup } from '../../operations/doctor/checkup.ts'
import { checkupView } from '../../views/checkup.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'

export function systemRoutes(app: HttpServer, ctx: Context, run: RunCheckup): void {
  app.get(
    '/system/checks',
    {
      schema: {
        tags: ['System'],
        operationId: 'checkServer',
        summary: 'Check everything the server needs, as "heliograph doctor" does',
        description: 'For operators of this server. The result is at most 30 seconds old.',
        response: { 200: CheckupView },
      },
      config: { access: 'user', problems: ['user.operator_required'] },
    },
    async (request) => checkupView(await checkUp(ctx, callerOf(request), run)),
  )
}
