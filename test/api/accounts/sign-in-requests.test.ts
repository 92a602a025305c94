// A browser that is signed in by the approval of another device.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const CONSOLE = { 'x-heliograph-console': '1', 'sec-fetch-site': 'same-origin', 'user-agent': 'Firefox/153 Linux' }
const app = useTestApp({ HELIOGRAPH_TRUST_PROXY: '127.0.0.1' })
let user: TestUser
// The limits of sign-ins are always on, so each test starts in a new minute.
beforeEach(async () => {
  app.advanceSeconds(60)
  user = await app.addUser()
})

type Asked = { id: string; code: string; secret: string }
const ask = async (address = '203.0.113.9'): Promise<Asked> => {
  const headers = { ...CONSOLE, 'x-forwarded-for': address }
  const { status, body } = await app.call('POST', '/auth/session/requests', { headers })
  expect(status).toBe(201)
  return body
}
const find = (code: string, { token } = user, address = '203.0.113.9') =>
  app.call('POST', '/auth/requests/find', { body: { code }, token, headers: { 'x-forwarded-for': address } })
const approve = ({ id }: { id: string }, { token } = user) => app.post(`/auth/requests/${id}/approve`, undefined, token)
const fetchSession = ({ id, secret }: Pick<Asked, 'id' | 'secret'>) =>
  app.call('POST', `/auth/session/requests/${id}`, { body: { secret }, headers: CONSOLE })

describe('a browser asks to be signed in', () => {
  test('the person sees the same code, what asks and from where; approves; the browser has its session, once', async () => {
    const asked = await ask()
    expect(asked.code).toMatch(/^[2-9A-HJ-NP-Z]{6}$/)
    expect((await fetchSession(asked)).body).toEqual({ state: 'waiting' })
    const typed = `${asked.code.slice(0, 3)}-${asked.code.slice(3)}`.toLowerCase()
    expect((await find(typed)).body).toEqual({
      id: asked.id,
      code: asked.code,
      browser: 'Firefox on Linux',
      address: '203.0.113.9',
      same_network: true,
      created_at: new Date(app.clock.now()).toISOString(),
      expires_at: new Date(app.clock.now() + 300_000).toISOString(),
    })
    expect((await find(asked.code, user, '198.51.100.1')).body.same_network).toBe(false)
    expect((await approve(asked)).status).toBe(204)
    const answer = await fetchSession(asked)
    expect(answer.body).toEqual({ state: 'signed_in', user_id: user.userId })
    const token = /=([^;]+);.*HttpOnly/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
    const { items } = (await app.get('/auth/sessions', token)).body
    expect(items).toContainEqual(expect.objectContaining({ kind: 'console', name: 'Firefox on Linux', current: true }))
    expectProblem(await fetchSession(asked), 410, 'sign_in_request.ended')
  })

  test('of two people who approve, the first one counts; what was refused or approved is not found again', async () => {
    const other = await app.addUser()
    const asked = await ask()
    const answers = await Promise.all([approve(asked), approve(asked, other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
    const first = answers[0]?.status === 204 ? user : other
    expect((await fetchSession(asked)).body.user_id).toBe(first.userId)
    expectProblem(await find(asked.code), 404, 'sign_in_request.not_found')

    const refused = await ask()
    expect((await app.del(`/auth/requests/${refused.id}`, other.token)).status).toBe(204)
    expectProblem(await approve(refused), 404, 'sign_in_request.not_found')
    expectProblem(await fetchSession(refused), 410, 'sign_in_request.ended')
  })

  test('only the browser that asked has the secret: neither the code nor the id fetches the session', async () => {
    const [asked, other] = [await ask(), await ask()]
    await approve(asked)
    for (const secret of [other.secret, asked.code, asked.id, 'guess']) {
      expectProblem(await fetchSession({ ...asked, secret }), 410, 'sign_in_request.ended')
    }
    expectProblem(await fetchSession({ id: 'none', secret: asked.secret }), 410, 'sign_in_request.ended')
    const twice = await Promise.all([fetchSession(asked), fetchSession(asked)])
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  test('expires: unanswered after five minutes, approved after one; expired rows are deleted', async () => {
    const [unanswered, approved] = [await ask(), await ask()]
    await approve(approved)
    app.advanceSeconds(LIMITS.signInRequest.approvedSeconds)
    expectProblem(await fetchSession(approved), 410, 'sign_in_request.ended')
    app.advanceSeconds(LIMITS.signInRequest.seconds - LIMITS.signInRequest.approvedSeconds)
    expectProblem(await find(unanswered.code), 404, 'sign_in_request.not_found')
    expectProblem(await approve(unanswered), 404, 'sign_in_request.not_found')
    expectProblem(await fetchSession(unanswered), 410, 'sign_in_request.ended')
    await scheduleHousekeeping(app.app.ctx)
    await app.runDueJobs()
    expect(await app.app.ctx.db.read.all(sql`select id from sign_in_requests`)).toEqual([])
  })

  test('429 after five wrong codes from an address, for the right one too', async () => {
    const asked = await ask()
    for (const code of ['222222', '333333', '444444', 'short', '!!!!!!']) {
      expectProblem(await find(code), 404, 'sign_in_request.not_found')
    }
    expectProblem(await find(asked.code), 429, 'rate_limit.exceeded')
    app.advanceSeconds(60)
    expect((await find(asked.code)).status).toBe(200)
  })

  test('signing out everywhere takes an approval back that was not fetched', async () => {
    const asked = await ask()
    await approve(asked)
    await app.del('/auth/sessions', user.token)
    expectProblem(await fetchSession(asked), 410, 'sign_in_request.ended')
  })

  test('429 for the eleventh request of a minute from an address; 403 from a page of another site', async () => {
    for (let made = 0; made < LIMITS.rate.signInsPerMinute; made++) await ask('192.0.2.7')
    const headers = { ...CONSOLE, 'x-forwarded-for': '192.0.2.7' }
    expectProblem(await app.call('POST', '/auth/session/requests', { headers }), 429, 'rate_limit.exceeded')
    const foreign = { 'sec-fetch-site': 'cross-site' }
    const asked = await ask()
    const path = `/auth/session/requests/${asked.id}`
    for (const at of ['/auth/session/requests', path]) {
      const answer = await app.call('POST', at, { headers: foreign, body: { secret: asked.secret } })
      expectProblem(answer, 403, 'session.foreign_request')
    }
  })
})
