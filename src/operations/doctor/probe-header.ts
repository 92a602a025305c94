// A header that proves to this server that one of its operators asks: then /health also says how the request arrived. The
// server signs it with its own key, so no token is needed, and nobody else learns the addresses of the proxies.
import { type Instant, instant } from '../../domain/instant.ts'
import { signTicket, type TicketForm, verifyTicket } from '../../domain/signing/signed-ticket.ts'

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
