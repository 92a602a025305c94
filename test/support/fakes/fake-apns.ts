// A local APNs: real HTTP/2 over TLS, scripted answers and faults, every request recorded.
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import {
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { selfSigned } from './self-signed.ts'
import { openTcpGate, type TcpGate } from './tcp-gate.ts'

export type FakeAnswer =
  // isCutOff: the connection ends after the first bytes of the body.
  | { status: number; reason?: string; timestamp?: number; retryAfter?: string; body?: string; isCutOff?: boolean }
  // The stream is refused before anything was processed; the connection stays open.
  | 'refuse'
  // The TCP connection is reset, or stops carrying bytes either way, before an answer.
  | 'reset'
  | 'freeze'
  // This stream is never answered; the connection stays open and answers PINGs.
  | 'silence'
  // GOAWAY with a last stream id below, at, or far above this stream; then the answer, if the id covers the stream.
  | { goaway: 'below' | 'at' | 'above'; code?: number; reason?: string; silent?: boolean }

type FakeRequest = {
  token: string
  headers: IncomingHttpHeaders
  payload: string
  receivedAtMs: number
  // The number of the connection it came over, from 1.
  connection: number
  isAccepted: boolean
}

export type FakeApnsOptions = {
  maxStreams?: number
  // Like Apple: one stream until a first request with a valid token, then `maxStreams`.
  oneStreamUntilSuccess?: boolean
  goawayEvery?: number
  // The clock for the age of provider tokens; without it, age is not checked.
  now?: () => number
}

type Line = { number: number; session: ServerHttp2Session; count: number; open: number; lastStreamId: number }

const OK: FakeAnswer = { status: 200 }
const HIGHEST_STREAM_ID = 2 ** 31 - 1

export class FakeApns {
  readonly requests: FakeRequest[] = []
  readonly provider = { key: '', keyId: 'KEY4567890', teamId: 'TEAM567890' }
  url = ''
  ca = ''
  connections = 0
  pings = 0
  // The highest number of streams open on one connection: before its first success, and overall.
  mostOpenBeforeSuccess = 0
  mostOpen = 0
  // The `iat` of every distinct provider token, in order.
  readonly issueTimes: number[] = []

  readonly #options: FakeApnsOptions
  readonly #events = new EventEmitter().setMaxListeners(0)
  readonly #byToken = new Map<string, FakeAnswer[]>()
  readonly #byNumber = new Map<number, FakeAnswer>()
  readonly #verdicts = new Map<string, FakeAnswer>()
  readonly #lines = new Set<Line>()
  #publicKey: KeyObject | undefined
  #gate: TcpGate | undefined
  #stop: () => void = () => {}

  constructor(options: FakeApnsOptions) {
    this.#options = options
  }

  // Answers the next requests for this token with these, one each, and then with 200.
  script(token: string, ...answers: FakeAnswer[]): void {
    this.#byToken.set(token, answers)
  }

  // Answers the n-th request overall, counted from 1.
  scriptNth(n: number, answer: FakeAnswer): void {
    this.#byNumber.set(n, answer)
  }

  acceptedIds(): string[] {
    return this.requests.filter((request) => request.isAccepted).map((request) => String(request.headers['apns-id']))
  }

  // Resolves once the condition holds; it is checked after every request and ping.
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await once(this.#events, 'event')
  }

  // Stops all bytes on this connection, in both directions.
  freeze(connection: number): void {
    for (const line of this.#lines) {
      if (line.number === connection) this.#gate?.freeze(line.session.socket.remotePort ?? 0)
    }
  }

  async start(): Promise<void> {
    const { key, cert } = selfSigned()
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.provider.key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    this.#publicKey = createPublicKey(pair.privateKey)
    const first = this.#options.oneStreamUntilSuccess ? 1 : this.#options.maxStreams
    const server = createSecureServer({
      key,
      cert,
      settings: first === undefined ? {} : { maxConcurrentStreams: first },
    })
    server.on('session', (session) => this.#onSession(session))
    server.on('sessionError', () => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.#gate = await openTcpGate((server.address() as AddressInfo).port)
    this.url = `https://127.0.0.1:${this.#gate.port}`
    this.ca = cert
    this.#stop = () => server.close()
  }

  async close(): Promise<void> {
    for (const { session } of this.#lines) session.destroy()
    await this.#gate?.close()
    this.#stop()
  }

  #onSession(session: ServerHttp2Session): void {
    this.connections += 1
    const line = { number: this.connections, session, count: 0, open: 0, lastStreamId: Number.POSITIVE_INFINITY }
    let hasSucceeded = false
    this.#lines.add(line)
    session.on('close', () => this.#lines.delete(line))
    session.on('error', () => {})
    session.on('ping', () => {
      this.pings += 1
      this.#events.emit('event')
    })
    session.on('stream', async (stream, headers) => {
      stream.on('error', () => {})
      line.open += 1
      this.mostOpen = Math.max(this.mostOpen, line.open)
      if (!hasSucceeded) this.mostOpenBeforeSuccess = Math.max(this.mostOpenBeforeSuccess, line.open)
      stream.on('close', () => {
        line.open -= 1
      })
      const isAccepted = await this.#onRequest(line, stream, headers)
      if (isAccepted && !hasSucceeded && this.#options.oneStreamUntilSuccess && !session.destroyed) {
        session.settings({ maxConcurrentStreams: this.#options.maxStreams ?? 1000 })
      }
      hasSucceeded ||= isAccepted
    })
  }

  async #onRequest(line: Line, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<boolean> {
    const payload = await readAll(stream)
    // A GOAWAY promises that streams above its last stream id are not processed.
    if (payload === undefined || (stream.id ?? 0) > line.lastStreamId) return false
    const token = String(headers[':path']).replace('/3/device/', '')
    const request: FakeRequest = {
      token,
      headers,
      payload,
      receivedAtMs: performance.now(),
      connection: line.number,
      isAccepted: false,
    }
    line.count += 1
    const number = this.requests.push(request)
    const answer = this.#byNumber.get(number) ?? this.#byToken.get(token)?.shift() ?? this.#answerFor(headers)
    request.isAccepted = this.#give(answer, line, stream, headers)
    if (line.count === this.#options.goawayEvery) this.#sendGoaway(line, stream.id ?? 0, {})
    this.#events.emit('event')
    return request.isAccepted
  }

  #give(answer: FakeAnswer, line: Line, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): boolean {
    if (answer === 'silence') return false
    if (answer === 'refuse') stream.close(constants.NGHTTP2_REFUSED_STREAM)
    else if (answer === 'reset') this.#gate?.reset(line.session.socket.remotePort ?? 0)
    else if (answer === 'freeze') this.#gate?.freeze(line.session.socket.remotePort ?? 0)
    else if ('goaway' in answer) {
      const id = stream.id ?? 0
      this.#sendGoaway(line, { below: id - 2, at: id, above: HIGHEST_STREAM_ID }[answer.goaway], answer)
      if (answer.goaway !== 'below' && !answer.silent && !answer.code) return this.#give(OK, line, stream, headers)
    } else return respond(stream, answer, headers)
    return false
  }

  #sendGoaway(line: Line, lastStreamId: number, { code = 0, reason }: { code?: number; reason?: string }): void {
    line.lastStreamId = lastStreamId
    const data = reason === undefined ? undefined : Buffer.from(JSON.stringify({ reason }))
    line.session.goaway(code, lastStreamId, data)
  }

  #answerFor(headers: IncomingHttpHeaders): FakeAnswer {
    const authorization = headers.authorization ?? ''
    const verdict = this.#verdicts.get(authorization) ?? this.#judge(authorization)
    this.#verdicts.set(authorization, verdict)
    return verdict
  }

  #judge(authorization: string): FakeAnswer {
    if (authorization === '') return { status: 403, reason: 'MissingProviderToken' }
    const [head = '', claims = '', signature = ''] = authorization.replace('bearer ', '').split('.')
    const { alg, kid } = decode(head)
    const { iss, iat } = decode(claims)
    const options = { key: this.#publicKey as KeyObject, dsaEncoding: 'ieee-p1363' } as const
    const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), options, Buffer.from(signature, 'base64url'))
    if (!isSigned || alg !== 'ES256' || kid !== this.provider.keyId || iss !== this.provider.teamId) {
      return { status: 403, reason: 'InvalidProviderToken' }
    }
    this.issueTimes.push(Number(iat))
    const ageSeconds = this.#options.now ? this.#options.now() / 1000 - Number(iat) : 0
    if (ageSeconds < 0) return { status: 403, reason: 'InvalidProviderToken' }
    return ageSeconds > 3600 ? { status: 403, reason: 'ExpiredProviderToken' } : OK
  }
}

export async function startFakeApns(options: FakeApnsOptions = {}): Promise<FakeApns> {
  const fake = new FakeApns(options)
  await fake.start()
  return fake
}

function respond(stream: ServerHttp2Stream, answer: FakeAnswer & object, headers: IncomingHttpHeaders): boolean {
  if (!('status' in answer) || stream.destroyed) return false
  const { status, reason, timestamp, retryAfter, body, isCutOff } = answer
  const isOk = status === 200
  stream.respond(
    { ':status': status, 'apns-id': headers['apns-id'], 'retry-after': retryAfter },
    isOk ? { endStream: true } : {},
  )
  const text = body ?? JSON.stringify({ reason, timestamp })
  if (isCutOff) stream.write(text.slice(0, 8), () => stream.session?.destroy())
  else if (!isOk) stream.end(text)
  return isOk
}

// Returns undefined when the stream ended before its request was complete.
function readAll(stream: ServerHttp2Stream): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      text += chunk
    })
    stream.on('end', () => resolve(stream.aborted ? undefined : text))
    stream.on('close', () => resolve(undefined))
  })
}

function decode(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return {}
  }
}
