// R22: SQLite and PostgreSQL give the same answers. One server on each gets the same requests in the same order; every
// status, content type and body must be equal, except for random values.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createToken } from '../../../src/operations/accounts/accounts.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { badTokens, type Cast, createCast, tokenOf } from '../../support/cast.ts'
import { createTestDatabase, isPostgres } from '../../support/database/database.ts'
import { mailSettings } from '../../support/fakes/mail.ts'
import { TEST_SEED } from '../../support/generated/fixed-seed.ts'
import {
  type ApiDescription,
  type GeneratedRequest,
  requestArbitrary,
} from '../../support/generated/request-arbitrary.ts'
import { createAgent, sendGenerated } from '../../support/generated/send-generated.ts'
import { requestTo } from '../../support/matrix/requests.ts'
import { ORG_ROWS, ROWS } from '../../support/matrix/rows.ts'
import { hasLongForms } from '../../support/nightly.ts'
import { createOrgCast } from '../../support/organizations/cast.ts'

const REQUESTS = hasLongForms ? 800 : 200
const CALLERS = ['user', 'user', 'default', 'w-write', 'ci-only', 'n-send', 'none', 'expired']

type Server = {
  app: TestApp
  tokens: Map<string, string | undefined>
  cast: Cast
  drop(): Promise<void>
}

async function startOn(kind: 'sqlite' | 'postgres'): Promise<Server> {
  const database = await createTestDatabase(kind)
  const app = await startTestApp(mailSettings(1), database)
  const cast = await createCast(app)
  const tokens = new Map<string, string | undefined>()
  for (const { what, token } of await badTokens(app, cast)) tokens.set(what, token)
  for (const caller of new Set(CALLERS)) if (!tokens.has(caller)) tokens.set(caller, await tokenOf(app, cast, caller))
  const drop = async () => {
    await app.stop()
    await database.drop()
  }
  return { app, tokens, cast, drop }
}

