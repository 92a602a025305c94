// The version of the server, and its state for its operators.
import { CheckupView, VersionView } from '../../contract/doctor.ts'
import type { Context } from '../../operations/context.ts'
import { checkUp, type RunCheckup } from '../../operations/doctor/finding.ts'
import { VERSION } from '../../runtime/version.ts'
import { checkupView } from '../../views/doctor.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'

export function systemRoutes(app: HttpServer, ctx: Context, run: RunCheckup): void {
  app.get(
    '/system/version',
    {
      schema: {
        tags: ['System'],
        operationId: 'getVersion',
        summary: 'Read the version of the server',
        response: { 200: VersionView },
      },
      config: { access: 'user' },
    },
    async () => ({ version: VERSION }),
  )

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
