// R47: permissions. Every route of the API against every kind of caller, in a table written by hand.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import {
  ACTIVITY,
  type BadToken,
  badTokens,
  type Cast,
  COUNTDOWN,
  createCast,
  DEVICE,
  ESCALATION,
  HEARTBEAT,
  NOTIFICATION,
  SCHEDULE,
  tokenOf,
  WIDGET,
} from '../../support/cast.ts'
import { mailSettings } from '../../support/fakes/mail.ts'
import { createOrgCast, ORG_BODIES, ORG_ROWS, type OrgCast } from '../../support/organizations/cast.ts'

// Cells: the status of a success, or the refusal. `level` permission_denied, `manager` default_key_required,
// `slug` slug_invalid, `widget` token_not_permitted, `unknown` any not_found, `refused` recipient_not_verified, `invalid`
// code_invalid, `role` viewer_forbidden, `operator` operator_required, `ringing` notification.ringing, `credential`
// registration_invalid.
// Callers: a full-access token of the account and of another one; keys of the account: the default key, one without any
// level, with widgets read, write, and write for ci-* only, with notifications send and schedule, with all levels of
// everything else; and a token of the widget extension.
const TABLE = `
                                         user other   default no-level w-read  w-write ci-only n-send  n-sched others  extension
GET    /auth/me                          200  200     200     200      200     200     200     200     200     200     widget
GET    /auth/me/usage                    200  200     level   level    level   level   level   level   level   level   widget
GET    /auth/me/quiet-hours              200  200     level   level    level   level   level   level   level   level   widget
PUT    /auth/me/quiet-hours              200  200     level   level    level   level   level   level   level   level   widget
DELETE /auth/me/quiet-hours              204  204     level   level    level   level   level   level   level   level   widget
POST   /auth/me/quiet-hours/now          200  200     level   level    level   level   level   level   level   level   widget
DELETE /auth/me/quiet-hours/now          204  204     level   level    level   level   level   level   level   level   widget
PATCH  /auth/me                          200  200     level   level    level   level   level   level   level   level   widget
POST   /auth/token/rotate                200  200     level   level    level   level   level   level   level   level   widget
DELETE /auth/token                       204  204     level   level    level   level   level   level   level   level   widget
POST   /auth/links                       201  201     level   level    level   level   level   level   level   level   widget
GET    /auth/sessions                    200  200     level   level    level   level   level   level   level   level   widget
DELETE /auth/sessions                    200  200     level   level    level   level   level   level   level   level   widget
DELETE /auth/sessions/{session_id}       204  unknown level   level    level   level   level   level   level   level   widget
GET    /auth/passkeys                    200  200     level   level    level   level   level   level   level   level   widget
POST   /auth/passkeys                    credential credential level level    level   level   level   level   level   level   widget
POST   /auth/passkeys/options            200  200     level   level    level   level   level   level   level   level   widget
DELETE /auth/passkeys/{passkey_id}       204  unknown level   level    level   level   level   level   level   level   widget
DELETE /auth/session                     204  204     level   level    level   level   level   level   level   level   widget
POST   /integrations/default-key         200  200     200     manager  manager manager manager manager manager manager widget
GET    /integrations/keys                200  200     200     manager  manager manager manager manager manager manager widget
POST   /integrations/keys                201  201     201     manager  manager manager manager manager manager manager widget
PATCH  /integrations/keys/{key_id}       200  unknown 200     manager  manager manager manager manager manager manager widget
DELETE /integrations/keys/{key_id}       204  unknown 204     manager  manager manager manager manager manager manager widget
POST   /integrations/keys/{key_id}/roll  200  unknown 200     manager  manager manager manager manager manager manager widget
GET    /integrations/keys/{key_id}/aliases 200 unknown 200    manager  manager manager manager manager manager manager widget
POST   /integrations/keys/{key_id}/aliases 201 unknown 201    manager  manager manager manager manager manager manager widget
DELETE /integrations/keys/{key_id}/aliases/{alias_id} 204 unknown 204 manager manager manager manager manager manager manager widget
GET    /integrations/hooks 200 200 200 manager manager manager manager manager manager manager widget
POST   /integrations/hooks 201 201 201 manager manager manager manager manager manager manager widget
GET    /integrations/hooks/{hook_id} 200 unknown 200 manager manager manager manager manager manager manager widget
PATCH  /integrations/hooks/{hook_id} 200 unknown 200 manager manager manager manager manager manager manager widget
DELETE /integrations/hooks/{hook_id} 204 unknown 204 manager manager manager manager manager manager manager widget
POST   /integrations/hooks/{hook_id}/roll 200 unknown 200 manager manager manager manager manager manager manager widget
GET    /integrations/hooks/{hook_id}/requests 200 unknown 200 manager manager manager manager manager manager manager widget
POST   /integrations/hooks/{hook_id}/requests/{number}/replay 200 unknown 200 manager manager manager manager manager manager manager widget
POST   /integrations/hooks/{hook_id}/preview 200 unknown 200 manager manager manager manager manager manager manager widget
GET    /devices                          200  200     level   level    level   level   level   level   level   level   widget
POST   /devices/apps                     201  201     level   level    level   level   level   level   level   level   widget
PUT    /devices/{device_id}              200  201     level   level    level   level   level   level   level   level   widget
PATCH  /devices/{device_id}              200  unknown level   level    level   level   level   level   level   level   widget
DELETE /devices/{device_id}              204  unknown level   level    level   level   level   level   level   level   widget
PUT    /devices/{device_id}/activities/{slug} 204 unknown level level  level   level   level   level   level   level   widget
POST   /devices/{device_id}/widget-token 201  unknown level   level    level   level   level   level   level   level   widget
GET    /web-push/key                     200  200     200     200      200     200     200     200     200     200     widget
GET    /widgets                          200  200     200     level    200     200     200     level   level   level   200
POST   /widgets                          201  201     201     level    level   201     slug    level   level   level   widget
GET    /widgets/{slug}                   200  unknown 200     level    200     200     slug    level   level   level   200
PATCH  /widgets/{slug}                   200  unknown 200     level    level   200     slug    level   level   level   widget
DELETE /widgets/{slug}                   204  unknown 204     level    level   204     slug    level   level   level   widget
GET    /wall                             200  200     200     level    200     200     200     level   level   level   200
PUT    /wall                             200  200     level   level    level   level   level   level   level   level   widget
GET    /wall/events                      200  200     200     level    200     200     200     level   level   level   200
GET    /wall/links                       200  200     level   level    level   level   level   level   level   level   widget
POST   /wall/links                       201  201     level   level    level   level   level   level   level   level   widget
DELETE /wall/links/{link_id}             204  unknown level   level    level   level   level   level   level   level   widget
GET    /activities                       200  200     200     level    level   level   level   level   level   200     widget
POST   /activities                       201  201     201     level    level   level   level   level   level   201     widget
GET    /activities/{slug}                200  unknown 200     level    level   level   level   level   level   200     widget
PATCH  /activities/{slug}                200  unknown 200     level    level   level   level   level   level   200     widget
PATCH  /activity/{slug}                  200  unknown 200     level    level   level   level   level   level   200     widget
DELETE /activities/{slug}                204  unknown 204     level    level   level   level   level   level   204     widget
POST   /activities/{slug}/snooze         200  unknown level   level    level   level   level   level   level   level   widget
POST   /activities/{slug}/answer         unknown unknown level level   level   level   level   level   level   level   widget
POST   /activities/{slug}/share          201  unknown level   level    level   level   level   level   level   level   widget
POST   /shares/patterns                  201  201     level   level    level   level   level   level   level   level   widget
GET    /shares/codes                     200  200     level   level    level   level   level   level   level   level   widget
DELETE /shares/codes/{code_id}           204  unknown level   level    level   level   level   level   level   level   widget
POST   /shares/join                      201  invalid level   level    level   level   level   level   level   level   widget
GET    /shares                           200  200     level   level    level   level   level   level   level   level   widget
PATCH  /shares/{share_id}                200  unknown level   level    level   level   level   level   level   level   widget
DELETE /shares/{share_id}                204  unknown level   level    level   level   level   level   level   level   widget
GET    /notifications                    200  200     200     level    level   level   level   200     200     level   widget
POST   /notifications                    201  201     201     level    level   level   level   201     201     level   widget
GET    /notifications/unread-count       200  200     200     level    level   level   level   200     200     level   widget
GET    /notifications/{id}               200  unknown 200     level    level   level   level   200     200     level   widget
DELETE /notifications                    200  200     level   level    level   level   level   level   level   level   widget
DELETE /notifications/{id}               204  unknown level   level    level   level   level   level   level   level   widget
GET    /notifications/{id}/timeline      200  unknown 200     level    level   level   level   200     200     level   widget
POST   /notifications/read               200  200     level   level    level   level   level   level   level   level   widget
PUT    /notifications/{id}/snooze        ringing unknown level   level    level   level   level   level   level   level   widget
DELETE /notifications/{id}/snooze        200  unknown level   level    level   level   level   level   level   level   widget
GET    /mutes                            200  200     level   level    level   level   level   level   level   level   widget
PUT    /mutes                            201  201     level   level    level   level   level   level   level   level   widget
DELETE /mutes/{mute_id}                  204  unknown level   level    level   level   level   level   level   level   widget
GET    /notifications/answers/{id}       200  unknown unknown level    level   level   level   unknown unknown level   widget
GET    /notifications/receipts           200  200     200     level    level   level   level   200     200     level   widget
GET    /notifications/receipts/{id}      200  unknown unknown level    level   level   level   unknown unknown level   widget
POST   /notifications/receipts/{id}/cancel 200 unknown unknown level   level   level   level   unknown unknown level   widget
POST   /notifications/receipts/cancel    200  200     200     level    level   level   level   200     200     level   widget
POST   /notifications/{id}/answer        200  unknown level   level    level   level   level   level   level   level   widget
GET    /notifications/scheduled          200  200     200     level    level   level   level   level   200     level   widget
POST   /notifications/scheduled          201  201     201     level    level   level   level   level   201     level   widget
GET    /notifications/scheduled/{id}     200  unknown unknown level    level   level   level   level   unknown level   widget
PATCH  /notifications/scheduled/{id}     200  unknown unknown level    level   level   level   level   unknown level   widget
POST   /notifications/scheduled/{id}/send 200 unknown unknown level    level   level   level   level   unknown level   widget
DELETE /notifications/scheduled/{id}     204  unknown unknown level    level   level   level   level   unknown level   widget
GET    /heartbeats                       200     200     200     level   level   level   level   200     200     level   widget
POST   /heartbeats                       201     201     201     level   level   level   level   level   201     level   widget
GET    /heartbeats/{slug}                200     unknown 200     level   level   level   level   200     200     level   widget
PATCH  /heartbeats/{slug}                200     unknown 200     level   level   level   level   level   200     level   widget
DELETE /heartbeats/{slug}                204     unknown 204     level   level   level   level   level   204     level   widget
POST   /heartbeats/{slug}/pause          200     unknown 200     level   level   level   level   level   200     level   widget
POST   /heartbeats/{slug}/resume         200     unknown 200     level   level   level   level   level   200     level   widget
POST   /heartbeats/{slug}/roll           200     unknown 200     level   level   level   level   level   200     level   widget
POST   /heartbeats/ping-key/roll         200     200     200     level   level   level   level   level   200     level   widget
GET    /heartbeats/{slug}/pings          200     unknown 200     level   level   level   level   200     200     level   widget
GET    /escalations                      200     200     200     level   level   level   level   level   200     level   widget
POST   /escalations                      201     201     201     level   level   level   level   level   201     level   widget
GET    /escalations/{slug}               200     unknown 200     level   level   level   level   level   200     level   widget
PATCH  /escalations/{slug}               200     unknown 200     level   level   level   level   level   200     level   widget
DELETE /escalations/{slug}               204     unknown 204     level   level   level   level   level   204     level   widget
POST   /emails                           201  refused 201     level    level   level   level   level   level   201     widget
GET    /emails                           200  200     200     level    level   level   level   level   level   200     widget
GET    /emails/recipients                200  200     level   level    level   level   level   level   level   level   widget
POST   /emails/recipients                200  201     level   level    level   level   level   level   level   level   widget
POST   /emails/recipients/{recipient_id}/resend 200 unknown level level level  level   level   level   level   level   widget
DELETE /emails/recipients/{recipient_id} 204  unknown level   level    level   level   level   level   level   level   widget
GET    /system/version                   200  200     level   level    level   level   level   level   level   level   widget
GET    /system/checks                    operator operator level level level level   level   level   level   level   widget
POST   /demo/run                         202  202     202     manager  manager manager manager manager manager manager widget
GET    /events                           200  200     level   level    level   level   level   level   level   level   widget
`

