// Passkeys: registering them, and signing in to the console with one. The authenticator is a small one in software; the
// tests of the console have that of a browser.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { startTestApp, type TestUser, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createAuthenticator } from '../../support/fakes/authenticator.ts'

const ORIGIN = 'https://push.example.org'
const CONSOLE_HEADERS = { 'x-heliograph-console': '1', 'sec-fetch-site': 'same-origin', 'user-agent': 'Firefox/153' }

const app = useTestApp({ HELIOGRAPH_PUBLIC_URL: ORIGIN })
let user: TestUser
// The rate limit of sign-ins is always on, so each test starts in a new minute.
beforeEach(async () => {
  app.advanceSeconds(60)
  user = await app.addUser()
})

type Authenticator = ReturnType<typeof createAuthenticator>

const offer = async ({ token } = user) => (await app.post('/auth/passkeys/options', undefined, token)).body
const pageOf = (challenge: string, origin = ORIGIN) => ({ challenge, origin, rpId: new URL(origin).hostname })
const add = (credential: unknown, { token } = user) => app.post('/auth/passkeys', { name: 'Laptop', credential }, token)
const handleOf = ({ userId } = user) => Buffer.from(userId).toString('base64url')

async function registered(owner = user): Promise<Authenticator> {
  const authenticator = createAuthenticator()
  expect((await add(authenticator.register(pageOf((await offer(owner)).challenge)), owner)).status).toBe(201)
  return authenticator
}

const signInChallenge = async () => (await app.post('/auth/session/passkey/options')).body.challenge
const signIn = (credential: unknown) =>
  app.call('POST', '/auth/session/passkey', { body: { credential }, headers: CONSOLE_HEADERS })

describe('POST /auth/passkeys', () => {
  test('201 registers it; the account sees it, and hears of it', async () => {
    const events = await openEvents(app.url, user.token)
    const options = await offer()
    expect(options).toMatchObject({
      rp: { id: 'push.example.org' },
      user: { id: handleOf(), name: user.name },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const authenticator = createAuthenticator()
    const { status, body } = await add(authenticator.register(pageOf(options.challenge)))
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.id,
      name: 'Laptop',
      synced: false,
      created_at: new Date(app.clock.now()).toISOString(),
    })
    expect((await app.get('/auth/passkeys', user.token)).body.items).toEqual([body])
    expect((await offer()).excludeCredentials).toMatchObject([{ id: authenticator.id }])
    await app.del(`/auth/passkeys/${body.id}`, user.token)
    await eventually(() => expect(events.types()).toEqual(['passkey.created', 'passkey.deleted']))
    events.close()
  })

  test('400 for another origin, a challenge of another account, a used one and an old one', async () => {
    const refused = async (credential: unknown) =>
      expectProblem(await add(credential), 400, 'passkey.registration_invalid')
    const authenticator = createAuthenticator()
    const { challenge } = await offer()
    await refused(authenticator.register(pageOf(challenge, 'https://evil.example')))
    await refused(authenticator.register(pageOf((await offer(await app.addUser())).challenge)))
    await refused(authenticator.register(pageOf(await signInChallenge())))
    const credential = authenticator.register(pageOf(challenge))
    expect((await add(credential)).status).toBe(201)
    await refused(credential)
    await refused(createAuthenticator().register(pageOf(challenge)))
    // The same credential again, with a new challenge.
    await refused(authenticator.register(pageOf((await offer()).challenge)))
    const old = (await offer()).challenge
    app.advanceSeconds(LIMITS.passkey.challengeSeconds)
    await refused(createAuthenticator().register(pageOf(old)))
  })

  test('409 beyond the limit', async () => {
    for (let n = 0; n < LIMITS.passkey.maxPerAccount; n++) await registered()
    const credential = createAuthenticator().register(pageOf((await offer()).challenge))
    expectProblem(await add(credential), 409, 'passkey.limit_exceeded')
  })

  test('400 where browsers offer no passkeys, with the reason', async () => {
    const plain = await startTestApp()
    const owner = await plain.addUser()
    const refusal = await plain.post('/auth/passkeys/options', undefined, owner.token)
    expectProblem(refusal, 400, 'passkey.origin_invalid')
    expect(refusal.body.detail).toContain(`this server is reached at ${plain.url}`)
    await plain.stop()
  })
})

