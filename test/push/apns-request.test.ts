// The request that APNs receives for a push: host, path, topic and headers.
import { describe, expect, onTestFinished, test } from 'vitest'
import { instant } from '../../src/domain/instant.ts'
import { toApnsCollapseId } from '../../src/push/channels/apns/request.ts'
import { openApnsRig } from '../support/devices/apns-rig.ts'
import { startFakeApns } from '../support/fakes/fake-apns.ts'

async function startTestApns() {
  const fake = await startFakeApns()
  onTestFinished(() => fake.close())
  return fake
}

describe('a push to APNs', () => {
  test('carries its id, type, topic, priority, expiry and payload', async () => {
    const fake = await startTestApns()
    const rig = openApnsRig(fake)

    await rig.push({
      token: 'cafe',
      id: '6f1d3a52-8d0c-5e7f-9a3b-1c2d3e4f5a6b',
      priority: 5,
      collapseId: 'build',
      expiresAt: instant(1_794_900_000_999),
      payload: '{"aps":{"alert":{"title":"Größe 📏"}}}',
    })

    const [request] = fake.requests
    expect(request?.headers).toMatchObject({
      ':method': 'POST',
      ':path': '/3/device/cafe',
      'apns-id': '6f1d3a52-8d0c-5e7f-9a3b-1c2d3e4f5a6b',
      'apns-push-type': 'alert',
      'apns-topic': 'org.example.app',
      'apns-priority': '5',
      'apns-collapse-id': 'build',
      'apns-expiration': '1794900000',
    })
    expect(request?.payload).toBe('{"aps":{"alert":{"title":"Größe 📏"}}}')
  })

  test('omits optional headers that are not set', async () => {
    const fake = await startTestApns()
    await openApnsRig(fake).push()
    expect(fake.requests[0]?.headers).not.toHaveProperty('apns-collapse-id')
    expect(fake.requests[0]?.headers).not.toHaveProperty('apns-expiration')
  })

  test.each([
    ['alert', 'org.example.app'],
    ['background', 'org.example.app'],
    ['liveactivity', 'org.example.app.push-type.liveactivity'],
    ['widgets', 'org.example.app.push-type.widgets'],
  ] as const)('of type %s has the topic %s', async (type, topic) => {
    const fake = await startTestApns()
    await openApnsRig(fake).push({ type })
    expect(fake.requests[0]?.headers).toMatchObject({ 'apns-push-type': type, 'apns-topic': topic })
  })

  test("goes to the host of its token's environment", async () => {
    const production = await startTestApns()
    const sandbox = await startTestApns()
    sandbox.provider.key = production.provider.key
    const tls = { ca: production.ca + sandbox.ca }
    const rig = openApnsRig(production, { sandboxUrl: sandbox.url, tls })
    sandbox.script('two', { status: 200 })

    await rig.push({ token: 'one', environment: 'production' })
    await rig.push({ token: 'two', environment: 'sandbox' })

    expect(production.requests.map((request) => request.token)).toEqual(['one'])
    expect(sandbox.requests.map((request) => request.token)).toEqual(['two'])
  })

  test('stays below /3/device/ for any device token', async () => {
    const fake = await startTestApns()
    expect(await openApnsRig(fake).push({ token: '../4/x?y\r\nz' })).toEqual({ result: 'accepted' })
    expect(fake.requests[0]?.headers[':path']).toBe('/3/device/..%2F4%2Fx%3Fy%0D%0Az')
    expect(await openApnsRig(fake).push({ token: 'half a pair \ud800' })).toEqual({ result: 'accepted' })
  })
})

describe('a collapse id', () => {
  test.each(['build', 'a', 'nightly build 7', 'x'.repeat(64)])('that fits is kept: %s', (collapseId) => {
    expect(toApnsCollapseId(collapseId)).toBe(collapseId)
  })

  test.each(['x'.repeat(65), '📦'.repeat(64), 'Größe', ' padded ', 'two\nlines', ''])(
    'is hashed otherwise: %j',
    (text) => {
      const hashed = toApnsCollapseId(text)
      expect(Buffer.byteLength(hashed)).toBeLessThanOrEqual(64)
      expect(hashed).toMatch(/^[\w-]{43}$/)
      expect(toApnsCollapseId(text)).toBe(hashed)
      expect(toApnsCollapseId(`${text}!`)).not.toBe(hashed)
    },
  )
})