// Callers that the activity is shared with, and their default keys, for which it does not exist.
const SHARED_TABLE = `
                                         viewer  editor  viewer-key editor-key
GET    /activities                       200     200     200        200
GET    /activities/{slug}                200     200     unknown    unknown
PATCH  /activities/{slug}                role    200     unknown    unknown
PATCH  /activity/{slug}                  role    200     unknown    unknown
DELETE /activities/{slug}                role    role    unknown    unknown
POST   /activities/{slug}/snooze         role    200     level      level
POST   /activities/{slug}/answer         role    unknown level      level
POST   /activities/{slug}/share          unknown unknown level      level
PUT    /devices/{device_id}/activities/{slug} 204 204    level      level
`

// Routes that take no token: the answer is the same for any token.
const PUBLIC: Record<string, string> = {
  'GET /health': '200',
  'GET /ready': '200',
  'GET /icons/{file}': '200',
  'GET /icons/names': '200',
  'GET /icons': '422 request.validation_failed',
  'GET /files/{file_id}': 'unknown',
  'POST /auth/link': '401 token.invalid',
  'POST /auth/session': '403 session.foreign_request',
  'POST /auth/session/passkey/options': '200',
  'POST /auth/session/passkey': '403 session.foreign_request',
  'POST /auth/apple': '503 auth.not_enabled',
  'POST /answers/{ticket}': 'unknown',
}

