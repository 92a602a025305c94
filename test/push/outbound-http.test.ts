// Outbound HTTP to allowed addresses: TLS, answers, and the limits of time and size (R31).
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { fromRfc3339 } from '../../src/domain/instant.ts'
import { type Outbound, retryAfterSeconds } from '../../src/push/outbound-http.ts'
import { openTestOutbound, requestTo, startListener, startServer } from '../support/fakes/local-servers.ts'
import { selfSigned } from '../support/fakes/self-signed.ts'

const allow = ['127.0.0.1']

describe('TLS and plain http', () => {
  test('a certificate must be trusted and issued for the host of the URL', async () => {
    const tls = selfSigned()
    const { port } = await startServer((_incoming, reply) => reply.end(), { tls })
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const trusting = openTestOutbound({ allow, resolve, ca: tls.cert })
    const distrusting = openTestOutbound({ allow, resolve })
    const invalid = { kind: 'failed', reason: 'TLS failed or the certificate is not valid' }

    expect(await trusting.send(requestTo(`https://localhost:${port}/`))).toMatchObject({ status: 200 })
    expect(await trusting.send(requestTo(`https://127.0.0.1:${port}/`))).toMatchObject({ status: 200 })
    expect(await trusting.send(requestTo(`https://elsewhere.test:${port}/`))).toEqual(invalid)
    expect(await distrusting.send(requestTo(`https://localhost:${port}/`))).toEqual(invalid)
  })

  test('an address allowed by the operator is reached over plain http, unless https is required', async () => {
    const { url } = await startServer((_incoming, reply) => reply.end())
    const outbound = openTestOutbound({ allow })
    expect(await outbound.send(requestTo(url))).toMatchObject({ kind: 'answered', status: 200 })
    expect(await outbound.send(requestTo(url, { requireHttps: true }))).toEqual({
      kind: 'refused',
      reason: 'URL must be an https URL',
    })
  })
})

describe('answers', () => {
  test('headers and body are passed on unchanged, both ways', async () => {
    const received: unknown[] = []
    const { url } = await startServer(async (incoming, reply) => {
      const chunks = await incoming.toArray()
      received.push(incoming.method, incoming.url, incoming.headers['x-test'], Buffer.concat(chunks).toString())
      reply.writeHead(422, { 'x-answer': 'no' }).end('not taken')
    })
    const reply = await openTestOutbound({ allow }).send(
      requestTo(`${url}hook?x=1#y`, { headers: { 'x-test': 'yes' }, body: Buffer.from('hällo') }),
    )
    expect(received).toEqual(['POST', '/hook?x=1', 'yes', 'hällo'])
    expect(reply).toMatchObject({ kind: 'answered', status: 422, headers: { 'x-answer': 'no' } })
    expect(reply).toMatchObject({ body: Buffer.from('not taken') })
  })

  test.each([301, 302, 303, 307, 308])('%i is returned, not followed', async (status) => {
    const paths: unknown[] = []
    const { url, port } = await startServer((incoming, reply) => {
      paths.push(incoming.url)
      reply.writeHead(status, { location: `http://127.0.0.1:${port}/latest/meta-data/` }).end()
    })
    expect(await openTestOutbound({ allow }).send(requestTo(url))).toMatchObject({ kind: 'answered', status })
    expect(paths).toEqual(['/'])
  })

  test.each([
    [10, 10],
    [9, 9],
    [0, 0],
    [11, 10],
  ])('with a limit of %i bytes, %i of 10 are returned', async (maxResponseBytes, kept) => {
    const { url } = await startServer((_incoming, reply) => reply.end('0123456789'))
    const reply = await openTestOutbound({ allow }).send(requestTo(url, { maxResponseBytes }))
    expect(reply).toMatchObject({ kind: 'answered', body: Buffer.from('0123456789'.slice(0, kept)) })
  })

  test('of an endless body only the allowed part is read, and the connection is closed', async () => {
    const closed: Promise<unknown>[] = []
    const { url } = await startServer((_incoming, reply) => {
      closed.push(once(reply, 'close'))
      reply.on('drain', () => writeUntilFull(reply))
      writeUntilFull(reply)
    })
    const reply = await openTestOutbound({ allow }).send(requestTo(url, { maxResponseBytes: 65_536 }))
    expect(reply).toMatchObject({ kind: 'answered', status: 200 })
    expect(reply.kind === 'answered' && reply.body.length).toBe(65_536)
    expect(await Promise.all(closed)).toHaveLength(1)
  })
})

function writeUntilFull(reply: ServerResponse) {
  while (reply.write(Buffer.alloc(16 * 1024)));
}

