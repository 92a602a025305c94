// R42: HTTP framing. Ambiguous requests are refused with a problem, so no request can be smuggled.
import { once } from 'node:events'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { openSocket, parseAnswers, type RawAnswer, readAll, sendBytes, sendLines } from '../../support/raw-http.ts'

const app = useTestApp()
let authorization: string
beforeAll(async () => {
  const { token } = await app.addUser()
  authorization = `Authorization: Bearer ${token}`
})

function expectRawProblem(answer: RawAnswer | undefined, status: number, code: string): void {
  expect(answer?.status, answer?.body).toBe(status)
  expect(answer?.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({
    type: 'about:blank',
    status,
    code,
    instance: `/requests/${answer?.headers.get('x-request-id')}`,
  })
}

const ask = (...lines: string[]) => sendLines(app.url, lines)

describe('R42: headers sent twice', () => {
  test('400 two Host headers', async () => {
    const answer = await ask('GET /health HTTP/1.1', 'Host: a', 'host: b')
    expectRawProblem(answer, 400, 'request.header_invalid')
  })

  test('400 two Authorization headers, even if equal', async () => {
    const answer = await ask('GET /auth/me HTTP/1.1', 'Host: a', authorization, authorization)
    expectRawProblem(answer, 400, 'request.header_invalid')
    expect((await ask('GET /auth/me HTTP/1.1', 'Host: a', authorization)).status).toBe(200)
  })

  test('400 no Host header', async () => {
    expectRawProblem(await ask('GET /health HTTP/1.1'), 400, 'request.header_invalid')
    expect((await ask('GET /health HTTP/1.0')).status).toBe(200)
  })
})

describe('R42: the Host header in links', () => {
  const read = (host: string) => ask('GET /heartbeats HTTP/1.1', `Host: ${host}`, authorization)
  beforeAll(async () => {
    const [, token] = authorization.split('Bearer ')
    expect((await app.post('/heartbeats', { slug: 'h', name: 'H', every_seconds: 3600 }, token)).status).toBe(201)
  })

  test.each(['push.example', 'push.example:8443', '127.0.0.1:8080', '[::1]:8080', 'my_container'])(
    '200 a link has the host %s',
    async (host) => {
      const { status, body } = await read(host)
      expect([status, JSON.parse(body).items[0].ping_url]).toEqual([
        200,
        expect.stringContaining(`http://${host}/ping/`),
      ])
    },
  )

  test.each(['evil.example"><x', 'a/b', 'user@push.example', 'push.example:', 'a b', '[::1', "x'"])(
    '400 for %s, which is no host, and no link with it',
    async (host) => expectRawProblem(await read(host), 400, 'request.header_invalid'),
  )
})

describe('R42: the target', () => {
  test.each([
    ['http://elsewhere.example/health', 200],
    ['https://elsewhere.example:99/health?x=1', 200],
    ['http://elsewhere.example', 302],
    ['http://elsewhere.example?x', 302],
  ])('an absolute target is routed by its path: %s', async (target, status) => {
    expect((await ask(`GET ${target} HTTP/1.1`, 'Host: a')).status).toBe(status)
  })

  test.each(['*', '/../health', '/./health', '/health/.', '//health', '/health;a=b'])(
    '404 for GET %s, which is not normalized to another path',
    async (target) => {
      expectRawProblem(await ask(`GET ${target} HTTP/1.1`, 'Host: a'), 404, 'route.not_found')
    },
  )

  test.each(['health', 'http:/health', '?health', '\\health'])('400 for the target %s', async (target) => {
    expectRawProblem(await ask(`GET ${target} HTTP/1.1`, 'Host: a'), 400, 'request.header_invalid')
  })

  test('a fragment is ignored', async () => {
    expect((await ask('GET /health#x HTTP/1.1', 'Host: a')).status).toBe(200)
  })

  test('TRACE does not echo', async () => {
    const answer = await ask('TRACE /health HTTP/1.1', 'Host: a', 'X-Secret: canary')
    expectRawProblem(answer, 405, 'route.method_not_allowed')
    expect(answer.body).not.toContain('canary')
  })
})

describe('R42: length and encoding of the body', () => {
  const patch = 'PATCH /auth/me HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
  const smuggled = 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

  test.each([
    [
      'Content-Length together with Transfer-Encoding',
      'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n',
      '0\r\n\r\n',
    ],
    ['Transfer-Encoding before Content-Length', 'Transfer-Encoding: chunked\r\nContent-Length: 6\r\n', '0\r\n\r\n'],
    ['two different lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n', '{} '],
    ['the same length twice', 'Content-Length: 2\r\nContent-Length: 2\r\n', '{}'],
    ['a signed length', 'Content-Length: +2\r\n', '{}'],
    ['a length in hex', 'Content-Length: 0x2\r\n', '{}'],
    ['a list of lengths', 'Content-Length: 2, 2\r\n', '{}'],
    ['an unknown encoding', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
    ['chunked before another encoding', 'Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'],
    ['an invalid chunk size', 'Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a space before the colon', 'Content-Length : 2\r\n', '{}'],
    ['a folded header', 'X-Folded: a\r\n b\r\nContent-Length: 2\r\n', '{}'],
    ['a NUL in a header', 'X-Nul: a\0b\r\nContent-Length: 2\r\n', '{}'],
    ['a bare line feed', 'X-Line: a\nContent-Length: 2\r\n', '{}'],
  ])('400 %s, and the following bytes are not read as a request', async (_what, headers, body) => {
    const answers = await sendBytes(app.url, `${patch}${authorization}\r\n${headers}\r\n${body}${smuggled}`)
    expect(answers).toHaveLength(1)
    expectRawProblem(answers[0], 400, 'request.header_invalid')
    expect(answers[0]?.headers.get('connection')).toBe('close')
  })

  test.each(['\0\0\0', 'GET\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00', 'SSH-2.0-OpenSSH_9\r\n', '{"name":"x"}\r\n\r\n'])(
    '400 for %j',
    async (garbage) => {
      const [answer] = await sendBytes(app.url, garbage)
      expectRawProblem(answer, 400, 'request.header_invalid')
    },
  )

  test('a chunked body is read', async () => {
    const chunks = '7\r\n{"nickn\r\n9\r\name":"C"}\r\n0\r\n\r\n'
    const head = `${patch}${authorization}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
    const [answer] = await sendBytes(app.url, head + chunks)
    expect([answer?.status, JSON.parse(answer?.body ?? '').nickname]).toEqual([200, 'C'])
  })

  test('two requests in one packet get two answers, in order', async () => {
    const answers = await sendBytes(app.url, `GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n${smuggled}`)
    expect(answers.map(({ status }) => status)).toEqual([404, 200])
  })
})

describe('Expect', () => {
  test('417 request.expectation_failed for anything but 100-continue', async () => {
    const answer = await ask('GET /health HTTP/1.1', 'Host: a', 'Expect: anything')
    expectRawProblem(answer, 417, 'request.expectation_failed')
  })

  test('100-continue is answered with 100, and then the body is read', async () => {
    const socket = await openSocket(app.url)
    const lines = ['PATCH /auth/me HTTP/1.1', 'Host: a', authorization, 'Content-Type: application/json']
    socket.write([...lines, 'Content-Length: 16', 'Expect: 100-continue', 'Connection: close', '', ''].join('\r\n'))
    const [first] = await once(socket, 'data')
    expect(String(first)).toMatch(/^HTTP\/1\.1 100 Continue/)
    const rest = readAll(socket)
    socket.write('{"nickname":"E"}')
    expect(parseAnswers(await rest)[0]?.status).toBe(200)
  })
})

describe('R42: sizes', () => {
  test('431 request.headers_too_large beyond 16 KiB of headers', async () => {
    const answer = await ask('GET /health HTTP/1.1', 'Host: a', `X-Long: ${'x'.repeat(17_000)}`)
    expectRawProblem(answer, 431, 'request.headers_too_large')
  })

  test('431 request.headers_too_large from 1,000 headers on, because Node drops further ones', async () => {
    const headers = (count: number) => Array.from({ length: count }, () => 'a:b')
    const answer = await ask('GET /health HTTP/1.1', ...headers(1000), 'Host: a', 'Host: b')
    expectRawProblem(answer, 431, 'request.headers_too_large')
    expect((await ask('GET /health HTTP/1.1', 'Host: a', ...headers(900))).status).toBe(200)
  })

  test('413 request.too_large reaches a client that sends its whole body before it reads', async () => {
    const head = `PATCH /auth/me HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${authorization}\r\n`
    const body = Buffer.alloc(4 * 1024 * 1024, ' ')
    const inChunks = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
    for (const [header, sent] of [
      [`Content-Length: ${body.length}`, body],
      ['Transfer-Encoding: chunked', inChunks],
    ] as const) {
      const socket = await openSocket(app.url)
      socket.write(`${head}${header}\r\n\r\n`)
      await new Promise((resolve, reject) => socket.write(sent, (error) => (error ? reject(error) : resolve(null))))
      const [answer] = parseAnswers(await readAll(socket))
      expectRawProblem(answer, 413, 'request.too_large')
      expect(answer?.headers.get('connection')).toBe('close')
    }
  })

  test('413 request.too_large is answered to the Content-Length, before the body is sent', async () => {
    const lines = ['PATCH /auth/me HTTP/1.1', 'Host: a', authorization, 'Content-Type: application/json']
    const answer = await sendLines(app.url, [...lines, `Content-Length: ${2 ** 40}`])
    expectRawProblem(answer, 413, 'request.too_large')
  })
})
