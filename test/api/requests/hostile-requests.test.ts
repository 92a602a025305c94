// R37: thousands of generated requests, most of them invalid. None causes a 5xx, and every refusal is a problem.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TestApp, useTestApp } from '../../support/app.ts'
import { badTokens, type Cast, createCast, tokenOf } from '../../support/cast.ts'
import { mailSettings } from '../../support/fakes/mail.ts'
import { createFaultFinder } from '../../support/generated/fault-of.ts'
import { TEST_SEED } from '../../support/generated/fixed-seed.ts'
import { type ApiDescription, requestArbitrary } from '../../support/generated/request-arbitrary.ts'
import { createAgent, sendGenerated } from '../../support/generated/send-generated.ts'
import { isNightly } from '../../support/nightly.ts'

const REQUESTS = isNightly ? 3000 : 1500
const AT_ONCE = 16
const CALLERS = ['user', 'user', 'default', 'w-read', 'ci-only', 'n-send', 'extension', 'none', 'expired']

// Optional features are on, so that a 503 would be a failure.
const app = useTestApp({ ...mailSettings(1), HELIOGRAPH_APPLE_AUDIENCE: 'org.example' })

async function tokensOf(server: TestApp, cast: Cast): Promise<Map<string, string | undefined>> {
  const tokens = new Map<string, string | undefined>()
  for (const { what, token } of await badTokens(server, cast)) tokens.set(what, token)
  for (const caller of new Set(CALLERS))
    if (!tokens.has(caller)) tokens.set(caller, await tokenOf(server, cast, caller))
  return tokens
}

test(`R37: ${REQUESTS} generated requests: no 5xx, and every 4xx is a problem with a listed code`, async () => {
  const seed = TEST_SEED
  const api: ApiDescription = (await app.get('/openapi.json')).body
  const faultOf = createFaultFinder(api)
  const cast = await createCast(app)
  const tokens = await tokensOf(app, cast)
  // Otherwise /ready would correctly answer 503 because jobs are overdue.
  await app.runDueJobs()
  const { id: org_id } = (await app.post('/orgs', { name: 'Example' }, cast.user.token)).body
  const group_id = (await app.post(`/orgs/${org_id}/groups`, { name: 'ops' }, cast.user.token)).body.id
  const known = Object.entries({ ...cast.params, org_id, group_id, user_id: 'me' }).map(([name, id]) => [
    name,
    [id, id, 'ci-1', '1', '999999999', 'nothing'],
  ])
  const requests = fc.sample(requestArbitrary(api, CALLERS, Object.fromEntries(known)), { seed, numRuns: REQUESTS })

  const agent = createAgent()
  const faults: object[] = []
  const statuses = new Map<number, number>()
  const queue = requests.values()
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const generated of queue) {
      // A request must not revoke the token of the account.
      const token = generated.path.startsWith('/auth/token') ? tokens.get('none') : tokens.get(generated.caller)
      const answer = await sendGenerated(app.url, agent, generated, token)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const fault = faultOf(generated, answer)
      if (fault) faults.push({ fault, ...generated, body: generated.body?.toString() })
    }
  })
  await Promise.all(workers)
  agent.destroy()

  // As texts, because a failure of nested objects is printed without their members.
  const found = faults.map((fault) => JSON.stringify(fault))
  expect(found, `seed ${seed}`).toEqual([])
  // The generator must reach every kind of answer; a run with only 401 would prove nothing. 204 is not required: each
  // resource can be deleted only once.
  for (const status of [200, 201, 400, 401, 403, 404, 405, 415, 422]) {
    expect(statuses.get(status), `${status} with seed ${seed}`).toBeGreaterThan(0)
  }
  expect((await app.get('/health')).status).toBe(200)
})
