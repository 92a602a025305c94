// What Gotify's apps ask without a token: version, health and the picture of applications.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/problems.ts'
import type { Context } from '../../../operations/context.ts'
import { isDatabaseWell } from '../../../operations/doors/gotify/user.ts'
import { VERSION } from '../../../runtime/version.ts'
import { builtFiles } from '../../built-files.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { DOOR_ROUTE } from '../door.ts'
import { IMAGE_PATH } from './views.ts'

// The version of Gotify whose interface this is. Apps show it and compare it with nothing.
const GOTIFY_VERSION = '3.0.0'

export function infoRoutes(scope: HttpServer, ctx: Context): void {
  scope.get('/gotifyinfo', DOOR_ROUTE, async () => ({ version: GOTIFY_VERSION, register: false, oidc: false }))
  scope.get('/version', DOOR_ROUTE, async () => ({
    version: GOTIFY_VERSION,
    commit: `heliograph-${VERSION}`,
    buildDate: '2026-01-01T00:00:00Z',
  }))
  scope.get('/health', DOOR_ROUTE, async (_request, reply) => {
    const isWell = isDatabaseWell(ctx)
    return reply
      .code(isWell ? 200 : 500)
      .send({ health: isWell ? 'green' : 'orange', database: isWell ? 'green' : 'red' })
  })

  const icon = builtFiles('console', { headers: { 'cache-control': 'public, max-age=86400' } }).get('icon-192.png')
  scope.get(`/${IMAGE_PATH}`, DOOR_ROUTE, async (request: FastifyRequest, reply) => {
    if (icon) return icon(request, reply)
    throw new Problem('route.not_found', 'The console is not built.')
  })
}
