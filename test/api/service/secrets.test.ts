// R48: tokens and keys are neither logged nor stored. R51: errors disclose nothing, and each is one line of the log.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { createSignInCode, createToken } from '../../../src/operations/accounts/accounts.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { storedText } from '../../support/database/stored-text.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createMemoryLog } from '../../support/fakes/memory-log.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'
import { sendLines } from '../../support/raw-http.ts'

const { log, lines } = createMemoryLog()
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({}, undefined, { log })
})
afterAll(() => app.stop())

const widget = (slug: string) => ({ slug, name: 'W', content: { template: 'value' } })

// Obtains a secret in every way and is refused with each; returns the secrets.
async function useEverySecret(): Promise<string[]> {
  const { ctx } = app.app
  const user = await app.addUser()
  const code = await createSignInCode(ctx, user.userId)
  const signedIn = (await app.post('/auth/link', { code })).body.token
  const rotated = (await app.post('/auth/token/rotate', undefined, signedIn)).body.token
  const key = (await app.post('/integrations/keys', { name: 'K', widgets: true }, user.token)).body
  const rolled = (await app.post(`/integrations/keys/${key.id}/roll`, undefined, user.token)).body.key
  const extension = await createToken(ctx, user.userId, 'hlw')
  const mistyped = `${user.token.slice(0, -1)}${user.token.endsWith('a') ? 'b' : 'a'}`
  const secrets = [user.token, user.defaultKey, code, signedIn, rotated, key.key, rolled, extension, mistyped]
  for (const secret of secrets) {
    await app.get('/widgets', secret)
    await app.get(`/widgets/${secret}`, secret)
    await app.get(`/nothing/${secret}?token=${secret}`, secret)
    await app.patch('/auth/me', { [secret]: secret }, secret)
    await app.call('POST', '/auth/link', { token: secret, raw: `{"code":"${secret}"` })
    await app.call('POST', '/widgets', { token: secret, raw: secret, headers: { 'content-type': 'text/plain' } })
    await app.post('/auth/link', { code: secret })
    app.advanceSeconds(60)
    await sendLines(app.url, ['GET /health HTTP/1.1', 'Host: a', `Authorization : Bearer ${secret}`])
  }
  return secrets
}

describe('R48: secrets', () => {
  test('never appear in the log at trace level, nor in the database', async () => {
    const secrets = await useEverySecret()
    await app.runDueJobs()
    await app.app.ctx.lastUsed.flush()
    const [logged, stored] = [lines.join(''), await storedText(app)]
    // Proves that both were searched: each contains an expected text.
    expect(logged).toContain('/auth/token/rotate')
    expect(stored).toContain('schedule')
    for (const secret of secrets) {
      expect(logged.includes(secret), secret).toBe(false)
      expect(stored.includes(secret), secret).toBe(false)
    }
  })

  // Stored in clear, because GET /heartbeats shows it again to who may write.
  test('the address of a heartbeat and the ping key never appear in the log, however it is pinged', async () => {
    const user = await app.addUser()
    const heartbeat = await heartbeatsOf(app).add(user)
    const token = heartbeat.path.slice('/ping/'.length)
    for (const action of ['', '/start', '/fail', '/unknown', '?rid=wrong']) await app.get(heartbeat.path + action)
    await app.call('POST', heartbeat.path, { raw: 'x'.repeat(LIMITS.heartbeat.maxBodyBytes + 1) })
    for (let i = 0; i <= LIMITS.heartbeat.pingsPerMinute; i++) await app.get(heartbeat.path)
    const { ping_key } = (await app.get('/heartbeats', user.token)).body
    for (const end of ['backup', 'backup/start', 'new?create=1', 'a.b?create=1', ''])
      await app.get(`/ping/${ping_key}/${end}`)
    await app.post('/heartbeats/backup/roll', undefined, user.token)
    await app.get(heartbeat.path)
    await app.runDueJobs()
    expect(lines.join('')).toContain('/ping/:token')
    for (const secret of [token, ping_key]) expect(lines.join('')).not.toContain(secret)
  })

  test('are stored as their SHA-256', async () => {
    const { token, defaultKey } = await app.addUser()
    const stored = await storedText(app)
    for (const secret of [token, defaultKey]) {
      expect(stored).toContain(createHash('sha256').update(secret).digest('hex'))
    }
  })
})