describe('the deadline', () => {
  const inTime = { deadlineMs: 150 }
  const tooLate = { kind: 'failed', reason: 'no answer in time' }

  test('ends a request that is never answered', async () => {
    const { url } = await startServer(() => {})
    expect(await openTestOutbound({ allow }).send(requestTo(url, inTime))).toEqual(tooLate)
  })

  test('ends an answer that arrives byte by byte', async () => {
    const { url } = await startServer((_incoming, reply) => {
      reply.flushHeaders()
      const trickle = setInterval(() => reply.write('.'), 10)
      reply.on('close', () => clearInterval(trickle))
    })
    expect(await openTestOutbound({ allow }).send(requestTo(url, inTime))).toEqual(tooLate)
  })

  // Without a working deadline both would end with the connection attempt, in the order they began.
  async function raceDeadlines(outbound: Outbound, url: string) {
    const ended: string[] = []
    const post = async (name: string, deadlineMs: number) => {
      expect(await outbound.send(requestTo(url, { deadlineMs }))).toEqual(tooLate)
      ended.push(name)
    }
    await Promise.all([post('long', 600), post('short', 150)])
    return ended
  }

  test('ends a TLS handshake that hangs', async () => {
    const { port } = await startListener('127.0.0.1')
    const outbound = openTestOutbound({ allow })
    expect(await raceDeadlines(outbound, `https://127.0.0.1:${port}/`)).toEqual(['short', 'long'])
  })

  test('ends a lookup that hangs', async () => {
    const outbound = openTestOutbound({ allow, resolve: () => new Promise(() => {}) })
    expect(await raceDeadlines(outbound, 'https://name.test/')).toEqual(['short', 'long'])
  })

  test('prevents a request from being sent once it has passed', async () => {
    const paths: unknown[] = []
    const { port } = await startServer((incoming, reply) => {
      paths.push(incoming.url)
      reply.end()
    })
    const address = { address: '127.0.0.1', family: 4 }
    const lookUps: ((addresses: [typeof address]) => void)[] = []
    const outbound = openTestOutbound({ allow, resolve: () => new Promise((resolve) => lookUps.push(resolve)) })

    // Loaded before, so that the late request gets as far as the lookup within its deadline.
    await import('undici')
    expect(await outbound.send(requestTo(`http://name.test:${port}/late`, inTime))).toEqual(tooLate)
    expect(lookUps).toHaveLength(1)
    const next = outbound.send(requestTo(`http://name.test:${port}/next`))
    // The next request now waits for the same connection.
    await new Promise(setImmediate)
    for (const found of lookUps) found([address])
    expect(await next).toMatchObject({ kind: 'answered', status: 200 })
    expect(paths).toEqual(['/next'])
  })

  test('two hundred hanging requests do not delay another one to the same host', async () => {
    const { url, breakConnections } = await startServer((incoming, reply) => {
      if (incoming.url === '/good') reply.end()
    })
    const outbound = openTestOutbound({ allow })
    let settled = 0
    const hung = Array.from({ length: 200 }, () => outbound.send(requestTo(url)).finally(() => settled++))
    expect(await outbound.send(requestTo(`${url}good`))).toMatchObject({ kind: 'answered', status: 200 })
    expect(settled).toBe(0)
    breakConnections()
    expect(new Set((await Promise.all(hung)).map((reply) => reply.kind))).toEqual(new Set(['failed']))
  })
})

describe('failures', () => {
  test('a closed port', async () => {
    const outbound = openTestOutbound({ allow })
    expect(await outbound.send(requestTo('https://127.0.0.1:1/'))).toEqual({ kind: 'failed', reason: 'cannot connect' })
  })

  test('a connection that is reset', async () => {
    const { port } = await startListener('127.0.0.1', (socket) => socket.once('data', () => socket.resetAndDestroy()))
    const reply = await openTestOutbound({ allow }).send(requestTo(`http://127.0.0.1:${port}/`))
    expect(reply).toEqual({ kind: 'failed', reason: 'connection broke off' })
  })

  test('an answer that is not HTTP', async () => {
    const { port } = await startListener('127.0.0.1', (socket) => socket.end('220 mail.test ESMTP\r\n'))
    const reply = await openTestOutbound({ allow }).send(requestTo(`http://127.0.0.1:${port}/`))
    expect(reply).toEqual({ kind: 'failed', reason: 'answer is not proper HTTP' })
  })

  test('headers that cannot be sent', async () => {
    const reply = await openTestOutbound({ allow }).send(
      requestTo('https://127.0.0.1:1/', { headers: { 'x-split': 'a\r\nb: c' } }),
    )
    expect(reply).toEqual({ kind: 'failed', reason: 'request failed' })
  })

  test('an invalid address range fails at construction', () => {
    expect(() => openTestOutbound({ allow: ['10/8'] })).toThrow('"10/8"')
  })
})

describe('Retry-After', () => {
  const now = fromRfc3339('2026-11-15T08:00:00Z')

  test.each([
    ['120', 120],
    ['0', 0],
    ['Sun, 15 Nov 2026 08:01:30 GMT', 90],
    ['Sun, 15 Nov 2026 07:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    [undefined, undefined],
  ])('%j is %j seconds', (value, seconds) => {
    expect(retryAfterSeconds({ 'retry-after': value }, now)).toBe(seconds)
  })
})
