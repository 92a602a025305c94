// R49, POST /auth/apple: accepts only tokens that Apple signed, for this app, unexpired, and once if they have a nonce.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import {
  BUNDLE_ID,
  type Claims,
  claimsAt,
  type FakeApple,
  newAppleKey,
  signToken,
  startFakeApple,
  tokenSignedWithPublicKey,
  unsignedToken,
} from '../../support/fakes/apple.ts'
import { createMemoryLog } from '../../support/fakes/memory-log.ts'

let apple: FakeApple
let app: TestApp
const nodes: TestApp[] = []
const { log, lines } = createMemoryLog()

beforeAll(async () => {
  apple = await startFakeApple()
  const settings = {
    HELIOGRAPH_APPLE_AUDIENCE: `org.example.other, ${BUNDLE_ID}`,
    HELIOGRAPH_APPLE_KEYS_URL: apple.keysUrl,
  }
  app = await startTestApp(settings, undefined, { log })
  nodes.push(app)
  if (isPostgres()) nodes.unshift(await startTestApp(settings, app.database, { clock: app.clock }))
})
afterAll(async () => {
  for (const node of nodes) await node.stop()
  await apple.close()
})
// Each test starts in a new minute, for the rate limit and for the fetches of Apple's keys.
beforeEach(() => app.advanceSeconds(61))

const token = (members: Claims = {}, key = apple.keys[0]) => signToken(key!, claimsAt(app.clock, members))
const newSubject = () => `000${randomBytes(6).toString('hex')}.apple`
const signIn = (identityToken: string, device = 'phone', node = app): Promise<Answer> =>
  node.post('/auth/apple', { identity_token: identityToken, device_id: device })
const me = (bearer: string) => app.get('/auth/me', bearer)

describe('200', () => {
  test('the first sign-in creates an account on the default plan, with its default key', async () => {
    const { status, body } = await signIn(token({ sub: newSubject() }))
    expect(status).toBe(200)
    expect(body).toEqual({ token: expect.stringMatching(/^hla_/), user_id: expect.any(String) })
    expect((await me(body.token)).body).toMatchObject({ id: body.user_id, subscribed: false })
    const keys = (await app.get('/integrations/keys', body.token)).body
    expect(keys).toMatchObject([{ name: 'Default', is_default: true }])
  })

  test('the same subject is the same account; another subject is another account', async () => {
    const sub = newSubject()
    const [first, second, other] = [
      await signIn(token({ sub })),
      await signIn(token({ sub }), 'tablet'),
      await signIn(token({ sub: newSubject() })),
    ]
    expect(second.body.user_id).toBe(first.body.user_id)
    expect(other.body.user_id).not.toBe(first.body.user_id)
    // No account that is made like this runs the server.
    expect((await me(other.body.token)).body).not.toHaveProperty('operator')
    expect((await app.get('/system/checks', other.body.token)).status).toBe(403)
  })

  test('a device has one token: signing in again replaces it and keeps those of other devices', async () => {
    const sub = newSubject()
    const [phone, tablet] = [await signIn(token({ sub })), await signIn(token({ sub }), 'tablet')]
    const again = await signIn(token({ sub }))
    const statuses = await Promise.all([phone, tablet, again].map(async ({ body }) => (await me(body.token)).status))
    expect(statuses).toEqual([401, 200, 200])
  })

  test('ten concurrent first sign-ins on all nodes create one account with one default key', async () => {
    const sub = newSubject()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => signIn(token({ sub }), `device-${i % 3}`, nodes[i % nodes.length])),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(new Set(answers.map(({ body }) => body.user_id)).size).toBe(1)
    const alive = await Promise.all(answers.map(async ({ body }) => (await me(body.token)).status))
    expect(alive.filter((status) => status === 200)).toHaveLength(3)
    const survivor = answers[alive.indexOf(200)]
    expect((await app.get('/integrations/keys', survivor?.body.token)).body).toHaveLength(1)
  })

  test('a token without a nonce may be sent again, for example after a lost answer', async () => {
    const sent = token({ sub: newSubject() })
    expect([(await signIn(sent)).status, (await signIn(sent)).status]).toEqual([200, 200])
  })
})

