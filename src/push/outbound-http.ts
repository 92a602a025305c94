// HTTP requests to URLs that users choose: callbacks, Web Push endpoints and servers of apps. It guards against SSRF: it connects only to
// addresses it has checked, follows no redirect, and bounds time and size. A failure is a value, and its text never says
// to which address a host name resolves.
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
import { type AddressRange, forbiddenUrlReason, mayReach, parseAddressRanges } from '../domain/address-rules.ts'
import type { Instant } from '../domain/instant.ts'
import type { Log } from '../runtime/log.ts'
import { createResolve, type Resolve } from './host-names.ts'

export type OutboundRequest = {
  url: string
  headers: Record<string, string>
  // Without one it is a GET.
  body?: Buffer | string
  // From the first DNS query to the last byte read.
  deadlineMs: number
  // The rest of a longer answer is not read; the answer is valid all the same.
  maxResponseBytes: number
  // If false, plain http is possible for addresses that the operator has allowed.
  requireHttps: boolean
}

export type OutboundReply =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: Buffer }
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string }

export type Outbound = {
  // Never rejects.
  send(request: OutboundRequest): Promise<OutboundReply>
  // Aborts open requests.
  close(): Promise<void>
}

export type OutboundOptions = { allow: string[]; log: Log; ca?: string; resolve?: Resolve }

export function openOutbound(options: OutboundOptions): Outbound {
  const opened = parseAddressRanges(options.allow)
  let agent: Promise<Dispatcher> | undefined
  // Loaded with the first request: many servers have no device or callback that needs it.
  const openAgent = async () => {
    const undici = await import('undici')
    return new undici.Agent({ connect: guardedConnector(undici.buildConnector, opened, options) })
  }
  return {
    async send(request) {
      const reason = forbiddenUrlReason(request.url, options.allow, request.requireHttps)
      if (reason) return { kind: 'refused', reason: `URL ${reason}` }
      try {
        agent ??= openAgent()
        const ready = agent
        return await withDeadline(request.deadlineMs, async (signal) => exchange(await ready, request, signal))
      } catch (error) {
        return toReply(error, new URL(request.url).hostname, options.log)
      }
    },
    close: async () => (await agent)?.destroy(),
  }
}

// RFC 9110: seconds or a date. Anything else is ignored.
export function retryAfterSeconds(headers: IncomingHttpHeaders, now: Instant): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  // Date.parse accepts almost any text.
  const at = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

// undici checks the signal only once it is connected, so the deadline is enforced here too. A request whose deadline
// passes while it waits for a connection is never sent.
function withDeadline<Result>(deadlineMs: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(deadlineMs)
    signal.addEventListener('abort', () => reject(signal.reason))
    work(signal).then(resolve, reject)
  })
}

async function exchange(agent: Dispatcher, request: OutboundRequest, signal: AbortSignal): Promise<OutboundReply> {
  const url = new URL(request.url)
  const reply = await agent.request({
    method: request.body === undefined ? 'GET' : 'POST',
    origin: url.origin,
    path: url.pathname + url.search,
    headers: request.headers,
    body: request.body,
    signal,
  })
  const body = await readAtMost(reply.body, request.maxResponseBytes)
  return { kind: 'answered', status: reply.statusCode, headers: reply.headers, body }
}

// Leaving the loop early destroys the stream and with it the connection.
async function readAtMost(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

class AddressRefused extends Error {}

// Node calls `lookup` only for host names, so a literal address is checked before.
function guardedConnector(
  connector: typeof buildConnector,
  opened: readonly AddressRange[],
  options: OutboundOptions,
): buildConnector.connector {
  const resolve = options.resolve ?? createResolve()
  const connectTo = (protocol: string) =>
    connector({
      lookup: checkedLookup(protocol, opened, resolve),
      // A connection attempt may outlive the deadline of its request; this bounds it.
      timeout: 5000,
      // Node tries the next address after 250 ms by default, which is too short for a distant server.
      autoSelectFamilyAttemptTimeout: 1000,
      ...(options.ca && { ca: options.ca }),
    })
  const [connectEncrypted, connectPlain] = [connectTo('https:'), connectTo('http:')]

  return (target, callback) => {
    if (isIP(target.hostname) !== 0 && !mayReach(target.hostname, target.protocol, opened)) {
      return callback(new AddressRefused(), null)
    }
    const connect = target.protocol === 'https:' ? connectEncrypted : connectPlain
    connect(target, callback)
  }
}

// The connection is made to the addresses returned here, so a second DNS answer cannot change them (DNS rebinding). One
// forbidden address refuses all of them, because Node chooses which one it tries.
function checkedLookup(protocol: string, opened: readonly AddressRange[], resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), [])
        const allowed = addresses.every(({ address }) => mayReach(address, protocol, opened))
        if (!allowed) return callback(new AddressRefused(), [])
        if (options.all) return callback(null, addresses)
        callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }
}

function toReply(error: unknown, host: string, log: Log): OutboundReply {
  if (error instanceof AddressRefused) {
    log.warn({ host }, 'outbound request refused: the host name leads to an address that is not allowed')
    return { kind: 'refused', reason: 'host name leads to an address that is not allowed' }
  }
  const { name, code } = error as { name: string; code?: unknown }
  // The error of an abort signal is a DOMException, whose code is a number.
  const cause = typeof code === 'string' ? code : name
  const reason = FAILURES.find(([pattern]) => pattern.test(cause))?.[1]
  if (!reason) log.warn({ host, err: error }, 'outbound request failed in an unknown way')
  return { kind: 'failed', reason: reason ?? 'request failed' }
}

const FAILURES: [RegExp, string][] = [
  [/TIMEOUT|TimeoutError|ETIMEDOUT|ECANCELLED/, 'no answer in time'],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|EBAD|EFORMERR)/, 'host name cannot be resolved'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/, 'cannot connect'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)/, 'connection broke off'],
  [/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/, 'TLS failed or the certificate is not valid'],
  [/^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/, 'answer is not proper HTTP'],
]

export const FAILURE_REASONS: readonly string[] = FAILURES.map(([, reason]) => reason)
