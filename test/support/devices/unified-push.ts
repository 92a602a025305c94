// UnifiedPush from outside: the ntfy app of a phone asks for names, and servers of other apps post to them.
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { TestApp } from '../app.ts'
import { type AppDevice, addApp, pollNtfy } from './app-streams.ts'

// As the app makes them.
export const newName = () => `up${randomBytes(9).toString('base64url').replace(/[-_]/g, 'x')}`

export const post = (
  app: TestApp,
  name: string,
  body: string | Uint8Array = 'hello',
  headers: Record<string, string> = {},
) =>
  app.call('POST', `/ntfy/${name}?up=1`, {
    raw: body,
    headers: { 'content-type': 'application/octet-stream', ttl: '60', ...headers },
  })

export const poll = (app: TestApp, device: AppDevice, name: string, since = 'all') =>
  pollNtfy(app, device, `${name}/json?poll=1&since=${since}`)

export async function addEndpoint(app: TestApp, plan: 'free' | 'paid' = 'paid') {
  const user = await app.addUser(plan)
  const device = await addApp(app, user)
  const name = newName()
  await poll(app, device, name)
  return { user, device, name }
}

// The server of an app, which says who it is (RFC 8292), or as its drafts did.
export function vapidSender(app: TestApp) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
    'base64url',
  )
  return (aud = app.url, { seconds = 3600, isDraft = false } = {}): Record<string, string> => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const exp = Math.floor(app.clock.now() / 1000) + seconds
    const head = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode({ aud, exp, sub: 'mailto:a@example.org' })}`
    const signature = createSign('sha256').update(head).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' })
    const token = `${head}.${signature.toString('base64url')}`
    if (isDraft) return { authorization: `WebPush ${token}`, 'crypto-key': `p256ecdsa=${key}` }
    return { authorization: `vapid t=${token}, k=${key}` }
  }
}
