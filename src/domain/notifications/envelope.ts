// The form of an end-to-end encrypted envelope, `pw1.<key id>.<sealed bytes>`. The server has no key and never opens
// it.
import { Buffer } from 'node:buffer'
import type { Violation } from '../../contract/problems.ts'

// 40 characters are 30 bytes: the nonce (12), the shortest JSON object and the tag (16).
const ENVELOPE_FORM = /^pw1\.[0-9a-f]{8}\.([A-Za-z0-9_-]{40,})$/

export function envelopeViolations(location: string, envelope: string): Violation[] {
  const sealed = ENVELOPE_FORM.exec(envelope)?.[1]
  if (sealed === undefined) {
    return [{ location, message: 'must be pw1, 8 hex digits and at least 30 bytes of base64url, joined by dots' }]
  }
  if (!isCanonical(sealed)) return [{ location, message: 'must end in unpadded base64url without stray bits' }]
  return []
}

// Decoders ignore a dangling character and unused bits; without this check two texts could be the same envelope.
const isCanonical = (text: string) => Buffer.from(text, 'base64url').toString('base64url') === text
