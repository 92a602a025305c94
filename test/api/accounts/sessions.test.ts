// Where a person is signed in: links to sign in elsewhere, the list of sessions, and ending them.
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const CONSOLE_HEADERS = { 'x-heliograph-console': '1', 'sec-fetch-site': 'same-origin', 'user-agent': CHROME }

const app = useTestApp()
let user: TestUser
// The rate limit of sign-ins is always on, so each test starts in a new minute.
beforeEach(async () => {
  app.advanceSeconds(60)
  user = await app.addUser()
})

const isoNow = () => new Date(app.clock.now()).toISOString()
const newCode = async () => (await app.post('/auth/links', undefined, user.token)).body.url.split('#signin=')[1]
const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
const signInBrowser = async () =>
  cookieOf(await app.call('POST', '/auth/session', { body: { code: await newCode() }, headers: CONSOLE_HEADERS }))
const signInProgram = async () => (await app.post('/auth/link', { code: await newCode() })).body.token
const withCookie = (method: string, path: string, cookie: string) =>
  app.call(method, path, { headers: { ...CONSOLE_HEADERS, cookie } })
const sessions = async (token = user.token) => (await app.get('/auth/sessions', token)).body.items

describe('POST /auth/links', () => {
  test('201 a link for the caller’s own account, which works once and for ten minutes', async () => {
    const { status, body } = await app.post('/auth/links', undefined, user.token)
    expect(status).toBe(201)
    expect(body.expires_at).toBe(new Date(app.clock.now() + 600_000).toISOString())
    expect(body.url).toMatch(new RegExp(`^${app.url}/app/#signin=\\w{32}$`))
    const code = body.url.split('#signin=')[1]
    expect((await app.post('/auth/link', { code })).body.user_id).toBe(user.userId)
    expectProblem(await app.post('/auth/link', { code }), 401, 'token.invalid')
    const late = await newCode()
    app.advanceSeconds(600)
    expectProblem(await app.post('/auth/link', { code: late }), 401, 'token.invalid')
  })

  test('the session that made the link learns that it was used', async () => {
    const code = await newCode()
    const events = await openEvents(app.url, user.token)
    await app.post('/auth/link', { code })
    await eventually(() => expect(events.types()).toEqual(['session.created']))
    events.close()
    const added = (await sessions()).find(({ current }: { current: boolean }) => !current)
    expect(events.events[0]?.data.data).toEqual({ id: added.id })
  })
})

describe('GET /auth/sessions', () => {
  test('200 names the browser, says when it was last used, and never shows a token', async () => {
    const cookie = await signInBrowser()
    const createdAt = isoNow()
    app.advanceSeconds(3600)
    const { text, body } = await withCookie('GET', '/auth/sessions', cookie)
    const [own, first] = body.items
    expect(own).toMatchObject({ kind: 'console', name: 'Chrome on Linux', created_at: createdAt, current: true })
    expect(own.last_used_at).toBe(isoNow())
    expect(first).toMatchObject({ kind: 'token', current: false })
    expect(text).not.toMatch(/hla_|[0-9a-f]{64}/)
  })

  test('200 the one that was used last comes first, not the newest', async () => {
    app.advanceSeconds(3600)
    await signInProgram()
    app.advanceSeconds(3600)
    expect((await sessions()).map(({ current }: { current: boolean }) => current)).toEqual([true, false])
  })

  test('200 lists no widget tokens, no keys, and nothing of other accounts', async () => {
    await app.put('/devices/phone', { name: 'Phone', platform: 'ios' }, user.token)
    await app.post('/devices/phone/widget-token', undefined, user.token)
    await app.addUser()
    expect(await sessions()).toHaveLength(1)
  })
})

describe('DELETE /auth/sessions/{session_id}', () => {
  test('204 the session stops working at once, and its event stream ends', async () => {
    const token = await signInProgram()
    const events = await openEvents(app.url, token)
    const other = (await sessions()).find(({ current }: { current: boolean }) => !current)
    expect((await app.del(`/auth/sessions/${other.id}`, user.token)).status).toBe(204)
    expectProblem(await app.get('/auth/me', token), 401, 'token.invalid')
    await events.ended
    expectProblem(await app.del(`/auth/sessions/${other.id}`, user.token), 404, 'session.not_found')
  })

  test('404 session.not_found for a session of another account', async () => {
    const stranger = await app.addUser()
    const [theirs] = await sessions(stranger.token)
    expectProblem(await app.del(`/auth/sessions/${theirs.id}`, user.token), 404, 'session.not_found')
    expect((await app.get('/auth/me', stranger.token)).status).toBe(200)
  })

  test('400 path.too_long', async () => {
    expectProblem(await app.del(`/auth/sessions/${'x'.repeat(65)}`, user.token), 400, 'path.too_long')
  })
})

describe('DELETE /auth/sessions', () => {
  test('200 ends every session but the one that asks; keys and widget tokens go on', async () => {
    await app.put('/devices/phone', { name: 'Phone', platform: 'ios' }, user.token)
    const { token: widgetToken } = (await app.post('/devices/phone/widget-token', undefined, user.token)).body
    const [program, cookie] = [await signInProgram(), await signInBrowser()]
    const answer = await withCookie('DELETE', '/auth/sessions', cookie)
    expect(answer.body).toEqual({ ended: 2 })
    expect(answer.headers.has('set-cookie')).toBe(false)
    for (const token of [program, user.token]) expectProblem(await app.get('/auth/me', token), 401, 'token.invalid')
    expect((await withCookie('GET', '/auth/me', cookie)).status).toBe(200)
    expect((await app.get('/auth/me', user.defaultKey)).status).toBe(200)
    expect((await app.get('/widgets', widgetToken)).status).toBe(200)
  })

  test('200 with current=true ends all of them, and clears the cookie', async () => {
    const cookie = await signInBrowser()
    const answer = await withCookie('DELETE', '/auth/sessions?current=true', cookie)
    expect(answer.body).toEqual({ ended: 2 })
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    expectProblem(await withCookie('GET', '/auth/me', cookie), 401, 'token.invalid')
  })
})