describe('POST /auth/session/passkey', () => {
  test('200 begins a session of the console', async () => {
    const authenticator = await registered()
    const answer = await signIn(authenticator.signIn(pageOf(await signInChallenge()), handleOf()))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ user_id: user.userId })
    const token = /^__Host-heliograph=([^;]+); .*HttpOnly/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
    expect((await app.get('/auth/me', token)).body.id).toBe(user.userId)
    const { items } = (await app.get('/auth/sessions', token)).body
    expect(items).toContainEqual(expect.objectContaining({ kind: 'console', name: 'Firefox', current: true }))
    const [passkey] = (await app.get('/auth/passkeys', token)).body.items
    expect(passkey.last_used_at).toBe(new Date(app.clock.now()).toISOString())
  })

  test('200 says from then on that the passkey is synced, if its authenticator keeps a copy now', async () => {
    const authenticator = await registered()
    authenticator.sync()
    expect((await signIn(authenticator.signIn(pageOf(await signInChallenge()), handleOf()))).status).toBe(200)
    expect((await app.get('/auth/passkeys', user.token)).body.items).toMatchObject([{ synced: true }])
  })

  test('401 for a challenge that was used, is old, or belongs to a registration', async () => {
    const authenticator = await registered()
    const refused = async (credential: unknown) => expectProblem(await signIn(credential), 401, 'passkey.invalid')
    const page = pageOf(await signInChallenge())
    const credential = authenticator.signIn(page, handleOf())
    expect((await signIn(credential)).status).toBe(200)
    await refused(credential)
    await refused(authenticator.signIn(page, handleOf()))
    await refused(authenticator.signIn(pageOf((await offer()).challenge), handleOf()))
    const old = await signInChallenge()
    app.advanceSeconds(LIMITS.passkey.challengeSeconds)
    await refused(authenticator.signIn(pageOf(old), handleOf()))
  })

  test('401 for another origin, the account of another person, a wrong signature, and a passkey that was removed', async () => {
    const authenticator = await registered()
    const other = await app.addUser()
    const others = await registered(other)
    const refused = async (credential: unknown) => expectProblem(await signIn(credential), 401, 'passkey.invalid')
    await refused(authenticator.signIn(pageOf(await signInChallenge(), 'https://evil.example'), handleOf()))
    await refused(authenticator.signIn(pageOf(await signInChallenge()), handleOf(other)))
    const forged = others.signIn(pageOf(await signInChallenge()), handleOf())
    await refused({ ...forged, id: authenticator.id, rawId: authenticator.id })
    const [{ id }] = (await app.get('/auth/passkeys', user.token)).body.items
    await app.del(`/auth/passkeys/${id}`, user.token)
    await refused(authenticator.signIn(pageOf(await signInChallenge()), handleOf()))
  })

  test('401 for a counter that went back: the passkey was copied', async () => {
    const authenticator = await registered()
    const attempt = async () => signIn(authenticator.signIn(pageOf(await signInChallenge()), handleOf()))
    expect((await attempt()).status).toBe(200)
    authenticator.setCounter(1)
    expectProblem(await attempt(), 401, 'passkey.invalid')
  })

  test('403 from other sites, which could sign the browser in to an account of theirs', async () => {
    const authenticator = await registered()
    const credential = authenticator.signIn(pageOf(await signInChallenge()), handleOf())
    const answer = await app.call('POST', '/auth/session/passkey', {
      body: { credential },
      headers: { ...CONSOLE_HEADERS, 'sec-fetch-site': 'cross-site' },
    })
    expectProblem(answer, 403, 'session.foreign_request')
  })

  test('429 after ten attempts a minute from one address', async () => {
    const credential = createAuthenticator().signIn(pageOf(await signInChallenge()), handleOf())
    for (let n = 0; n < LIMITS.rate.signInsPerMinute; n++) expect((await signIn(credential)).status).toBe(401)
    expectProblem(await signIn(credential), 429, 'rate_limit.exceeded')
  })
})

describe('DELETE /auth/passkeys/{passkey_id}', () => {
  test('404 for one of another account', async () => {
    await registered()
    const [{ id }] = (await app.get('/auth/passkeys', user.token)).body.items
    expectProblem(await app.del(`/auth/passkeys/${id}`, (await app.addUser()).token), 404, 'passkey.not_found')
    expect((await app.del(`/auth/passkeys/${id}`, user.token)).status).toBe(204)
  })
})
