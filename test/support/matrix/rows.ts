// Every route of the API against every kind of caller, read from the rows: what the access of a route means for each caller
// is written here, and what an outcome cannot be told from the row. Cells are the status of a success, or the refusal:
// `level` permission_denied, `manager` default_key_required, `slug` slug_invalid, `widget` token_not_permitted, `unknown` any
// not_found, `role` role_denied; others are in WORDS of permissions.test.ts.
import { LEVELS, type Permissions } from '../../../src/contract/permissions.ts'
import type { Route } from '../../../src/http/route.ts'
import { apiRoutes } from '../../../src/http/routes.ts'
import type { Context } from '../../../src/operations/context.ts'
import { KEYS } from '../cast.ts'

export type MatrixRow = { route: string; cells: Record<string, string> }

const nameOf = ({ method, url }: Route) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`
// No handler is called, so the routes need neither a context nor checks.
export const ROUTES = apiRoutes({} as Context, {} as Parameters<typeof apiRoutes>[1])
const isOrganizationRoute = ({ url }: Route) => /^\/orgs\b/.test(url)
const takesToken = ({ access }: Route) => access !== 'public'

// Those of screen links have a token in their path; test/api/screens has them.
export const PUBLIC_ROUTES = ROUTES.filter((route) => !takesToken(route) && !route.onLink).map(nameOf)

function successOf({ method, created, ok, accepted }: Route): string {
  if (created && method !== 'PATCH') return '201'
  return ok || method === 'GET' ? '200' : accepted ? '202' : '204'
}

// The owner of the account, and another account. Without an entry the owner succeeds, and the other account finds nothing that
// a path names.
const PEOPLE: Record<string, [user: string, other: string]> = {
  'POST /auth/passkeys': ['credential', 'credential'],
  // A browser that asks to be signed in belongs to whoever approves it.
  'POST /auth/requests/{request_id}/approve': ['204', '204'],
  'DELETE /auth/requests/{request_id}': ['204', '204'],
  'POST /integrations/default-key': ['200', '200'],
  'PUT /devices/{device_id}': ['200', '201'],
  'POST /devices/{device_id}/approve': ['nothing', 'unknown'],
  'POST /activities/{slug}/answer': ['unknown', 'unknown'],
  // Only displays are paired, and the screen of the test is a link.
  'POST /screens/{screen_id}/pair': ['unknown', 'unknown'],
  'POST /shares/join': ['201', 'invalid'],
  'PUT /notifications/{id}/snooze': ['ringing', 'unknown'],
  'POST /emails': ['201', 'refused'],
  'POST /emails/recipients': ['200', '201'],
  'GET /system/checks': ['operator', 'operator'],
  'GET /system/addresses': ['operator', 'operator'],
}

// A key finds what it sent itself; these were sent by the user.
const OF_SENDER = /^\w+ \/(notifications\/(answers|receipts|scheduled)\/\{id\}|files\/\{file_id\})/

// A full-access token of the account and of another one; its default key and KEYS; a token of the widget extension.
function cellsOf(route: Route): Record<string, string> {
  const name = nameOf(route)
  const success = successOf(route)
  const [user, other] = PEOPLE[name] ?? [success, route.url.includes(':') ? 'unknown' : success]
  const reached = OF_SENDER.test(name) ? 'unknown' : user
  const keys = Object.entries(KEYS).map(([key, { permissions, widget_slugs }]) => {
    const isOutside = widget_slugs && route.slugs === 'widgets' && name !== 'GET /widgets'
    return [key, refusalOf(route, permissions) ?? (isOutside ? 'slug' : reached)]
  })
  return {
    user,
    other,
    default: route.access === 'user' ? 'level' : reached,
    ...Object.fromEntries(keys),
    extension: isWidgetRead(route) ? user : 'widget',
  }
}

function refusalOf({ access }: Route, permissions: Partial<Permissions>): string | undefined {
  if (access === 'any') return undefined
  if (access === 'key-manager') return 'manager'
  if (typeof access !== 'object') return 'level'
  const levels: readonly string[] = LEVELS[access.resource]
  return levels.indexOf(permissions[access.resource] ?? 'none') < levels.indexOf(access.level) ? 'level' : undefined
}

const isWidgetRead = ({ access }: Route) =>
  typeof access === 'object' && access.resource === 'widgets' && access.level === 'read'

export const ROWS: MatrixRow[] = ROUTES.filter((route) => takesToken(route) && !isOrganizationRoute(route)).map(
  (route) => ({ route: nameOf(route), cells: cellsOf(route) }),
)

export type OrgRole = 'owner' | 'admin' | 'member' | 'stranger'
export type OrgRow = { route: string; cells: Record<OrgRole, string> }

// Owners and admins may do everything in an organization but this, and members only that. Written by hand, because no document
// shows the role that a row names.
const FOR_OWNERS = ['DELETE /orgs/{org_id}', 'PATCH /orgs/{org_id}/members/{user_id}']
const FOR_MEMBERS = [
  'GET /orgs/{org_id}',
  'GET /orgs/{org_id}/members',
  'GET /orgs/{org_id}/members/{user_id}',
  'GET /orgs/{org_id}/groups',
  'GET /orgs/{org_id}/groups/{group_id}',
  'GET /orgs/{org_id}/tags',
]

function roleCells(route: Route): Record<OrgRole, string> {
  const name = nameOf(route)
  const owner = successOf(route)
  if (name === 'POST /orgs/join') return { owner: '200', admin: '200', member: '200', stranger: '201' }
  if (!name.includes('{org_id}')) return { owner, admin: owner, member: owner, stranger: owner }
  return {
    owner,
    admin: FOR_OWNERS.includes(name) ? 'role' : owner,
    member: FOR_MEMBERS.includes(name) ? owner : 'role',
    stranger: 'unknown',
  }
}

export const ORG_ROWS: OrgRow[] = ROUTES.filter(isOrganizationRoute).map((route) => ({
  route: nameOf(route),
  cells: roleCells(route),
}))