describe('R51: internal errors are not disclosed', () => {
  // Renames the table back, so that other tests can use it.
  async function withoutWidgets(work: () => Promise<void>): Promise<void> {
    const { db } = app.app.ctx
    await db.transact((tx) => tx.execute(sql`alter table widgets rename to hidden_widgets`))
    await work()
    await db.transact((tx) => tx.execute(sql`alter table hidden_widgets rename to widgets`))
  }

  test('500 internal_error without the cause, which is one line of the log', async () => {
    const { token } = await app.addUser()
    await withoutWidgets(async () => {
      for (const answer of [await app.get('/widgets', token), await app.post('/widgets', widget('w'), token)]) {
        expectProblem(answer, 500, 'internal_error')
        expect(answer.text).not.toMatch(/select|insert|widgets|sqlite|relation|table|at .*\.ts|node_modules/i)
        const found = lines.filter((line) => line.includes(answer.headers.get('x-request-id') as string))
        expect(found.map((line) => JSON.parse(line).msg)).toEqual(['internal_error', 'request'])
        expect(JSON.parse(found[0] as string).err.stack).toContain('widgets')
        expect(JSON.parse(found[1] as string)).toMatchObject({ status: 500, code: 'internal_error' })
      }
    })
    expect((await app.get('/widgets', token)).status).toBe(200)
  })

  test('every log line is one JSON object, whatever a client sends', async () => {
    const { token } = await app.addUser()
    for (const text of ['a\nb', 'a\r\nb', '\u001b[31mred', '\u2028', '{"level":"fatal"}', '"', '\\']) {
      await app.post('/widgets', { ...widget('w'), name: text }, token)
      await app.get(`/widgets/${encodeURIComponent(text)}`, token)
      await app.get(`/${encodeURIComponent(text)}`, token)
      await app.call('GET', '/health', {
        headers: { 'user-agent': encodeURIComponent(text), 'x-request-id': 'chosen' },
      })
    }
    for (const line of lines) {
      expect(line.endsWith('\n') && line.indexOf('\n') === line.length - 1, line).toBe(true)
      expect(JSON.parse(line)).toBeTypeOf('object')
    }
    expect(lines.join('')).not.toContain('chosen')
  })

  test('a request is one line with ids, duration and outcome, without body and query', async () => {
    const user = await app.addUser()
    const key = await app.addKey(user, { widgets: true })
    const { headers } = await app.get('/widgets/none?canary=1', key)
    const [line, ...more] = lines.filter((one) => one.includes(headers.get('x-request-id') as string))
    expect(more).toEqual([])
    expect(JSON.parse(line as string)).toMatchObject({
      msg: 'request',
      method: 'GET',
      route: '/widgets/:slug',
      status: 404,
      code: 'widget.not_found',
      user: user.userId,
      key: (await app.get('/auth/me', key)).body.integration_key.id,
      ms: expect.any(Number),
    })
    expect(line).not.toContain('canary')
  })

  test('a feature that is not configured is no failure of the server', async () => {
    const { token } = await app.addUser()
    const { status, headers } = await app.post(
      '/emails',
      { to: 'ada@example.org', subject: 'S', text_body: 'T' },
      token,
    )
    const found = lines.filter((one) => one.includes(headers.get('x-request-id') as string))
    expect([status, found.map((line) => JSON.parse(line).msg)]).toEqual([503, ['request']])
  })

  test('a refused request and one without a route are logged too', async () => {
    for (const [path, status, route] of [
      ['/widgets', 401, '/widgets'],
      ['/nothing', 404, null],
    ]) {
      const { headers } = await app.get(path as string)
      const found = lines.filter((one) => one.includes(headers.get('x-request-id') as string))
      expect(found.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'request', status, route }])
    }
  })

  test('a request whose client disconnected is logged too', async () => {
    const { token } = await app.addUser()
    const leaving = new AbortController()
    const { headers } = await fetch(`${app.url}/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    })
    leaving.abort()
    await eventually(() => {
      const found = lines.filter((one) => one.includes(headers.get('x-request-id') as string))
      expect(found.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'request', route: '/events', aborted: true }])
    })
  })
})
