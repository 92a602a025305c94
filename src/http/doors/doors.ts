// The doors that the configuration opens: interfaces of other notification services, each at a path of its own. A door is an
// adapter: it reads a foreign request, calls the operations that our own routes call, and writes the foreign answer.
import type { Context } from '../../operations/context.ts'
import { isUnifiedPushOn } from '../../operations/doors/ntfy/unified-push.ts'
import type { HttpServer } from '../fastify-types.ts'
import { registerAppSockets } from './app-sockets.ts'
import { barkDoor } from './bark/routes.ts'
import { gotifyDoor } from './gotify/routes.ts'
import { hookDoor } from './hooks/routes.ts'
import { matrixDoor, ntfyDoor } from './ntfy/routes.ts'
import { pingDoor } from './pings.ts'
import { pushoverDoor } from './pushover/routes.ts'
import { trmnlDoor } from './trmnl.ts'

export function doorRoutes(app: HttpServer, ctx: Context): void {
  const { doors } = ctx.config
  app.register((scope: HttpServer, _options, done) => {
    registerAppSockets(scope)
    if (doors.includes('ntfy')) ntfyDoor(scope, ctx)
    if (doors.includes('gotify')) gotifyDoor(scope, ctx)
    done()
  })
  if (isUnifiedPushOn(ctx.config)) matrixDoor(app, ctx)
  if (doors.includes('pushover')) pushoverDoor(app, ctx)
  if (doors.includes('bark')) barkDoor(app, ctx)
  if (doors.includes('hooks')) hookDoor(app, ctx)
  if (doors.includes('trmnl')) trmnlDoor(app, ctx)
  pingDoor(app, ctx)
}
