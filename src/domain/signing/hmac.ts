// An HMAC with the signing key: proves that this server issued something without storing it. The purpose keeps a MAC of
// one kind of message from being valid for another.
import { createHmac } from 'node:crypto'

export function hmacOf(signingKey: Buffer, purpose: string, what: Buffer | string): Buffer {
  return createHmac('sha256', signingKey).update(purpose).update(what).digest()
}
