// Signs callbacks as Standard Webhooks has it. The receiver derives the secret from its integration key; the server
// derives the same from the hash of the key, which is all it stores.
import { createHmac } from 'node:crypto'
import type { TokenHash } from '../token.ts'

// Part of the wire format.
const CALLBACK_PURPOSE = 'pushward/callback/v1'
const SIGNATURE_VERSION = 'v1'

export type SignedCallback = { id: string; timestampSeconds: number; body: string }

export function callbackSecret(keyHash: TokenHash): Buffer {
  return createHmac('sha256', Buffer.from(keyHash, 'hex')).update(CALLBACK_PURPOSE).digest()
}

// One signature per secret: the receiver accepts the callback if any of them matches.
export function callbackHeaders(keyHashes: TokenHash[], callback: SignedCallback): Record<string, string> {
  const { id, timestampSeconds, body } = callback
  const signatures = keyHashes.map((keyHash) => {
    const hmac = createHmac('sha256', callbackSecret(keyHash)).update(`${id}.${timestampSeconds}.${body}`)
    return `${SIGNATURE_VERSION},${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  }
}