// Ids, secrets, cursors and last-use times differ between servers; nothing else may.
const anonymous = (text: string) =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/hl[aksw]_[0-9A-Za-z]{32}/g, '<token>')
    .replace(/("code":"|#share=|#org=)[2-9A-HJ-NP-Z]{6,8}"/g, '$1<code>"')
    .replace(/(#signin=|\/hooks\/|\/files\/|"id":")[0-9A-Za-z]{32}/g, '$1<secret>')
    .replace(/(ntfy:\/\/[\w.]+\/)[\w-]+/g, '$1<topic>')
    .replace(/demo-(\w+)-[0-9a-f]{8}/g, 'demo-$1-<run>')
    .replace(/\/requests\/[\w-]+/g, '<request>')
    .replace(/"(next_cursor|public_key|challenge|token|password|ping_url|ping_key)":"[^"]*"/g, '"$1":"…"')
    .replace(/"(id|notification_id|org_notification_id)":\d+/g, '"$1":0')
    .replace(/"notification_ids":\[\d+\]/g, '"notification_ids":[0]')
    // A passkey has the id and the name of the account; a request of a webhook has the port of the server.
    .replace(/"user":\{[^}]*\}/g, '"user":{}')
    .replace(/127\.0\.0\.1:\d+/g, '<host>')
    // Keys with equal counts are in the order of their ids.
    .replace(/"keys":\[\{"sent".*?\}\],"devices"/g, '"keys":[],"devices"')
    // Written in the background, at no defined time.
    .replace(/,"last_used_at":"[^"]*"/g, '')

async function replay({ app, tokens, cast: { params } }: Server, requests: GeneratedRequest[]): Promise<string[]> {
  const agent = createAgent()
  const answers: string[] = []
  for (const generated of requests) {
    app.advanceSeconds(1)
    const path = generated.path.replace(/<(\w+)>/g, (_, name) => params[name] ?? '')
    const token = path.startsWith('/auth/token') ? undefined : tokens.get(generated.caller)
    const { status, type, body } = await sendGenerated(app.url, agent, { ...generated, path }, token)
    answers.push(anonymous(`${status} ${type} ${body}`))
  }
  agent.destroy()
  return answers
}

// Sends a request to each route of the API, as the owner of what it is about. Reads come first and deletions last, parts before the
// whole.
async function askEach({ app, cast }: Server): Promise<string[]> {
  const [agent, org] = [createAgent(), await createOrgCast(app)]
  const { user } = cast
  const { owner } = org.people
  const requests = [
    ...ROWS.map(({ route }) => ({ route, by: user, params: cast.params })),
    ...[...ORG_ROWS.map(({ route }) => route), FILTERED].map((route) => ({ route, by: owner, params: org.params })),
  ]
  const tokens = new Map([user, owner].map(({ userId, token }) => [userId, token]))
  const answers: string[] = []
  for (const { route, by, params } of requests.sort((a, b) => placeOf(a.route) - placeOf(b.route))) {
    app.advanceSeconds(1)
    const { body, ...to } = requestTo(route, params)
    const generated = {
      ...to,
      caller: 'owner',
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    }
    const answer = await sendGenerated(app.url, agent, generated, tokens.get(by.userId))
    if (ENDS_SESSIONS.test(route)) tokens.set(by.userId, await createToken(app.app.ctx, by.userId, 'hla'))
    answers.push(`${route} ${anonymous(`${answer.status} ${answer.type} ${answer.body}`)}`)
  }
  await app.runDueJobs()
  agent.destroy()
  return answers
}

const FILTERED = 'GET /notifications?level=active&since=2026-11-01T00:00:00Z&org_id={org_id}'
const METHODS = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE']
const placeOf = (route: string) =>
  METHODS.indexOf(route.slice(0, route.indexOf(' '))) * 100 - (route.startsWith('DELETE') ? route.split('/').length : 0)
const ENDS_SESSIONS = /^(POST|DELETE) \/auth\/(token|session)/

// Shows the part around the first difference, because long lists are mostly equal.
function firstDifference(sqlite: string, postgres: string): { sqlite: string; postgres: string } | undefined {
  if (sqlite === postgres) return undefined
  let at = 0
  while (sqlite[at] === postgres[at]) at++
  const around = (text: string) => text.slice(0, 3) + text.slice(Math.max(at - 200, 3), at + 100)
  return { sqlite: around(sqlite), postgres: around(postgres) }
}

describe.runIf(isPostgres())('R22: both databases', () => {
  test(`${REQUESTS} generated requests get the same answers`, async () => {
    const seed = TEST_SEED
    const [sqlite, postgres] = [await startOn('sqlite'), await startOn('postgres')]
    const api: ApiDescription = (await sqlite.app.get('/openapi.json')).body
    const known = Object.keys(sqlite.cast.params).map((name) => [
      name,
      [`<${name}>`, `<${name}>`, 'ci-1', '999999999', 'nothing'],
    ])
    const requests = fc.sample(requestArbitrary(api, CALLERS, Object.fromEntries(known)), { seed, numRuns: REQUESTS })

    const [onSqlite, onPostgres] = await Promise.all([replay(sqlite, requests), replay(postgres, requests)])
    await sqlite.drop()
    await postgres.drop()
    const differences = requests.flatMap((request, index) => {
      const difference = firstDifference(onSqlite[index] ?? '', onPostgres[index] ?? '')
      return difference ? [{ ...request, body: request.body?.toString(), ...difference }] : []
    })
    expect(differences, `seed ${seed}`).toEqual([])
    expect(new Set(onSqlite.map((answer) => answer.slice(0, 3))).size).toBeGreaterThan(5)
  })

  test('each route gives the same answer', async () => {
    const [sqlite, postgres] = [await startOn('sqlite'), await startOn('postgres')]
    const [onSqlite, onPostgres] = await Promise.all([askEach(sqlite), askEach(postgres)])
    await sqlite.drop()
    await postgres.drop()
    expect(onPostgres).toEqual(onSqlite)
    expect(onSqlite.filter((answer) => /^\S+ \S+ 2/.test(answer)).length).toBeGreaterThan(200)
  })
})