const BODIES: Record<string, unknown> = {
  'POST /auth/link': { code: 'unknown' },
  'POST /auth/session': { code: 'unknown' },
  'POST /auth/apple': { identity_token: 'unknown', device_id: 'phone' },
  'POST /auth/passkeys': {
    name: 'Laptop',
    credential: {
      id: 'AQ',
      rawId: 'AQ',
      type: 'public-key',
      response: { clientDataJSON: 'e30', attestationObject: 'oA' },
    },
  },
  'PATCH /auth/me': { nickname: 'N' },
  'PUT /auth/me/quiet-hours': { timezone: 'UTC', windows: [] },
  'POST /auth/me/quiet-hours/now': { until: '2026-12-01T00:00:00Z' },
  'POST /integrations/keys': { name: 'K' },
  'PATCH /integrations/keys/{key_id}': { name: 'K2' },
  'POST /integrations/keys/{key_id}/aliases': { door: 'gotify' },
  'POST /integrations/hooks': { name: 'H', kind: 'auto' },
  'PATCH /integrations/hooks/{hook_id}': { name: 'H2' },
  'POST /heartbeats': { ...HEARTBEAT, slug: 'new' },
  'PATCH /heartbeats/{slug}': { name: 'H2' },
  'POST /escalations': { ...ESCALATION, slug: 'new' },
  'PATCH /escalations/{slug}': { name: 'E2' },
  'POST /integrations/hooks/{hook_id}/preview': { request: { message: 'M' } },
  'POST /devices/apps': { kind: 'ntfy', name: 'Pixel' },
  'PUT /devices/{device_id}': DEVICE,
  'PATCH /devices/{device_id}': { name: 'Phone 2' },
  'PUT /devices/{device_id}/activities/{slug}': { push_update_token: 'abc' },
  'POST /widgets': WIDGET,
  'PATCH /widgets/{slug}': { name: 'W2' },
  'POST /activities': ACTIVITY,
  'PATCH /activities/{slug}': COUNTDOWN,
  'PATCH /activity/{slug}': COUNTDOWN,
  'POST /activities/{slug}/answer': { option: 'yes' },
  'POST /shares/patterns': { slug_pattern: 'ci-*' },
  'PATCH /shares/{share_id}': { role: 'editor' },
  'POST /demo/run': { mode: 'auto' },
  'POST /notifications': NOTIFICATION,
  'POST /notifications/scheduled': SCHEDULE,
  'DELETE /notifications': { ids: [1] },
  'PUT /wall': { items: [{ slug: 'build', size: 'large' }] },
  'POST /wall/links': { name: 'Hall' },
  'PUT /notifications/{id}/snooze': { until: '2026-12-01T00:00:00Z' },
  'PUT /mutes': { source: 'other', until: '2026-12-01T00:00:00Z' },
  'PATCH /notifications/scheduled/{id}': { paused: true },
  'POST /notifications/read': { all: true },
  'POST /notifications/receipts/cancel': { tag: 't' },
  'POST /notifications/{id}/answer': { action_id: 'yes' },
  'POST /answers/{ticket}': { action_id: 'yes' },
  'POST /emails': { to: 'ada@example.org', subject: 'S', text_body: 'T' },
  'POST /emails/recipients': { address: 'ada@example.org' },
}

