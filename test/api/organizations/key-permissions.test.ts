// R47: what keys of an organization may do on every route of an account, in a table written by hand.
import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { NOTIFICATION, SCHEDULE } from '../../support/cast.ts'
import { addGroup, createOrganization } from '../../support/organizations/organization.ts'

// Cells as in accounts/permissions.test.ts. `org`: a key that reaches the whole organization; `limited`: one that is
// limited to a group; both have activities manage and notifications schedule. What the table names was made by the owner,
// for everyone.
const TABLE = `
                                           org     limited
GET    /auth/me                            200     200
PATCH  /auth/me                            level   level
POST   /auth/token/rotate                  level   level
GET    /integrations/keys                  manager manager
POST   /integrations/keys                  manager manager
GET    /devices                            level   level
PUT    /devices/phone                      level   level
GET    /web-push/key                       200     200
GET    /widgets                            level   level
POST   /widgets                            level   level
GET    /activities                         200     200
POST   /activities                         201     201
GET    /activities/{slug}                  200     unknown
PATCH  /activities/{slug}                  200     unknown
PATCH  /activity/{slug}                    200     unknown
DELETE /activities/{slug}                  204     unknown
POST   /activities/{slug}/snooze           level   level
POST   /activities/{slug}/answer           level   level
POST   /activities/{slug}/share            level   level
GET    /shares                             level   level
POST   /shares/join                        level   level
GET    /orgs                               level   level
GET    /orgs/{org}/members                 level   level
GET    /notifications                      200     200
POST   /notifications                      201     201
GET    /notifications/unread-count         200     200
GET    /notifications/{id}                 200     unknown
DELETE /notifications/{id}                 level   level
GET    /notifications/{id}/timeline        200     unknown
POST   /notifications/read                 level   level
GET    /notifications/answers/{id}         unknown unknown
GET    /notifications/receipts/{id}        unknown unknown
POST   /notifications/receipts/{id}/cancel unknown unknown
POST   /notifications/receipts/cancel      200     200
GET    /notifications/scheduled            200     200
POST   /notifications/scheduled            201     201
GET    /notifications/scheduled/{schedule} unknown unknown
DELETE /notifications/scheduled/{schedule} unknown unknown
POST   /emails                             level   level
GET    /emails                             level   level
POST   /demo/run                           manager manager
GET    /events                             level   level
`

const BODIES: Record<string, object> = {
  'PATCH /auth/me': { nickname: 'N' },
  'POST /integrations/keys': { name: 'K' },
  'PUT /devices/phone': { name: 'Phone', platform: 'web' },
  'POST /widgets': { slug: 'w', name: 'W', content: { template: 'value' } },
  'POST /activities': { slug: 'new', name: 'New' },
  'PATCH /activities/{slug}': { content: { state: 'x' } },
  'PATCH /activity/{slug}': { content: { state: 'x' } },
  'POST /activities/{slug}/answer': { option: 'yes' },
  'POST /shares/join': { code: 'K7QW2MXD' },
  'POST /notifications': NOTIFICATION,
  'POST /notifications/read': { all: true },
  'POST /notifications/receipts/cancel': { tag: 't' },
  'POST /notifications/scheduled': SCHEDULE,
  'POST /emails': { to: 'ada@example.org', subject: 'S', text_body: 'T' },
  'POST /demo/run': { mode: 'auto' },
}

const WORDS: Record<string, string> = {
  '403 integration_key.permission_denied': 'level',
  '403 integration_key.default_key_required': 'manager',
}

const ROWS = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [method = '', path = '', org = '', limited = ''] = line.trim().split(/\s+/)
    return { route: `${method} ${path}`, method, path, cells: { org, limited } }
  })

const app = useTestApp()
let params: Record<string, string>
let keys: Record<'org' | 'limited', string>
beforeAll(async () => {
  const organization = await createOrganization(app)
  const { path, owner, members } = organization
  const groupId = await addGroup(app, organization, 'ops', members)
  const permissions = { activities: 'manage', notifications: 'schedule' }
  const addKey = async (target?: object) =>
    (await app.post(`${path}/keys`, { name: 'K', permissions, target }, owner.token)).body.key
  keys = { org: await addKey(), limited: await addKey({ group_ids: [groupId] }) }
  await app.post(`${path}/activities`, { slug: 'build', name: 'Build' }, owner.token)
  const sent = await app.post(`${path}/notifications`, NOTIFICATION, owner.token)
  const planned = await app.post(`${path}/notifications/scheduled`, SCHEDULE, owner.token)
  params = { slug: 'build', org: organization.id, id: sent.body.id, schedule: planned.body.id }
})

// The limited key first: the other one deletes what the table names.
test.each(ROWS)('$route', async ({ route, method, path, cells }) => {
  app.advanceSeconds(60)
  const address = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '')
  const outcomeOf = async (token: string) => {
    const { status, body } = await app.call(method, address, { token, body: BODIES[route] })
    if (status < 400) return String(status)
    const outcome = `${status} ${body.code}`
    return /^404 [\w.]+not_found$/.test(outcome) ? 'unknown' : (WORDS[outcome] ?? outcome)
  }
  const limited = await outcomeOf(keys.limited)
  expect({ org: await outcomeOf(keys.org), limited }).toEqual(cells)
})
