// R47: permissions. Every route of the API against every kind of caller (support/matrix/rows.ts).
import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { type BadToken, badTokens, type Cast, createCast, tokenOf } from '../../support/cast.ts'
import { mailSettings } from '../../support/fakes/mail.ts'
import { requestTo } from '../../support/matrix/requests.ts'
import { type MatrixRow, ORG_ROWS, PUBLIC_ROUTES, ROWS } from '../../support/matrix/rows.ts'
import { createOrgCast, type OrgCast } from '../../support/organizations/cast.ts'

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
  'GET /files/{file_id}': '200',
  'POST /auth/link': '401 token.invalid',
  'POST /auth/session': '403 session.foreign_request',
  'POST /auth/session/passkey/options': '200',
  'POST /auth/session/passkey': '403 session.foreign_request',
  'GET /auth/ways': '200',
  'POST /auth/invitation': '410 invitation.invalid',
  'POST /auth/session/invitation': '403 session.foreign_request',
  'POST /auth/session/requests': '403 session.foreign_request',
  'POST /auth/session/requests/{request_id}': '403 session.foreign_request',
  'POST /auth/links/email': '204',
  'POST /auth/apple': '503 auth.not_enabled',
  'POST /answers/{ticket}': 'unknown',
}

function readTable(table: string): MatrixRow[] {
  const [header, ...lines] = table.trim().split('\n')
  const callers = (header as string).trim().split(/\s+/)
  return lines.map((line) => {
    const [method, path, ...cells] = line.split(/\s+/)
    const outcomes = callers.map((caller, at) => [caller, cells[at] as string])
    return { route: `${method} ${path}`, cells: Object.fromEntries(outcomes) }
  })
}

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
  // The endpoint allows three calls a minute.
  if (route === 'POST /demo/run') app.advanceSeconds(60)
  const { method, path, body: sent } = requestTo(route, params)
  const { statusCode, body } = await request(app.url + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
    },
    body: sent === undefined ? null : JSON.stringify(sent),
  })
  if (statusCode >= 400) return { status: statusCode, text: await body.text() }
  body.on('error', () => {}).destroy()
  return { status: statusCode, text: '' }
}

const WORDS: Record<string, string> = {
  '403 integration_key.permission_denied': 'level',
  '409 device.nothing_pending': 'nothing',
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

test('routes without a token are those of the list', () => {
  expect(PUBLIC_ROUTES.toSorted()).toEqual(Object.keys(PUBLIC).sort())
})

describe('R47: invalid tokens', () => {
  test.each([...ROWS, ...ORG_ROWS])('$route', async ({ route }) => {
    for (const { what, token, outcome } of bad) {
      expect([what, await outcomeOf({ route, params: shared.params, token })]).toEqual([what, outcome])
    }
  })
})

async function outcomesOf({ route, cells }: MatrixRow): Promise<Record<string, string>> {
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
    for (const token of [shared.user.token, shared.user.defaultKey, ...bad.map((one) => one.token)]) {
      // The rate limits restart; and /ready would report overdue jobs.
      app.advanceSeconds(60)
      await app.runDueJobs()
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
    endpoint_id: randomUUID(),
    id: '987654321',
    schedule_id: '987654321',
    share_id: randomUUID(),
    code_id: randomUUID(),
    recipient_id: randomUUID(),
    request_id: randomUUID(),
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
