// The OpenAPI 3.1 document, made from the routes and the schemas that validate their requests. scripts/generate.mjs
// writes it to openapi.json; the server only serves that file.
import { CONTRACT_PLANS, type Plans } from '../../domain/plans.ts'
import { VERSION } from '../../runtime/version.ts'
import { plansTable } from '../../views/plans.ts'
import type { Route } from '../route.ts'
import { CALLBACKS } from './callbacks.ts'
import { type Described, describeOperation } from './operation.ts'
import { shareParameters } from './parameters.ts'
import { HEADERS, PROBLEM_SCHEMAS, sharedResponses } from './responses.ts'
import { createSchemaRegistry } from './schemas.ts'

const TAGS = {
  Notifications: 'Send notifications and read the inbox.',
  'Scheduled notifications': 'Send a notification at a later time or as a series.',
  Files: 'Files that notifications have as attachments.',
  Heartbeats: 'Hear about it when a job, a backup or a device stops to ping its address.',
  Escalations: 'Wake someone else when nobody acknowledges an alert.',
  Answers: 'The buttons that people press on notifications.',
  Receipts: 'Alerts that repeat until someone acknowledges them.',
  Widgets: 'Content for the home screen and the lock screen.',
  'Screen links': 'Addresses that show widgets and activities to everybody who has them.',
  Activities: 'Live activities: content that changes while something is under way.',
  Sharing: 'Live activities on the devices of other people.',
  'E-mail': 'Send e-mail to recipients that have confirmed their address.',
  Events: 'The changes of an account as a stream.',
  Devices: 'The devices that notifications are pushed to.',
  'Integration keys': 'Credentials for programs, each with permissions of its own.',
  Hooks: 'Addresses for programs that send webhooks in a format of their own.',
  Organizations: 'Members, groups, tags and invitations of an organization.',
  'Acting as an organization': 'What an organization owns, for its owners and admins.',
  Account: 'Sign in, sign out, and the use of the quotas.',
  System: 'Health, icons and the demonstration.',
}

// The server replaces it by one with its own plans.
export const describeInfo = (plans: Plans) => ({
  title: 'Heliograph',
  version: VERSION,
  description: `Your programs put notifications, widgets and live activities on your devices.

Every error is an RFC 9457 problem (\`application/problem+json\`) with a stable \`code\`. Each operation lists the codes it may answer with. Unknown members of a request are refused with 422; responses may gain members.

## Plans

Quotas are counted anew on the first of a month, or at midnight, UTC; a used-up one is 429 \`quota.exceeded\`. The others are how many of a kind an account can have at a time.

${plansTable(plans)}`,
  license: { name: 'MIT', identifier: 'MIT' },
})

const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A full-access token (`hla_…`), an integration key (`hlk_…`) or, for reading widgets, a widget token (`hlw_…`).',
  },
}

export function describeApi(routes: Route[]): object {
  const schemas = createSchemaRegistry()
  const paths: Record<string, Record<string, Described>> = {}
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
    const operation = { [route.method.toLowerCase()]: describeOperation(route, schemas) }
    paths[path] = { ...paths[path], ...operation }
  }
  const parameters = shareParameters(Object.values(paths).flatMap((methods) => Object.values(methods)))
  return {
    openapi: '3.1.1',
    info: describeInfo(CONTRACT_PLANS),
    servers: [{ url: '/', description: 'The server that serves this document.' }],
    security: [{ token: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      parameters,
      responses: sharedResponses(),
      callbacks: schemas.refer(CALLBACKS),
      schemas: { ...PROBLEM_SCHEMAS, ...schemas.named() },
    },
  }
}