type Row = { route: string; cells: Record<string, string | undefined> }

function readTable(table: string): Row[] {
  const [header, ...lines] = table.trim().split('\n')
  const callers = (header as string).trim().split(/\s+/)
  return lines.map((line) => {
    const [method, path, ...cells] = line.split(/\s+/)
    return { route: `${method} ${path}`, cells: Object.fromEntries(callers.map((caller, at) => [caller, cells[at]])) }
  })
}

const ROWS = readTable(TABLE)
const SHARED_ROWS = readTable(SHARED_TABLE)

// No mail server listens there: mails are stored and not sent.
const app = useTestApp(mailSettings(1))
let shared: Cast
let sharedOrg: OrgCast
let bad: BadToken[]
beforeAll(async () => {
  shared = await createCast(app)
  // Uses up the code that the other account offers.
  await app.post('/shares/join', { code: shared.params.code }, shared.viewer.token)
  sharedOrg = await createOrgCast(app)
  bad = await badTokens(app, shared)
})

type Attempt = { route: string; params: Record<string, string>; token: string | undefined }

// Does not read the body of a success: an event stream never ends.
async function attempt({ route, params, token }: Attempt): Promise<{ status: number; text: string }> {
  const [method = '', template = ''] = route.split(' ')
  // Notifications and schedules have the same parameter name.
  const known: Record<string, string | undefined> = template.includes('/scheduled/')
    ? { ...params, id: params.schedule_id }
    : params
  // The endpoint allows three calls a minute.
  if (route === 'POST /demo/run') app.advanceSeconds(60)
  const stop = new AbortController()
  const body = bodyFor(route, params)
  const answer = await fetch(app.url + template.replace(/\{(\w+)\}/g, (_, name) => known[name] ?? ''), {
    method,
    signal: stop.signal,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (!answer.ok) return { status: answer.status, text: await answer.text() }
  stop.abort()
  return { status: answer.status, text: '' }
}

function bodyFor(route: string, { code = '', key_id = '' }: Record<string, string>): unknown {
  if (route === 'POST /shares/join') return { code }
  const body = BODIES[route] ?? ORG_BODIES[route]
  return body && JSON.parse(JSON.stringify(body).replace('{code}', code).replace('{key_id}', key_id))
}

const WORDS: Record<string, string> = {
  '403 integration_key.permission_denied': 'level',
  '403 integration_key.default_key_required': 'manager',
  '403 integration_key.slug_invalid': 'slug',
  '409 notification.ringing': 'ringing',
  '403 widget.token_not_permitted': 'widget',
  '403 device.app_not_permitted': 'app',
  '403 email.recipient_not_verified': 'refused',
  '403 activity.viewer_forbidden': 'role',
  '403 org.role_denied': 'role',
  '403 user.operator_required': 'operator',
  '400 passkey.registration_invalid': 'credential',
  '410 share.code_invalid': 'invalid',
}

async function outcomeOf(what: Attempt): Promise<string> {
  const { status, text } = await attempt(what)
  if (status < 400) return String(status)
  const outcome = `${status} ${JSON.parse(text).code}`
  return /^404 [\w.]+not_found$/.test(outcome) ? 'unknown' : (WORDS[outcome] ?? outcome)
}

test('every route of the API is in the table or is public', async () => {
  const { paths } = (await app.get('/openapi.json')).body as { paths: Record<string, object> }
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect([...[...ROWS, ...ORG_ROWS].map(({ route }) => route), ...Object.keys(PUBLIC)].sort()).toEqual(routes.sort())
})

describe('R47: invalid tokens', () => {
  test.each([...ROWS, ...ORG_ROWS])('$route', async ({ route }) => {
    for (const { what, token, outcome } of bad) {
      expect([what, await outcomeOf({ route, params: shared.params, token })]).toEqual([what, outcome])
    }
  })
})

async function outcomesOf({ route, cells }: Row): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {}
  for (const caller of Object.keys(cells)) {
    // A success may change the account; a refusal does not.
    const changes = !route.startsWith('GET') && /^2/.test(cells[caller] ?? '')
    const cast = changes ? await createCast(app, route) : shared
    outcomes[caller] = await outcomeOf({ route, params: cast.params, token: await tokenOf(app, cast, caller) })
  }
  return outcomes
}

describe('R47: callers', () => {
  test.each(ROWS)('$route', async (row) => {
    expect(await outcomesOf(row)).toEqual(row.cells)
  })

  test.each(SHARED_ROWS)('$route of a shared activity', async (row) => {
    expect(await outcomesOf(row)).toEqual(row.cells)
  })

  test.each(Object.entries(PUBLIC))('%s takes no token', async (route, expected) => {
    // Two of them share a rate limit, which restarts; and /ready would report overdue jobs.
    app.advanceSeconds(60)
    await app.runDueJobs()
    for (const token of [shared.user.token, shared.user.defaultKey, ...bad.map((one) => one.token)]) {
      expect(await outcomeOf({ route, params: shared.params, token })).toBe(expected)
    }
  })
})

describe('the password of a phone app', () => {
  test.each([...ROWS, ...ORG_ROWS])('is refused by $route', async ({ route }) => {
    const params = { ...shared.params, ...sharedOrg.params }
    for (const kind of ['ntfy', 'gotify'] as const) {
      expect(await outcomeOf({ route, params, token: await tokenOf(app, shared, kind) })).toBe('app')
    }
  })
})

describe('R47: resources of another account get the same answer as unknown ones', () => {
  const UNKNOWN = {
    slug: 'no-widget',
    key_id: randomUUID(),
    hook_id: randomUUID(),
    number: '1',
    device_id: 'no-device',
    id: '987654321',
    schedule_id: '987654321',
    share_id: randomUUID(),
    code_id: randomUUID(),
    recipient_id: randomUUID(),
  }

  test.each(ROWS.filter(({ cells }) => cells.other === 'unknown'))('$route', async ({ route }) => {
    const answerAbout = async ({ number, ...ids }: Record<string, string>) => {
      const params = { ...ids, number: number as string }
      const { status, text } = await attempt({ route, params, token: shared.other.token })
      const { instance: _request, detail, ...rest } = JSON.parse(text)
      // The number of a request, 1, is a digit of other ids.
      const aboutNothing = Object.values(ids).reduce((words, id) => words.replaceAll(id, '…'), detail)
      return { status, detail: aboutNothing, ...rest }
    }
    const theirs = await answerAbout(shared.params)
    expect(theirs.status).toBe(404)
    expect(theirs).toEqual(await answerAbout(UNKNOWN))
  })
})

describe('R47: roles in an organization', () => {
  test.each(ORG_ROWS)('$route', async ({ route, cells }) => {
    const outcomes: Record<string, string> = {}
    for (const role of ['owner', 'admin', 'member', 'stranger'] as const) {
      const changes = !route.startsWith('GET') && /^2/.test(cells[role])
      const { people, params } = changes ? await createOrgCast(app, route) : sharedOrg
      outcomes[role] = await outcomeOf({ route, params, token: people[role].token })
    }
    expect(outcomes).toEqual(cells)
  })

  test.each(ORG_ROWS)('no key and no widget token: $route', async ({ route }) => {
    const { params } = sharedOrg
    for (const caller of Object.keys(ROWS[0]!.cells).filter((one) => one !== 'user' && one !== 'other')) {
      const token = await tokenOf(app, shared, caller)
      const expected = caller === 'extension' ? 'widget' : 'level'
      expect([caller, await outcomeOf({ route, params, token })]).toEqual([caller, expected])
    }
  })

  test.each(ORG_ROWS.filter(({ cells }) => cells.stranger === 'unknown'))(
    'a stranger gets the same answer as for an unknown organization: $route',
    async ({ route }) => {
      const answerAbout = async (params: Record<string, string>) => {
        const { status, text } = await attempt({ route, params, token: sharedOrg.people.stranger.token })
        const { instance: _request, detail, ...rest } = JSON.parse(text)
        return { status, detail: detail.replaceAll(params.org_id, '…'), ...rest }
      }
      const unknown = Object.fromEntries(Object.keys(sharedOrg.params).map((name) => [name, randomUUID()]))
      expect(await answerAbout(sharedOrg.params)).toEqual(await answerAbout(unknown))
    },
  )
})
