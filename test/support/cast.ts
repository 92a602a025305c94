// An account with one resource of each kind, a second account with none, two that its activity is shared with, and a
// token for every kind of caller.
import type { Permissions } from '../../src/contract/permissions.ts'
import type { PasskeyId } from '../../src/domain/accounts/passkey.ts'
import { createToken } from '../../src/operations/accounts/accounts.ts'
import { requestSignIn } from '../../src/operations/accounts/sign-in-requests.ts'
import { newUuid } from '../../src/runtime/ids.ts'
import { insertPasskey } from '../../src/store/accounts/passkeys.ts'
import type { TestApp, TestUser } from './app.ts'
import { addApp } from './devices/app-streams.ts'
import { addPushEndpoint } from './devices/push-endpoint.ts'
import { addVerified } from './fakes/mail.ts'
import { addCode, share } from './shares.ts'

export const WIDGET = { slug: 'own-widget', name: 'W', content: { template: 'value' } }
// The same slug as the widget: slugs of activities and of widgets are independent.
export const ACTIVITY = { slug: WIDGET.slug, name: 'A' }
export const COUNTDOWN = { state: 'ongoing', content: { template: 'countdown', duration: '1h' } }
export const SCREEN = { name: 'S', widgets: [WIDGET.slug] }
export const DEVICE = { name: 'Phone', platform: 'web' }
export const SCHEDULE = { title: 'T', body: 'B', send_at: '2027-06-01T08:00:00Z' }
// The same slug again.
export const HEARTBEAT = { slug: WIDGET.slug, name: 'H', every_seconds: 3600 }
export const ESCALATION = { slug: WIDGET.slug, name: 'E', steps: [{ after_seconds: 60, level: 'critical' }] }
export const NOTIFICATION = { title: 'T', body: 'B', actions: [{ id: 'yes', title: 'Yes' }], acknowledge: {} }

export type Cast = {
  user: TestUser
  other: TestUser
  viewer: TestUser
  editor: TestUser
  params: Record<string, string>
  keys: Map<string, string>
}

type People = Pick<Cast, 'user' | 'other' | 'viewer' | 'editor'>

// With a route, the account has only the kinds of resources that the route is about.
export async function createCast(app: TestApp, route?: string): Promise<Cast> {
  const isNeeded = (routes: RegExp) => route === undefined || routes.test(route)
  const [user, other, viewer, editor] = await addUsers(app)
  const { token } = user
  // Lists sorted by time have a defined order only if no two entries share a time.
  app.advanceSeconds(1)
  const params: Record<string, string> = { slug: WIDGET.slug, device_id: 'own-device', number: '1', ...OF_NOBODY }
  if (isNeeded(/widget/)) await app.post('/widgets', WIDGET, token)
  if (isNeeded(/activit|share/)) {
    await app.post('/activities', ACTIVITY, token)
    await app.patch(`/activities/${ACTIVITY.slug}`, COUNTDOWN, token)
    Object.assign(params, await addShares(app, { user, other, viewer, editor }))
  }
  if (isNeeded(/device/)) await app.put('/devices/own-device', DEVICE, token)
  if (isNeeded(/endpoint/)) params.endpoint_id = await addPushEndpoint(app, user, 'own-device')
  if (isNeeded(/key_id/)) Object.assign(params, await addNamedKey(app, user))
  if (isNeeded(/hook/)) params.hook_id = await addHook(app, user)
  if (isNeeded(/heartbeat/)) await app.post('/heartbeats', HEARTBEAT, token)
  if (isNeeded(/escalation/)) await app.post('/escalations', ESCALATION, token)
  if (isNeeded(/notification/)) {
    params.id = String((await app.post('/notifications', NOTIFICATION, token)).body.id)
    params.schedule_id = String((await app.post('/notifications/scheduled', SCHEDULE, token)).body.id)
  }
  if (isNeeded(/file/)) params.file_id = (await app.post('/files', { any: 'content' }, token)).body.id
  if (isNeeded(/email/)) params.recipient_id = (await addVerified(app, user)).id
  if (isNeeded(/session/)) params.session_id = await addSession(app, user)
  if (isNeeded(/wall/)) params.link_id = (await app.post('/wall/links', { name: 'Kitchen' }, token)).body.id
  if (isNeeded(/screen/)) params.screen_id = (await app.post('/screens', SCREEN, token)).body.id
  if (isNeeded(/mute/)) params.mute_id = await addMute(app, user)
  if (isNeeded(/passkey/)) params.passkey_id = await addPasskey(app, user)
  if (isNeeded(/requests/)) Object.assign(params, await addSignInRequest(app))
  return { user, other, viewer, editor, params, keys: new Map() }
}

const OF_NOBODY = { ticket: 'none', file: 'mdi:home.svg' }

const addUsers = async (app: TestApp) =>
  [await app.addUser(), await app.addUser(), await app.addUser(), await app.addUser()] as const

async function addNamedKey(app: TestApp, { token }: TestUser): Promise<Record<string, string>> {
  const { id } = (await app.post('/integrations/keys', { name: 'Target' }, token)).body
  const alias = await app.post(`/integrations/keys/${id}/aliases`, { door: 'ntfy' }, token)
  return { key_id: id, alias_id: alias.body.id }
}

