// How a receiver knows that a callback is ours: Standard Webhooks signatures with a secret that it can derive from the
// integration key it sent with. Of the key we keep a hash only, so the secret is made of that.
import { createHmac } from 'node:crypto'
import type { TokenHash } from '../token.ts'

// Receivers check these byte for byte.
const PURPOSE = 'pushward/callback/v1'
const VERSION = 'v1'

export type SignedCallback = { id: string; timestampSeconds: number; body: string }

export function callbackSecret(keyHash: TokenHash): Buffer {
  return createHmac('sha256', Buffer.from(keyHash, 'hex')).update(PURPOSE).digest()
}

// One signature for each secret: a receiver takes the callback if it knows any of them.
export function callbackHeaders(keyHashes: TokenHash[], callback: SignedCallback): Record<string, string> {
  const { id, timestampSeconds, body } = callback
  const signatures = keyHashes.map((keyHash) => {
    const hmac = createHmac('sha256', callbackSecret(keyHash)).update(`${id}.${timestampSeconds}.${body}`)
    return `${VERSION},${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  }
}
