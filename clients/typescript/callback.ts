// Checks that a callback was sent by the server: the signature of Standard Webhooks, with a secret derived from the key.
import type { ReceiptCallback } from './api-types.ts'

export type CallbackRequest = {
  headers: Headers | Record<string, string | string[] | undefined>
  // The body as it arrived; parsed and serialized again it would have another signature.
  body: string | Uint8Array<ArrayBuffer>
}

const TOLERANCE_SECONDS = 300
const utf8 = new TextEncoder()

// `secret` is the key that sent the alert (`hlk_…`) or the secret derived from it (`whsec_…`). Throws if the request is not
// genuine, or older than five minutes.
export async function verifyCallback(secret: string, { headers, body }: CallbackRequest): Promise<ReceiptCallback> {
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp || Number.NaN)) <= TOLERANCE_SECONDS)) {
    throw new Error('The callback has no timestamp of the last five minutes.')
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const key = await importHmacKey(await secretBytes(secret), 'verify')
  const signed = utf8.encode(`${id}.${timestamp}.${text}`)
  // Two signatures while a key is rolled.
  for (const one of header('webhook-signature').split(' ')) {
    const signature = one.startsWith('v1,') ? fromBase64(one.slice(3)) : undefined
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return JSON.parse(text)
  }
  throw new Error('The callback is not signed with this secret.')
}

async function secretBytes(secret: string): Promise<Uint8Array<ArrayBuffer>> {
  if (secret.startsWith('whsec_')) return fromBase64(secret.slice('whsec_'.length)) ?? new Uint8Array()
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(secret)))
  const key = await importHmacKey(hash, 'sign')
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode('pushward/callback/v1')))
}

const importHmacKey = (bytes: Uint8Array<ArrayBuffer>, use: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use])

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}
