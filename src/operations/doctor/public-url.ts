// The public URL: whether it leads to this server, and whether the addresses of clients arrive there.
import { errorCode } from '../../domain/errors.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import { signTicket, type TicketForm, verifyTicket } from '../../domain/signing.ts'
import { servingAddress } from '../../runtime/serving-address.ts'
import { isLoopback } from '../../runtime/setting-values.ts'
import { type Config, environmentName } from '../../runtime/settings.ts'
import { type Check, type Found, failure, ok, warning } from './finding.ts'

// `probe` is undefined if the secrets, which sign it, cannot be read.
export type PublicUrlParts = { config: Config; probe: string | undefined }

const PUBLIC_URL = environmentName('publicUrl')
const TRUST_PROXY = environmentName('trustProxy')
const DEADLINE_MS = 5000

export const publicUrlChecks = (parts: PublicUrlParts): Check[] => [
  { name: 'public URL', look: () => checkPublicUrl(parts) },
]

async function checkPublicUrl({ config, probe }: PublicUrlParts): Promise<Found> {
  if (!probe) return warning('not checked, because the secrets cannot be read', 'correct that first, then check again')
  const url = servingAddress(config)
  const answer = await ask(url, probe).catch((error: Error) => error)
  if (answer instanceof Error) return notReached(config, url, answer)
  const arrival = answer.headers.get(ARRIVAL_HEADER)
  if (answer.status !== 200 || !arrival) {
    return failure(
      `${url}/health answers ${answer.status}, but not as this server`,
      `correct ${PUBLIC_URL}, or let the proxy pass requests on to ${config.host}:${config.port}`,
    )
  }
  return describe(config, url, JSON.parse(arrival))
}

const ask = (url: string, probe: string) =>
  fetch(`${url}/health`, {
    headers: { [PROBE_HEADER]: probe },
    redirect: 'manual',
    signal: AbortSignal.timeout(DEADLINE_MS),
  })

function notReached({ publicUrl }: Config, url: string, error: Error): Found {
  const cause = error.cause instanceof Error ? error.cause : error
  const found = `${url} cannot be reached (${errorCode(cause) ?? cause.message})`
  if (!publicUrl) return warning(found, 'start the server, if it is meant to run')
  return failure(
    found,
    `start the server; if it runs, correct ${PUBLIC_URL} or the name, certificate and proxy behind it`,
  )
}

function describe({ publicUrl }: Config, url: string, { peer, client, isForwarded, isBelieved }: Arrival): Found {
  if (isForwarded && !isBelieved) {
    return failure(
      `a proxy at ${peer} forwards requests, and it is not trusted: all clients count as one and share its limits`,
      `set ${TRUST_PROXY}=${peer}`,
    )
  }
  if (!publicUrl) {
    return warning(
      `links lead to ${url}, which other machines may not reach`,
      `set ${PUBLIC_URL} to the address that people and devices use`,
    )
  }
  // A direct connection from this machine to its own public address has that address at both ends.
  if (!isForwarded && isLoopback(peer) && !isLoopback(new URL(url).hostname)) {
    return warning(
      `${url} is this server; requests arrive from ${peer} without X-Forwarded-For`,
      `if a proxy is there, let it send X-Forwarded-For, and set ${TRUST_PROXY}=${peer}`,
    )
  }
  return ok(`${url} is this server; a request from here arrives as ${client}${isBelieved ? ` through ${peer}` : ''}`)
}

// A header that proves to this server that one of its operators asks: then /health also says how the request arrived. The
// server signs it with its own key, so no token is needed, and nobody else learns the addresses of the proxies.
export const PROBE_HEADER = 'heliograph-probe'
export const ARRIVAL_HEADER = 'heliograph-arrival'

// How a request reached the server: the other end of its connection, the client that is counted, whether a proxy has
// named one (X-Forwarded-For), and whether that was believed.
export type Arrival = { peer: string; client: string; isForwarded: boolean; isBelieved: boolean }

const FORM: TicketForm = { purpose: 'probe', subjectBytes: 8, macBytes: 16 }
const VALID_MS = 60_000

export function signProbe(signingKey: Buffer, now: Instant): string {
  const subject = Buffer.alloc(FORM.subjectBytes)
  subject.writeBigUInt64BE(BigInt(now))
  return signTicket(signingKey, FORM, subject)
}

export function isProbe(signingKey: Buffer, text: unknown, now: Instant): boolean {
  const subject = typeof text === 'string' ? verifyTicket(signingKey, FORM, text) : undefined
  if (!subject) return false
  return Math.abs(now - instant(Number(subject.readBigUInt64BE()))) <= VALID_MS
}