describe('R49 401 token.invalid', () => {
  const forged: [string, () => string][] = [
    ['alg none', () => unsignedToken(claimsAt(app.clock))],
    ['HS256 with the public key as the secret', () => tokenSignedWithPublicKey(apple.keys[0]!, claimsAt(app.clock))],
    ['a foreign key with a known key id', () => token({}, newAppleKey('first'))],
    ['another audience', () => token({ aud: 'org.example.evil' })],
    ['no audience', () => token({ aud: undefined })],
    ['another issuer', () => token({ iss: 'https://appleid.apple.com.evil.example' })],
    ['expired a second ago', () => token({ exp: app.clock.now() / 1000 - 1 })],
    ['no expiry', () => token({ exp: undefined })],
    ['issued in the future', () => token({ iat: app.clock.now() / 1000 + 60 })],
    ['no subject', () => token({ sub: undefined })],
    ['an empty subject', () => token({ sub: '' })],
    ['a blank subject', () => token({ sub: ' ' })],
    ['a subject that is not a string', () => token({ sub: 5 })],
    ['a claim changed after signing', () => token().replace(/\.(.)/, (_, char) => `.${char === 'e' ? 'f' : 'e'}`)],
    ['not a JWT', () => 'not.a.token'],
  ]

  test.each(forged)('%s', async (_what, make) => {
    expectProblem(await signIn(make()), 401, 'token.invalid')
  })

  test('a token with a nonce is accepted once, on any node and for any device', async () => {
    const sent = token({ sub: newSubject(), nonce: 'n-1' })
    const answers = await Promise.all(nodes.flatMap((node) => ['a', 'b'].map((device) => signIn(sent, device, node))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expectProblem(await signIn(sent), 401, 'token.invalid')
  })

  test('the same nonce in a token of another subject is accepted', async () => {
    const nonce = 'shared'
    expect((await signIn(token({ sub: newSubject(), nonce }))).status).toBe(200)
    expect((await signIn(token({ sub: newSubject(), nonce }))).status).toBe(200)
  })

  test('used nonces are deleted after their token has expired, which is then refused as expired', async () => {
    const sent = token({ sub: newSubject(), nonce: 'n-2' })
    await signIn(sent)
    app.advanceSeconds(3700)
    await scheduleHousekeeping(app.app.ctx)
    await app.runDueJobs()
    expect(await app.app.ctx.db.read.all(sql`select hash from used_nonces`)).toEqual([])
    expectProblem(await signIn(sent), 401, 'token.invalid')
  })
})

describe.skipIf(sqliteSuffices())('R49: Apple’s keys', () => {
  test('a flood of unknown key ids is refused and fetches Apple’s keys at most once a minute', async () => {
    await signIn(token())
    app.advanceSeconds(61)
    const before = apple.fetches()
    const signInWithUnknownKey = (kid: string) => signIn(token({}, { ...apple.keys[0]!, kid }))
    const atOnce = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(signInWithUnknownKey))
    for (const answer of atOnce) expectProblem(answer, 401, 'token.invalid')
    for (const kid of ['f', 'g', 'h', 'i']) expectProblem(await signInWithUnknownKey(kid), 401, 'token.invalid')
    expect(apple.fetches() - before).toBe(1)
  })

  test('a new key of Apple is accepted after the next fetch', async () => {
    await signIn(token())
    apple.keys.unshift(newAppleKey('second'))
    app.advanceSeconds(61)
    expect((await signIn(token({ sub: newSubject() }))).status).toBe(200)
  })

  test('while Apple is unreachable the cached keys stay valid, with at most one fetch per minute', async () => {
    expect((await signIn(token({ sub: newSubject() }))).status).toBe(200)
    apple.isAway = true
    app.advanceSeconds(2 * 3600)
    const before = apple.fetches()
    for (let i = 0; i < 5; i++) expect((await signIn(token({ sub: newSubject() }))).status).toBe(200)
    expect(apple.fetches() - before).toBe(1)
    apple.isAway = false
  })

  test('a key that Apple has removed is refused after an hour', async () => {
    const withdrawn = apple.keys[0]!
    await signIn(token())
    apple.keys = [newAppleKey('third')]
    app.advanceSeconds(3700)
    expectProblem(await signIn(token({}, withdrawn)), 401, 'token.invalid')
  })
})

describe.skipIf(sqliteSuffices())('other refusals', () => {
  test('422 for a token longer than 8192 characters, without parsing it', async () => {
    const before = apple.fetches()
    for (const length of [LIMITS.account.maxIdentityTokenChars + 1, 100 * 1024]) {
      const answer = await signIn('x'.repeat(length))
      expectProblem(answer, 422, 'request.validation_failed')
      expect(locations(answer)).toEqual(['body.identity_token'])
      expect(answer.text).not.toContain('xxx')
    }
    expect(apple.fetches()).toBe(before)
  })

  test('422 for a missing device id and for a token that is not a string', async () => {
    expectProblem(await app.post('/auth/apple', { identity_token: token() }), 422, 'request.validation_failed')
    const answer = await app.post('/auth/apple', { identity_token: { toString: 'x' }, device_id: 'd' })
    expectProblem(answer, 422, 'request.validation_failed')
  })

  test('R43 429 rate_limit.exceeded for the eleventh within a minute', async () => {
    for (let i = 0; i < LIMITS.rate.signInsPerMinute; i++) expect((await signIn('not.a.token')).status).toBe(401)
    expectProblem(await signIn(token()), 429, 'rate_limit.exceeded')
    app.advanceSeconds(60)
    expect((await signIn(token())).status).toBe(200)
  })

  test('503 auth.not_enabled without an audience', async () => {
    const bare = await startTestApp()
    expectProblem(await signIn(token(), 'phone', bare), 503, 'auth.not_enabled')
    await bare.stop()
  })

  test('503 service.unavailable when Apple’s keys were never fetched; 200 as soon as they are', async () => {
    apple.isAway = true
    const cold = await startTestApp({
      HELIOGRAPH_APPLE_AUDIENCE: BUNDLE_ID,
      HELIOGRAPH_APPLE_KEYS_URL: apple.keysUrl,
    })
    cold.clock.set(app.clock.now())
    expectProblem(await signIn(token(), 'phone', cold), 503, 'service.unavailable')
    apple.isAway = false
    cold.advanceSeconds(61)
    expect((await signIn(token({ iat: app.clock.now() / 1000 }), 'phone', cold)).status).toBe(200)
    await cold.stop()
  })
})

describe('DELETE /devices/:device_id', () => {
  const device = { name: 'Phone', platform: 'ios' }

  async function signedIn(sub: string, name: string): Promise<string> {
    const { body } = await signIn(token({ sub }), name)
    expect((await app.put(`/devices/${name}`, device, body.token)).status).toBe(201)
    return body.token
  }

  async function ask(bearer: string): Promise<string> {
    const question = { title: 'Q', body: 'Q', push: false, actions: [{ id: 'yes', title: 'Yes' }] }
    return (await app.post('/notifications', question, bearer)).body.id
  }

  test('signs the device out: its requests, waits and streams end on all nodes; other devices stay signed in', async () => {
    const sub = newSubject()
    const [phone, tablet] = [await signedIn(sub, 'phone'), await signedIn(sub, 'tablet')]
    const id = await ask(tablet)
    const waits = [phone, tablet].map((bearer) => nodes[0]!.get(`/notifications/answers/${id}?wait=25`, bearer))
    const [ofPhone, ofTablet] = [await openEvents(nodes[0]!.url, phone), await openEvents(nodes[0]!.url, tablet)]
    // Both waits are held before the phone is removed.
    await eventually(async () => {
      const rows = await app.app.ctx.db.read.all(sql`select id from open_waits`)
      expect(rows).toHaveLength(2)
    })
    expect((await app.del('/devices/phone', tablet)).status).toBe(204)

    expectProblem(await me(phone), 401, 'token.invalid')
    expectProblem(await waits[0]!, 401, 'token.invalid')
    await ofPhone.ended
    expect((await me(tablet)).status).toBe(200)
    expect((await app.post(`/notifications/${id}/answer`, { action_id: 'yes' }, tablet)).status).toBe(200)
    expect((await waits[1]!).body).toMatchObject({ status: 'answered' })
    await eventually(() => expect(ofTablet.types()).toContain('device.deleted'))
    ofTablet.close()
  })

  test('the session of a device has the name that the device has now', async () => {
    const phone = await signedIn(newSubject(), 'phone')
    const named = async () => (await app.get('/auth/sessions', phone)).body.items
    expect(await named()).toMatchObject([{ kind: 'device', name: 'Phone' }])
    await app.patch('/devices/phone', { name: 'Ada’s phone' }, phone)
    expect(await named()).toMatchObject([{ kind: 'device', name: 'Ada’s phone' }])
  })

  test('a rotated token still belongs to the device; a token of another account does not', async () => {
    const [phone, other] = [await signedIn(newSubject(), 'phone'), await signedIn(newSubject(), 'phone')]
    const rotated = (await app.post('/auth/token/rotate', undefined, phone)).body.token
    expect((await app.del('/devices/phone', rotated)).status).toBe(204)
    expectProblem(await me(rotated), 401, 'token.invalid')
    expect((await me(other)).status).toBe(200)
  })
})

test('R48 neither identity tokens nor our tokens are logged', async () => {
  const sent = token({ sub: newSubject(), nonce: 'canary-nonce' })
  const { body } = await signIn(sent)
  await signIn(sent)
  const logged = lines.join('')
  expect(logged).toContain('/auth/apple')
  for (const secret of [sent, sent.split('.')[1]!, body.token, 'canary-nonce']) expect(logged).not.toContain(secret)
})