// Shares the activity with the viewer and the editor. `code` is one that the other account offers.
async function addShares(app: TestApp, { user, other, viewer, editor }: People): Promise<Record<string, string>> {
  for (const { token } of [viewer, editor]) await app.put('/devices/own-device', DEVICE, token)
  const given = await share(app, { owner: user, recipient: viewer, what: ACTIVITY.slug })
  app.advanceSeconds(1)
  await share(app, { owner: user, recipient: editor, what: ACTIVITY.slug, role: 'editor' })
  const [code, offered] = [await addCode(app, user, ACTIVITY.slug), await addCode(app, other, '*')]
  return { share_id: given.id, code_id: code.id, code: offered.code }
}

// A session besides the one of the user's token.
async function addSession(app: TestApp, { userId, token }: TestUser): Promise<string> {
  await createToken(app.app.ctx, userId, 'hla')
  const { items } = (await app.get('/auth/sessions', token)).body
  return items.find(({ current }: { current: boolean }) => !current).id
}

async function addMute(app: TestApp, { token }: TestUser): Promise<string> {
  const until = new Date(app.clock.now() + 86_400_000).toISOString()
  return (await app.put('/mutes', { source: 'noise', until }, token)).body.id
}

async function addSignInRequest({ app }: TestApp): Promise<Record<string, string>> {
  const { request } = await requestSignIn(app.ctx, { address: '203.0.113.9', userAgent: undefined })
  return { request_id: request.id, request_code: request.code }
}

// Of no authenticator: nobody can sign in with it.
async function addPasskey({ app, clock }: TestApp, { userId }: TestUser): Promise<string> {
  const credential = { credentialId: newUuid(), publicKey: '', counter: 0, isSynced: false, transports: [] }
  const passkey = { id: newUuid() as PasskeyId, userId, name: 'Key', createdAt: clock.now(), lastUsedAt: null }
  await app.ctx.db.transact((tx) => insertPasskey(tx, { ...credential, ...passkey }))
  return passkey.id
}

// A hook that has got one request.
async function addHook(app: TestApp, { token }: TestUser): Promise<string> {
  const { id, url } = (await app.post('/integrations/hooks', { name: 'H', kind: 'auto' }, token)).body
  await fetch(app.url + new URL(url).pathname, { method: 'POST', body: 'M' })
  return id
}

type KeyGrant = { permissions: Partial<Permissions>; widget_slugs?: string[] }

export const KEYS: Record<string, KeyGrant> = {
  'no-level': { permissions: {} },
  'w-read': { permissions: { widgets: 'read' } },
  'w-write': { permissions: { widgets: 'write' } },
  'ci-only': { permissions: { widgets: 'write' }, widget_slugs: ['ci-*'] },
  'n-send': { permissions: { notifications: 'send' } },
  'n-sched': { permissions: { notifications: 'schedule' } },
  others: { permissions: { activities: 'manage', emails: 'send' } },
}

export async function tokenOf(app: TestApp, cast: Cast, caller: string): Promise<string> {
  const { user, other, viewer, editor, keys } = cast
  const fixed: Record<string, string> = {
    user: user.token,
    other: other.token,
    viewer: viewer.token,
    editor: editor.token,
    default: user.defaultKey,
    'viewer-key': viewer.defaultKey,
    'editor-key': editor.defaultKey,
  }
  if (fixed[caller]) return fixed[caller]
  if (caller === 'ntfy' || caller === 'gotify') return appPasswordOf(app, cast, caller)
  if (caller === 'extension') return createToken(app.app.ctx, user.userId, 'hlw')
  app.advanceSeconds(1)
  const key = keys.get(caller) ?? (await app.addKey(user, { ...KEYS[caller] }))
  keys.set(caller, key)
  return key
}

async function appPasswordOf(app: TestApp, { user, keys }: Cast, kind: 'ntfy' | 'gotify'): Promise<string> {
  const password = keys.get(kind) ?? (await addApp(app, user, kind)).password
  keys.set(kind, password)
  return password
}

export type BadToken = { what: string; token: string | undefined; outcome: string }

// Tokens that are refused, each with the expected problem.
export async function badTokens(app: TestApp, { user }: Cast): Promise<BadToken[]> {
  const createKey = async () => {
    app.advanceSeconds(1)
    return (await app.post('/integrations/keys', { name: 'Bad' }, user.token)).body
  }
  const [expired, revoked] = [await createKey(), await createKey()]
  const expiresAt = new Date(app.clock.now() + 1000).toISOString()
  await app.patch(`/integrations/keys/${expired.id}`, { expires_at: expiresAt }, user.token)
  app.advanceSeconds(1)
  await app.del(`/integrations/keys/${revoked.id}`, user.token)
  const mistyped = user.token.slice(0, -1) + (user.token.endsWith('a') ? 'b' : 'a')
  return [
    { what: 'none', token: undefined, outcome: '401 token.invalid' },
    { what: 'garbage', token: 'garbage', outcome: '401 token.invalid' },
    { what: 'mistyped', token: mistyped, outcome: '401 token.invalid' },
    { what: 'revoked', token: revoked.key, outcome: '401 token.invalid' },
    { what: 'expired', token: expired.key, outcome: '401 integration_key.expired' },
  ]
}
