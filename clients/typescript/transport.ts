// Requests to the API, repeated where that is safe.
import { errorOf, HeliographError, unreachable } from './errors.ts'

export type ClientOptions = {
  // The address of the server, as `https://heliograph.example.org`.
  url: string
  // A key (`hlk_…`) or a token (`hla_…`).
  token: string
  // How often a request is repeated after 429, 503 or a network error. Default 4.
  retries?: number
  // How long to wait for a response. Default 30 s.
  timeoutMs?: number
  // Replaces the platform's fetch.
  fetch?: typeof fetch
  sleep?: Sleep
}
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

export type Call = {
  body?: object
  headers?: Record<string, string>
  // Makes a POST safe to repeat.
  idempotencyKey?: string
  timeoutMs?: number
  retries?: number
  signal?: AbortSignal
}
// `undefined` as the body of a 204 response.
export type Request = <Body>(method: string, path: string, call?: Call) => Promise<Body>
export type Transport = { request: Request; open(path: string, call: Call): Promise<Response>; sleep: Sleep }

// A longer Retry-After, such as that of a used-up quota, is the caller's decision.
const LONGEST_DELAY_MS = 60_000
const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 15_000
// The server gives an attempt that broke off up ten seconds after it began, and asks to come back every second until then.
const IN_PROGRESS = 'idempotency.in_progress'
const IN_PROGRESS_REPEATS = 20
// A repeated request would get the same answer.
const LASTING = ['quota.exceeded', 'widget.limit_exceeded', 'file.limit_exceeded']

export function createTransport(options: ClientOptions): Transport {
  const { token, retries = 4, timeoutMs = 30_000, sleep = sleepFor } = options
  const url = options.url.replace(/\/+$/, '')
  const send = options.fetch ?? ((input, init) => fetch(input, init))

  async function attempt(method: string, path: string, call: Call, signal?: AbortSignal): Promise<Response> {
    const { body, headers, idempotencyKey } = call
    const response = await send(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      // A redirect could send the token to another server.
      redirect: 'error',
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).catch((error) => {
      call.signal?.throwIfAborted()
      throw unreachable(url, error)
    })
    if (!response.ok) throw await errorOf(response)
    return response
  }

  async function once<Body>(method: string, path: string, call: Call): Promise<Body> {
    const timeout = AbortSignal.timeout(call.timeoutMs ?? timeoutMs)
    const response = await attempt(method, path, call, call.signal ? AbortSignal.any([call.signal, timeout]) : timeout)
    if (response.status === 204) return undefined as Body
    // A connection that breaks in the middle of the body is a network error too.
    const text = await response.text().catch((error) => {
      call.signal?.throwIfAborted()
      throw unreachable(url, error)
    })
    return parseDocument(text, url, response.status) as Body
  }

  async function request<Body>(method: string, path: string, call: Call = {}): Promise<Body> {
    const isRepeatable = method !== 'POST' || call.idempotencyKey !== undefined
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await once<Body>(method, path, call)
      } catch (error) {
        const delayMs = retryDelayMs(error, isRepeatable, repeats)
        if (delayMs === undefined || repeats >= mostRepeats(error, call.retries ?? retries)) throw error
        await sleep(delayMs, call.signal)
      }
    }
  }

  return { request, open: (path, call) => attempt('GET', path, call, call.signal), sleep }
}

function parseDocument(text: string, url: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HeliographError(status, 'client.not_heliograph', `${url} answered ${status}, not as Heliograph does`)
  }
}

const isInProgress = (error: unknown): boolean => error instanceof HeliographError && error.code === IN_PROGRESS

const mostRepeats = (error: unknown, retries: number): number =>
  retries > 0 && isInProgress(error) ? Math.max(retries, IN_PROGRESS_REPEATS) : retries

// Undefined: do not repeat. A 429 was refused before anything was done. After 503 or a broken connection the request may have
// been carried out, so only what may happen twice is repeated. The repeat is told that the first attempt is in progress until
// the server knows how it ended.
function retryDelayMs(error: unknown, isRepeatable: boolean, repeats: number): number | undefined {
  if (!(error instanceof HeliographError) || LASTING.includes(error.code) || error.code.endsWith('.not_enabled')) return
  const { status, retryAfterMs } = error
  if (status !== 429 && !(isRepeatable && (status === 503 || status === 0 || isInProgress(error)))) return
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_DELAY_MS) return
  return retryAfterMs ?? backoffMs(repeats)
}

// With jitter, so that clients of a server that restarts do not come back all at once.
export function backoffMs(repeats: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** repeats, LONGEST_BACKOFF_MS) * (0.5 + Math.random() / 2)
}

function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
  })
}
