// R34: the requests that a push service receives, and the outcome of each answer.
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { encryptForSubscription } from '../../src/push/channels/web-push/encryption.ts'
import { generateVapidKeys } from '../../src/push/channels/web-push/vapid.ts'
import { openWebPush, type WebPush, webPushTopic, webPushUrgency } from '../../src/push/channels/web-push/web-push.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type ReceivedPush, startFakeWebPush } from '../support/fakes/fake-web-push.ts'
import { openTestOutbound, startServer } from '../support/fakes/local-servers.ts'

// Uses the real clock, because the browser's side checks the VAPID token by it.
async function startWebPush({ allow = ['127.0.0.1'] } = {}) {
  const service = await startFakeWebPush()
  onTestFinished(() => service.close())
  const keys = generateVapidKeys()
  const outbound = openTestOutbound({ allow, ca: service.ca })
  const channel = openWebPush({ keys, subject: 'mailto:operator@example.com', outbound, clock: systemClock })
  const subscription = await service.subscribe(keys.publicKey)
  const push = (members: Partial<WebPush> = {}) =>
    channel.push({ ...subscription, payload: '{}', ttlSeconds: 60, urgency: 'normal', ...members })
  return { service, channel, push }
}

const headersOf = (push: ReceivedPush | undefined) => push?.headers ?? {}

describe('encryption', () => {
  test('produces the message of RFC 8291, section 5 and appendix A', () => {
    const message = encryptForSubscription(
      'When I grow up, I want to be a watermelon',
      {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      {
        salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
        senderPrivateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
      },
    )
    expect(message.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6P' +
        'Bru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  test.each([
    ['nothing', ''],
    ['one character', 'x'],
    ['emoji', '{"title":"⛅️ 日本"}'],
    ['3,993 bytes', 'x'.repeat(3993)],
  ])('of %s is decrypted by a browser and adds 103 bytes', async (_what, payload) => {
    const { service, push } = await startWebPush()
    expect(await push({ payload })).toEqual({ result: 'accepted' })
    const [received] = service.received
    expect(received && (await service.read(received))).toBe(payload)
    expect(received?.body.length).toBe(Buffer.byteLength(payload) + 103)
  })

  test('never uses a salt or a sender key twice', async () => {
    const { service, push } = await startWebPush()
    await push()
    await push()
    const [first, second] = service.received.map(({ body }) => [body.subarray(0, 16), body.subarray(21, 86)])
    expect(first?.[0]).not.toEqual(second?.[0])
    expect(first?.[1]).not.toEqual(second?.[1])
  })

  test.each([
    ['a payload of 3,994 bytes', { payload: `${'x'.repeat(3992)}é` }],
    ['a short public key', { keys: { p256dh: 'BCVxsr7N', auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }],
    ['a short auth secret', { keys: { p256dh: generateVapidKeys().publicKey, auth: 'BTBZMqHH' } }],
    [
      'a public key that is not on the curve',
      { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' } },
    ],
  ])('refuses %s and sends nothing', async (_what, members) => {
    const { service, push } = await startWebPush()
    expect(await push(members)).toEqual({ result: 'rejected', reason: expect.any(String) })
    expect(service.received).toEqual([])
  })
})

describe('headers', () => {
  test('name the encoding, the time to live, the urgency and the topic', async () => {
    const { service, push } = await startWebPush()
    await push({ ttlSeconds: 3600, urgency: 'high', topic: webPushTopic('build') })
    expect(headersOf(service.received[0])).toMatchObject({
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      'content-length': '105',
      ttl: '3600',
      urgency: 'high',
      topic: webPushTopic('build'),
    })
  })

  test.each([
    [0, '0'],
    [-5, '0'],
    [90.7, '90'],
    [2_419_200, '2419200'],
    [31_536_000, '2419200'],
  ])('for %d seconds have TTL %s, and no topic when there is none', async (ttlSeconds, ttl) => {
    const { service, push } = await startWebPush()
    await push({ ttlSeconds })
    expect(headersOf(service.received[0])).toMatchObject({ ttl })
    expect(headersOf(service.received[0])).not.toHaveProperty('topic')
  })

  test('a topic is 32 base64url characters for any collapse id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 80 }), (one, other) => {
        expect(webPushTopic(one)).toMatch(/^[A-Za-z0-9_-]{32}$/)
        expect(webPushTopic(one) === webPushTopic(other)).toBe(one === other)
      }),
    )
  })

  test.each([
    ['passive', 'low'],
    ['active', 'normal'],
    ['time-sensitive', 'high'],
    ['critical', 'high'],
  ] as const)('the level %s has the urgency %s', async (level, urgency) => {
    const { service, push } = await startWebPush()
    await push({ urgency: webPushUrgency(level) })
    expect(headersOf(service.received[0]).urgency).toBe(urgency)
  })
})

describe('outcomes', () => {
  test.each([200, 201, 202, 204])('%i is accepted', async (status) => {
    const { service, push } = await startWebPush()
    service.answerWith({ status })
    expect(await push()).toEqual({ result: 'accepted' })
  })

  test.each([404, 410])('%i means that the subscription is gone', async (status) => {
    const { service, push } = await startWebPush()
    service.answerWith({ status })
    expect(await push()).toEqual({ result: 'device_gone', reason: `push service answered ${status}` })
  })

  test.each([301, 307, 400, 401, 403, 405, 413, 422])(
    '%i rejects the message and keeps the subscription',
    async (status) => {
      const { service, push } = await startWebPush()
      service.answerWith({ status, headers: { location: `${service.origin}/elsewhere` } })
      expect(await push()).toEqual({ result: 'rejected', reason: `push service answered ${status}` })
      expect(service.received).toHaveLength(1)
    },
  )

  test.each([406, 408, 425, 429, 500, 502, 503, 504])('%i is retried later', async (status) => {
    const { service, push } = await startWebPush()
    const reason = `push service answered ${status}`
    service.answerWith({ status }, { status, headers: { 'retry-after': '120' } })
    expect(await push()).toEqual({ result: 'try_later', reason })
    expect(await push()).toEqual({ result: 'try_later', reason, afterSeconds: 120 })
  })

  test('no answer is retried later', async () => {
    const { service, push } = await startWebPush()
    service.answerWith('never answer')
    expect(await push({ deadlineMs: 150 })).toEqual({ result: 'try_later', reason: 'push service: no answer in time' })
  })

  test('a reset connection is retried later', async () => {
    const { service, push } = await startWebPush()
    service.answerWith('break off')
    expect(await push()).toEqual({ result: 'try_later', reason: 'push service: connection broke off' })
    expect(await push()).toEqual({ result: 'accepted' })
  })

  test('an endpoint that is forbidden or not a URL is rejected without a connection', async () => {
    const { service, push } = await startWebPush({ allow: [] })
    expect(await push()).toEqual({ result: 'rejected', reason: 'URL points to an address that is not allowed' })
    expect(await push({ endpoint: 'https://localhost/' })).toEqual({
      result: 'rejected',
      reason: 'host name leads to an address that is not allowed',
    })
    expect(await push({ endpoint: 'push' })).toEqual({ result: 'rejected', reason: 'Invalid URL' })
    expect(service.received).toEqual([])
  })

  test('plain http works for an address that the operator allows', async () => {
    const { push } = await startWebPush()
    const { url } = await startServer((_incoming, reply) => reply.writeHead(201).end())
    expect(await push({ endpoint: url })).toEqual({ result: 'accepted' })
    expect(await push({ endpoint: 'http://127.0.0.2/' })).toMatchObject({ result: 'rejected' })
  })
})
