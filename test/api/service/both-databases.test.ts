// R22: SQLite and PostgreSQL give the same answers. One server on each gets the same requests in the same order; every
// status, content type and body must be equal, except for random values.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { badTokens, createCast, tokenOf } from '../../support/cast.ts'
import { createTestDatabase, isPostgres } from '../../support/database/database.ts'
import { mailSettings } from '../../support/fakes/mail.ts'
import { TEST_SEED } from '../../support/generated/fixed-seed.ts'
import {
  type ApiDescription,
  type GeneratedRequest,
  requestArbitrary,
} from '../../support/generated/request-arbitrary.ts'
import { createAgent, sendGenerated } from '../../support/generated/send-generated.ts'
import { hasLongForms } from '../../support/nightly.ts'

const REQUESTS = hasLongForms ? 800 : 200
const CALLERS = ['user', 'user', 'default', 'w-write', 'ci-only', 'n-send', 'none', 'expired']

type Server = {
  app: TestApp
  tokens: Map<string, string | undefined>
  params: Record<string, string>
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
  return { app, tokens, params: cast.params, drop }
}

// Ids, secrets, cursors and last-use times differ between servers; nothing else may.
const anonymous = (text: string) =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/hl[akw]_[0-9A-Za-z]{32}/g, '<token>')
    .replace(/("code":"|#share=)[2-9A-HJ-NP-Z]{8}"/g, '$1<code>"')
    .replace(/(#signin=|\/hooks\/)[0-9A-Za-z]{32}/g, '$1<secret>')
    .replace(/demo-(\w+)-[0-9a-f]{8}/g, 'demo-$1-<run>')
    .replace(/\/requests\/[\w-]+/g, '<request>')
    .replace(/"(next_cursor|public_key|challenge|token|password|ping_url|ping_key)":"[^"]*"/g, '"$1":"…"')
    .replace(/"(id|notification_id)":\d+/g, '"$1":0')
    // A passkey has the id and the name of the account; a request of a webhook has the port of the server.
    .replace(/"user":\{[^}]*\}/g, '"user":{}')
    .replace(/127\.0\.0\.1:\d+/g, '<host>')
    // Keys with equal counts are in the order of their ids.
    .replace(/"keys":\[\{"sent".*?\}\],"devices"/g, '"keys":[],"devices"')
    // Written in the background, at no defined time.
    .replace(/,"last_used_at":"[^"]*"/g, '')

async function replay({ app, tokens, params }: Server, requests: GeneratedRequest[]): Promise<string[]> {
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
    const known = Object.keys(sqlite.params).map((name) => [
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
})
