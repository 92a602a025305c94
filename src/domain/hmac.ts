// Proves that we gave something out, without storing it: a keyed hash of it. The purpose keeps a proof made for one
// thing from passing for another with the same bytes.
import { createHmac } from 'node:crypto'

export function hmacOf(signingKey: Buffer, purpose: string, what: Buffer | string): Buffer {
  return createHmac('sha256', signingKey).update(purpose).update(what).digest()
}
