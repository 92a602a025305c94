// All routes of the server, in the order of openapi.json.
import type { Context } from '../operations/context.ts'
import { clientFiles } from './client-files.ts'
import { consoleFiles } from './console-files.ts'
import { doorRoutes } from './doors/doors.ts'
import type { HttpServer } from './fastify-types.ts'
import { repeatForOrganizations } from './organization-prefix.ts'
import { answerPageRoutes } from './pages/answer-page-routes.ts'
import { accountRoutes } from './routes/accounts/account.ts'
import { passkeyRoutes } from './routes/accounts/passkeys.ts'
import { sessionRoutes } from './routes/accounts/sessions.ts'
import { activityRoutes } from './routes/activities.ts'
import { answerRoutes } from './routes/answers.ts'
import { demoRoutes } from './routes/demo.ts'
import { deviceRoutes } from './routes/devices.ts'
import { docsRoutes } from './routes/docs.ts'
import { hookRoutes } from './routes/doors/hooks.ts'
import { keyAliasRoutes } from './routes/doors/key-aliases.ts'
import { emailLinkRoutes } from './routes/email-links.ts'
import { emailRecipientRoutes } from './routes/email-recipients.ts'
import { emailRoutes } from './routes/emails.ts'
import { eventStreamRoutes } from './routes/event-stream.ts'
import { fileRoutes } from './routes/files.ts'
import { type Health, healthRoutes } from './routes/health.ts'
import { iconRoutes } from './routes/icons.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { integrationKeyRoutes } from './routes/integration-keys.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { muteRoutes } from './routes/mutes.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { escalationRoutes } from './routes/on-call/escalations.ts'
import { heartbeatRoutes } from './routes/on-call/heartbeats.ts'
import { quietHoursRoutes } from './routes/on-call/quiet-hours.ts'
import { groupRoutes } from './routes/organizations/groups.ts'
import { invitationRoutes } from './routes/organizations/invitations.ts'
import { memberRoutes } from './routes/organizations/members.ts'
import { organizationRoutes } from './routes/organizations/organizations.ts'
import { tagRoutes } from './routes/organizations/tags.ts'
import { receiptRoutes } from './routes/receipts.ts'
import { scheduleRoutes } from './routes/schedules.ts'
import { shareRoutes } from './routes/shares.ts'
import { systemRoutes } from './routes/system.ts'
import { wallRoutes } from './routes/widgets/wall.ts'
import { widgetRoutes } from './routes/widgets/widgets.ts'

export function registerRoutes(app: HttpServer, ctx: Context, health: Health): void {
  repeatForOrganizations(app)
  healthRoutes(app, ctx, health)
  systemRoutes(app, ctx, health.checkup)
  docsRoutes(app)
  accountRoutes(app, ctx)
  sessionRoutes(app, ctx)
  passkeyRoutes(app, ctx)
  quietHoursRoutes(app, ctx)
  integrationKeyRoutes(app, ctx)
  keyAliasRoutes(app, ctx)
  hookRoutes(app, ctx)
  deviceRoutes(app, ctx)
  widgetRoutes(app, ctx)
  wallRoutes(app, ctx)
  activityRoutes(app, ctx)
  shareRoutes(app, ctx)
  notificationRoutes(app, ctx)
  inboxRoutes(app, ctx)
  muteRoutes(app, ctx)
  scheduleRoutes(app, ctx)
  heartbeatRoutes(app, ctx)
  escalationRoutes(app, ctx)
  answerRoutes(app, ctx)
  answerPageRoutes(app, ctx)
  receiptRoutes(app, ctx)
  emailRoutes(app, ctx)
  emailRecipientRoutes(app, ctx)
  emailLinkRoutes(app, ctx)
  eventStreamRoutes(app, ctx)
  organizationRoutes(app, ctx)
  memberRoutes(app, ctx)
  groupRoutes(app, ctx)
  tagRoutes(app, ctx)
  invitationRoutes(app, ctx)
  demoRoutes(app, ctx)
  doorRoutes(app, ctx)
  mcpRoutes(app, ctx)
  fileRoutes(app, ctx)
  iconRoutes(app)
  clientFiles(app, ctx)
  consoleFiles(app)
}
