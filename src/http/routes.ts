// All routes of the server. Those of the API are rows, in the order of openapi.json; doors, pages and files of the console are
// registered with Fastify.
import type { Context } from '../operations/context.ts'
import { clientFiles } from './client-files.ts'
import { consoleFiles } from './console-files.ts'
import { doorRoutes } from './doors/doors.ts'
import type { HttpServer } from './fastify-types.ts'
import { asOrganization, refuseUnreadCount } from './organization-prefix.ts'
import { answerPageRoutes } from './pages/answer-page-routes.ts'
import { emailLinkRoutes } from './pages/email-links.ts'
import { addRoutes, type Route } from './route.ts'
import { accountRoutes, sessionRoutes } from './routes/accounts/accounts.ts'
import { passkeyRoutes } from './routes/accounts/passkeys.ts'
import { wayInRoutes } from './routes/accounts/ways-in.ts'
import { activityRoutes } from './routes/activities.ts'
import { answerRoutes } from './routes/answers.ts'
import { demoRoutes } from './routes/demo.ts'
import { deviceRoutes } from './routes/devices.ts'
import { docsRoutes } from './routes/docs.ts'
import { doctorRoutes, type Health } from './routes/doctor.ts'
import { emailRoutes } from './routes/emails.ts'
import { escalationRoutes } from './routes/escalations.ts'
import { eventRoutes } from './routes/events.ts'
import { fileRoutes } from './routes/files.ts'
import { heartbeatRoutes } from './routes/heartbeats.ts'
import { muteRoutes, quietHoursRoutes } from './routes/holds.ts'
import { hookRoutes } from './routes/hooks.ts'
import { iconRoutes } from './routes/icons.ts'
import { keyRoutes } from './routes/keys.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { groupRoutes } from './routes/organizations/groups.ts'
import { invitationRoutes } from './routes/organizations/invitations.ts'
import { organizationRoutes } from './routes/organizations/organizations.ts'
import { receiptRoutes } from './routes/receipts.ts'
import { scheduleRoutes } from './routes/schedules.ts'
import { onLinkRoutes, screenLinkRoutes } from './routes/screens/links.ts'
import { screenRoutes } from './routes/screens/screens.ts'
import { shareRoutes } from './routes/shares.ts'
import { widgetRoutes } from './routes/widgets.ts'
import { asLink } from './screens/link-prefix.ts'

export function apiRoutes(ctx: Context, health: Health): Route[] {
  const tables = [
    doctorRoutes(ctx, health),
    accountRoutes(ctx),
    sessionRoutes(ctx),
    passkeyRoutes(ctx),
    wayInRoutes(ctx),
    quietHoursRoutes(ctx),
    keyRoutes(ctx),
    hookRoutes(ctx),
    deviceRoutes(ctx),
    widgetRoutes(ctx),
    activityRoutes(ctx),
    screenRoutes(ctx),
    screenLinkRoutes(ctx),
    onLinkRoutes(ctx),
    shareRoutes(ctx),
    notificationRoutes(ctx),
    muteRoutes(ctx),
    scheduleRoutes(ctx),
    heartbeatRoutes(ctx),
    escalationRoutes(ctx),
    answerRoutes(ctx),
    receiptRoutes(ctx),
    emailRoutes(ctx),
    eventRoutes(ctx),
    organizationRoutes(ctx),
    groupRoutes(ctx),
    invitationRoutes(ctx),
    demoRoutes(ctx),
    fileRoutes(ctx),
    iconRoutes(),
  ]
  return tables.flat().flatMap((route) => {
    if (route.organization) return [route, asOrganization(route)]
    if (route.screenLink === 'only') return [asLink(route)]
    return route.screenLink ? [route, asLink(route)] : [route]
  })
}

export function registerRoutes(app: HttpServer, ctx: Context, health: Health): void {
  addRoutes(app, ctx, apiRoutes(ctx, health))
  refuseUnreadCount(app)
  docsRoutes(app, ctx)
  answerPageRoutes(app, ctx)
  emailLinkRoutes(app, ctx)
  doorRoutes(app, ctx)
  mcpRoutes(app, ctx)
  clientFiles(app, ctx)
  consoleFiles(app)
}
