// The server accepts every request example of openapi.json.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ActivityId } from '../../../src/domain/activities/activity.ts'
import { makeApprovalTicket, makeTicket } from '../../../src/domain/answers/answer-ticket.ts'
import { seal } from '../../../src/domain/apps/sealing.ts'
import { deviceId } from '../../../src/domain/devices.ts'
import { createSignInCode } from '../../../src/operations/accounts/accounts.ts'
import { requestSignIn } from '../../../src/operations/accounts/sign-in-requests.ts'
import { insertLink } from '../../../src/store/apps/links.ts'
import { bodySchema, operations, resolve } from '../../support/api-description.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { addPushEndpoint } from '../../support/devices/push-endpoint.ts'
import { BUNDLE_ID, claimsAt, type FakeApple, signToken, startFakeApple } from '../../support/fakes/apple.ts'
import { createAuthenticator } from '../../support/fakes/authenticator.ts'
import { type FakeSmtp, startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { addVerified, mailSettings } from '../../support/fakes/mail.ts'
import { addGroup, createOrganization, invite } from '../../support/organizations/organization.ts'
import { addCode, share } from '../../support/shares.ts'

// Passkeys work only at an address with https.
const ORIGIN = 'https://push.example.org'

let smtp: FakeSmtp
let apple: FakeApple
let app: TestApp
beforeAll(async () => {
  smtp = await startFakeSmtp()
  apple = await startFakeApple()
  app = await startTestApp({
    ...mailSettings(smtp.port),
    HELIOGRAPH_PUBLIC_URL: ORIGIN,
    HELIOGRAPH_APPLE_AUDIENCE: BUNDLE_ID,
    HELIOGRAPH_APPLE_KEYS_URL: apple.keysUrl,
  })
})
afterAll(async () => {
  await app.stop()
  await smtp.close()
  await apple.close()
})

type Example = Record<string, unknown>
// What the example refers to: the parameters of the path, and secrets that no document can hold.
type Prepared = { path?: Record<string, string>; secrets?: Example; headers?: Record<string, string>; token?: string }

const created = async (path: string, body: unknown, { token }: TestUser) => {
  const answer = await app.post(path, body, token)
  expect(answer.status).toBe(201)
  return answer.body
}

const addQuestion = (user: TestUser) =>
  created('/notifications', { title: 'Deploy?', body: 'Now.', actions: [{ id: 'yes', title: 'Yes' }] }, user)

async function addApproval(user: TestUser) {
  await created('/activities', { slug: 'release', name: 'Release' }, user)
  const options = ['approve', 'reject'].map((id) => ({ id, title: id }))
  const content = { template: 'approval', state: 'v2.0?', options }
  return (await app.patch('/activities/release', { state: 'ongoing', content }, user.token)).body
}

async function addDevice({ token }: TestUser): Promise<Prepared> {
  await app.put('/devices/phone', { name: 'Phone', platform: 'ios' }, token)
  return { path: { device_id: 'phone', slug: 'deploy' } }
}

// A phone with the Bark app, in whose place another one has asked to be.
async function addPendingPhone(user: TestUser, body: Record<string, unknown>): Promise<Prepared> {
  const { db, sealingKey, clock } = app.app.ctx
  const prepared = await addDevice(user)
  const id = deviceId('phone')
  const ask = {
    id: String(body.pending_id),
    askedAt: clock.now(),
    from: '192.0.2.1',
    sealed: seal(sealingKey, id, 'ab'),
  }
  const none = { host: null, sealed: null, codeHash: null, openUntil: null, keyHash: null, refusals: 0, endedAt: null }
  const link = { ...none, removalAskedAt: null, removalNoticeId: null, asks: [ask], kind: 'bark' as const }
  await db.transact((tx) => insertLink(tx, { ...link, userId: user.userId, deviceId: id }))
  return prepared
}

// Of an organization of somebody else, which the user of the test is not in.
async function inOrganization(): Promise<Prepared> {
  const org = await createOrganization(app)
  const group_id = await addGroup(app, org, 'night')
  return { path: { org_id: org.id, user_id: org.members[0]!.userId, group_id }, token: org.owner.token }
}

const signInCode = async ({ userId }: TestUser) => ({ code: await createSignInCode(app.app.ctx, userId) })

async function answerTicket(user: TestUser, example: Example): Promise<Prepared> {
  const { signingKey } = app.app.ctx
  if (!('option' in example)) return { path: { ticket: makeTicket(signingKey, (await addQuestion(user)).id) } }
  const { id, content } = await addApproval(user)
  const approval = { activityId: id as ActivityId, round: content.answer_round }
  return { path: { ticket: makeApprovalTicket(signingKey, approval) } }
}

const PASSKEY_PAGE = { origin: ORIGIN, rpId: new URL(ORIGIN).hostname }

async function makePasskey({ token }: TestUser) {
  const authenticator = createAuthenticator()
  const { challenge } = (await app.post('/auth/passkeys/options', undefined, token)).body
  return { authenticator, credential: authenticator.register({ challenge, ...PASSKEY_PAGE }) }
}

const PREPARE: Record<string, (user: TestUser, example: Example) => Promise<Prepared>> = {
  signInByCode: async (user) => ({ secrets: await signInCode(user) }),
  signInToConsole: async (user) => ({ secrets: await signInCode(user), headers: { 'x-heliograph-console': '1' } }),
  readInvitation: async () => ({ secrets: { code: await invite(app, await createOrganization(app)) } }),
  acceptInvitation: async () => ({
    secrets: { code: await invite(app, await createOrganization(app)) },
    headers: { 'x-heliograph-console': '1' },
  }),
  fetchRequestedSession: async () => {
    const { request, secret } = await requestSignIn(app.app.ctx, { address: '203.0.113.9', userAgent: undefined })
    return { path: { request_id: request.id }, secrets: { secret }, headers: { 'x-heliograph-console': '1' } }
  },
  findSignInRequest: async () => {
    const { request } = await requestSignIn(app.app.ctx, { address: '203.0.113.9', userAgent: undefined })
    return { secrets: { code: request.code } }
  },
  updateRecipient: async (user) => ({ path: { recipient_id: (await addVerified(app, user)).id } }),
  registerPasskey: async (user) => ({ secrets: { credential: (await makePasskey(user)).credential } }),
  signInWithPasskey: async (user) => {
    const { credential: made, authenticator } = await makePasskey(user)
    await created('/auth/passkeys', { name: 'Laptop', credential: made }, user)
    const { challenge } = (await app.post('/auth/session/passkey/options')).body
    const handle = Buffer.from(user.userId).toString('base64url')
    const credential = authenticator.signIn({ challenge, ...PASSKEY_PAGE }, handle)
    return { secrets: { credential }, headers: { 'x-heliograph-console': '1' } }
  },
  signInWithApple: async () => ({
    secrets: { identity_token: signToken(apple.keys[0]!, claimsAt(app.clock, { sub: '000123.apple' })) },
  }),
  updateKey: async (user) => ({ path: { key_id: (await created('/integrations/keys', { name: 'CI' }, user)).id } }),
  createKeyAlias: async (user) => PREPARE.updateKey!(user, {}),
  updateHook: async (user) => ({
    path: { hook_id: (await created('/integrations/hooks', { name: 'CI', kind: 'auto' }, user)).id },
  }),
  previewHook: async (user) => PREPARE.updateHook!(user, {}),
  registerDevice: async () => ({ path: { device_id: 'phone' } }),
  updateDevice: addDevice,
  approvePhone: addPendingPhone,
  updatePushEndpoint: async (user) => {
    await addDevice(user)
    return { path: { device_id: 'phone', endpoint_id: await addPushEndpoint(app, user, 'phone') } }
  },
  registerActivityToken: addDevice,
  updateWidget: async (user) => {
    await created('/widgets', { slug: 'w', name: 'W', content: { template: 'value', value: 1 } }, user)
    return { path: { slug: 'w' } }
  },
  updateActivity: async (user) => ({
    path: { slug: (await created('/activities', { slug: 'a', name: 'A' }, user)).slug },
  }),
  updateActivityByOldPath: async (user) => PREPARE.updateActivity!(user, {}),
  createShareCode: async (user) => PREPARE.updateActivity!(user, {}),
  joinShare: async () => ({ secrets: { code: (await addCode(app, await app.addUser(), '*')).code } }),
  changeShareRole: async (owner) => ({
    path: { share_id: (await share(app, { owner, recipient: await app.addUser(), what: '*' })).id },
  }),
  joinOrganization: async () => ({ secrets: { code: await invite(app, await createOrganization(app)) } }),
  updateSchedule: async (user) => {
    const plan = { title: 'T', body: 'B', send_at: '2027-03-01T08:00:00Z' }
    return { path: { id: String((await created('/notifications/scheduled', plan, user)).id) } }
  },
  updateScreen: async (user) => ({
    path: { screen_id: (await created('/screens', { name: 'S', wall: true }, user)).id },
  }),
  updateHeartbeat: async (user) => ({
    path: { slug: (await created('/heartbeats', { slug: 'h', name: 'H', every_seconds: 3600 }, user)).slug },
  }),
  updateEscalation: async (user) => {
    const policy = { slug: 'e', name: 'E', steps: [{ after_seconds: 60, level: 'critical' }] }
    return { path: { slug: (await created('/escalations', policy, user)).slug } }
  },
  answerApproval: async (user) => ({ path: { slug: (await addApproval(user)).slug } }),
  answerNotification: async (user) => ({ path: { id: String((await addQuestion(user)).id) } }),
  snoozeNotification: async (user) => PREPARE.answerNotification!(user, {}),
  answerByTicket: answerTicket,
  // A callback is signed with the secret of an integration key.
  createNotification: async ({ defaultKey }) => ({ token: defaultKey }),
  sendEmail: async (user) => {
    await addVerified(app, user)
    return {}
  },
}

// Requests under the prefix of an organization are those of the same paths without it.
const described = operations.filter(({ operationId }) => !operationId.endsWith('AsOrganization'))

const requests = described.flatMap((operation) => {
  const schema = bodySchema(operation)
  const examples = (schema && resolve(schema).examples) ?? []
  return examples.map((example, index) => ({ ...operation, example: example as Example, index }))
})

describe('the server accepts the examples of', () => {
  test.each(requests)('$operationId ($index)', async ({ operationId, method, path, example }) => {
    const user = await app.addUser()
    const prepare = path.startsWith('/orgs/{org_id}') ? inOrganization : PREPARE[operationId]
    const { path: parameters = {}, secrets, headers, token = user.token } = (await prepare?.(user, example)) ?? {}
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? `no ${name}`)
    const answer = await app.call(method, filled, { token, body: { ...example, ...secrets }, headers })
    expect([answer.status, answer.body]).toEqual([
      expect.toSatisfy((status) => status >= 200 && status < 300),
      answer.body,
    ])
  })
})
