// R48: addresses, codes and passwords that give access are not logged, and only those that are shown again are stored readably.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { storedText } from '../../support/database/stored-text.ts'
import { eventually } from '../../support/eventually.ts'
import { createAuthenticator } from '../../support/fakes/authenticator.ts'
import { createMemoryLog } from '../../support/fakes/memory-log.ts'
import { addHook } from '../../support/hooks/hook.ts'

const ORIGIN = 'https://push.example.org'
const CONSOLE_HEADERS = { 'x-heliograph-console': '1', 'sec-fetch-site': 'same-origin' }
const HOOK_SECRET = 'canary-of-a-hook-3f9d'
const ACTION_HEADER = 'Bearer canary-of-an-action-7c21'

const { log, lines } = createMemoryLog()
let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await startTestApp({ HELIOGRAPH_PUBLIC_URL: ORIGIN }, undefined, { log })
  user = await app.addUser()
})
afterAll(() => app.stop())

const lastPart = (url: string) => url.split(/[/#=?]/).at(-1) as string

async function useDisplay(): Promise<{ code: string; key: string }> {
  const { body } = await app.post('/screens', { kind: 'trmnl', name: 'H', shows: { wall: true } }, user.token)
  const { pathname } = new URL(body.server_url)
  const headers = { id: '3C:61:05:AB:CD:EF' }
  const key = (await app.call('GET', `${pathname}/api/setup`, { headers })).body.api_key
  expect(key).toHaveLength(32)
  for (const id of [headers.id, 'none'])
    await app.call('GET', `${pathname}/api/display`, { headers: { id, 'access-token': key } })
  for (const path of ['/api/setup', `/i/${key}.png`, '/nothing', '/%zz']) await app.get(pathname + path)
  await app.get('/screens', key)
  await app.del(`/screens/${body.id}`, user.token)
  await app.get(`${pathname}/api/display`)
  return { code: pathname.slice('/trmnl/p-'.length), key }
}

// Each is used where it belongs, used wrongly, and used after it was revoked.
const SECRETS: Record<string, { isShownAgain?: true; use(): Promise<string> }> = {
  'the address of a hook': {
    async use() {
      const hook = await addHook(app, { secret: HOOK_SECRET }, user)
      const token = lastPart(hook.url)
      for (const path of [`/hooks/${token}`, `/hooks/${token}/more`, `/hooks/${token}?a=${token}`]) {
        await app.post(path, { title: 'T' })
        await app.call('POST', path, { raw: '{', headers: { 'x-hub-signature-256': 'sha256=0' } })
      }
      await app.post(`${hook.path}/roll`, undefined, user.token)
      await app.post(`/hooks/${token}`, { title: 'T' })
      return token
    },
  },
  'the link to a wall': {
    async use() {
      const { url, id } = (await app.post('/wall/links', { name: 'Hall' }, user.token)).body
      const token = lastPart(url)
      await app.get('/wall', token)
      await app.get(`/wall?token=${token}`)
      await app.get(`/wall/${token}`)
      await app.del(`/wall/links/${id}`, user.token)
      await app.get('/wall', token)
      return token
    },
  },
  'a screen link': {
    async use() {
      await app.post('/widgets', { slug: 'a', name: 'A', content: { template: 'value' } }, user.token)
      const { token, id } = (await app.post('/screens', { name: 'Hall', widgets: ['a'] }, user.token)).body
      const ask = async () => {
        for (const path of ['widgets/a.txt', 'widgets/a.png?size=1', 'widgets/b.png', 'nothing', 'widgets/%zz.txt', ''])
          expect((await app.get(`/s/${token}/${path}`)).text).not.toContain(token)
      }
      await ask()
      await app.call('PUT', `/s/${token}/widgets/a.txt`, { body: {} })
      await app.get(`/widgets/a.png?token=${token}`, token)
      await app.del(`/screens/${id}`, user.token)
      await ask()
      return token
    },
  },
  'the address of a display': { use: async () => (await useDisplay()).code },
  'the key of a display': { use: async () => (await useDisplay()).key },
  'the password of an app': {
    async use() {
      const { password } = (await app.post('/devices/apps', { kind: 'ntfy', name: 'Pixel' }, user.token)).body
      const authorization = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`
      await app.call('GET', '/v1/account', { headers: { authorization } })
      await app.call('GET', '/nothing/json?poll=1', { headers: { authorization } })
      await app.get(`/nothing/json?poll=1&auth=${Buffer.from(authorization).toString('base64url')}`)
      return password
    },
  },
  'an alias of a key': {
    async use() {
      const key = (await app.post('/integrations/keys', { name: 'K', permissions: {} }, user.token)).body
      const alias = await app.post(`/integrations/keys/${key.id}/aliases`, { door: 'gotify' }, user.token)
      expect([alias.status, alias.body]).toEqual([201, alias.body])
      const { token } = alias.body
      await app.call('POST', `/message?token=${token}`, { body: { message: 'M' } })
      await app.call('POST', '/message', { body: {}, headers: { 'x-gotify-key': token } })
      return token
    },
  },
  'a session begun with a passkey': {
    async use() {
      const page = (challenge: string) => ({ challenge, origin: ORIGIN, rpId: new URL(ORIGIN).hostname })
      const authenticator = createAuthenticator()
      const offer = (await app.post('/auth/passkeys/options', undefined, user.token)).body
      const credential = authenticator.register(page(offer.challenge))
      expect((await app.post('/auth/passkeys', { name: 'Laptop', credential }, user.token)).status).toBe(201)
      const { challenge } = (await app.post('/auth/session/passkey/options')).body
      const signed = authenticator.signIn(page(challenge), Buffer.from(user.userId).toString('base64url'))
      const call = { body: { credential: signed }, headers: CONSOLE_HEADERS }
      const { headers } = await app.call('POST', '/auth/session/passkey', call)
      return /=([^;]{20,})/.exec(headers.get('set-cookie') ?? '')?.[1] as string
    },
  },
  'a code that shares an activity': {
    isShownAgain: true,
    async use() {
      await app.patch('/activities/deploy?upsert=true', { state: 'ongoing' }, user.token)
      const { code } = (await app.post('/activities/deploy/share', {}, user.token)).body
      await app.post('/shares/join', { code }, user.token)
      await app.post('/shares/join', { code }, (await app.addUser()).token)
      return code
    },
  },
  'an invitation to an organization': {
    isShownAgain: true,
    async use() {
      const { id } = (await app.post('/orgs', { name: 'Crew' }, user.token)).body
      const { code } = (await app.post(`/orgs/${id}/invitations`, {}, user.token)).body
      await app.post('/orgs/join', { code }, (await app.addUser()).token)
      await app.get(`/orgs/join/${code}`)
      return code
    },
  },
}

describe('R48: an address, a code or a password', () => {
  test.each(Object.entries(SECRETS))('%s is not logged', async (_what, { isShownAgain, use }) => {
    const secret = await use()
    expect(secret.length).toBeGreaterThan(7)
    await app.runDueJobs()
    await app.app.ctx.lastUsed.flush()
    expect(lines.join('').includes(secret), secret).toBe(false)
    expect((await storedText(app)).includes(secret), secret).toBe(isShownAgain ?? false)
  })

  test('a slug behind a screen link is not logged', async () => {
    const slug = 'canary-of-a-slug-2b90'
    await app.post('/widgets', { slug, name: 'W', content: { template: 'value' } }, user.token)
    const { url, id } = (await app.post('/screens', { name: 'Hall', widgets: [slug] }, user.token)).body
    const { pathname } = new URL(url)
    const ask = async () => {
      for (const path of [`widgets/${slug}.txt`, `widgets/${slug}.png?size=1`, `activities/${slug}.json`, slug])
        await app.get(`${pathname}/${path}`)
    }
    await ask()
    await app.del(`/screens/${id}`, user.token)
    await ask()
    expect(lines.join('').includes(slug)).toBe(false)
  })

  test('a page of the console is logged by its path, without what a link has put behind it', async () => {
    const code = 'canary-of-a-link-5e18'
    await app.get(`/app/keys?code=${code}`)
    await eventually(() => expect(lines.join('')).toContain('"route":"/app/keys'))
    expect(lines.join('').includes(code)).toBe(false)
  })

  test('the secret of a hook and the headers of an action are stored in their own rows and not logged', async () => {
    const action = { id: 'go', title: 'Go', url: 'https://example.org/', headers: { a: ACTION_HEADER } }
    const sent = await app.post('/notifications', { title: 'T', body: 'B', actions: [action] }, user.token)
    expect([sent.status, sent.body]).toEqual([201, sent.body])
    await app.get('/notifications', user.token)
    await app.runDueJobs()
    for (const secret of [HOOK_SECRET, ACTION_HEADER]) {
      expect((await storedText(app)).includes(secret), secret).toBe(true)
      expect(lines.join('').includes(secret), secret).toBe(false)
    }
  })
})
