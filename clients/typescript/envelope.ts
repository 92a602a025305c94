// Encrypts and decrypts notifications end to end (format pw1). Only clients do this; the server has no key. The derived key
// is non-extractable, so scripts cannot read it.

// Node.js names the type CryptoKey differently from browsers.
type AesKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>
export type EnvelopeKey = { kid: string; key: AesKey }
export type OpenedEnvelope = { title: string; body: string; subtitle?: string; url?: string }

const ENVELOPE = /^pw1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{40,})$/
// The server refuses these schemes in plain notifications but cannot see into an envelope.
const UNSAFE_URL = /^[\s\p{C}]*(?:javascript|data|file|vbscript)[\s\p{C}]*:/iu
const NONCE_BYTES = 12
const utf8 = new TextEncoder()

// Accepts 32 bytes as 64 hex digits, base64 or base64url.
export function parseKey(text: string): Uint8Array<ArrayBuffer> | undefined {
  const compact = text.replace(/\s/g, '')
  if (/^[0-9a-f]{64}$/i.test(compact))
    return Uint8Array.from(compact.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16))
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(compact)) return undefined
  const bytes = fromBase64url(compact.replaceAll('+', '-').replaceAll('/', '_').replace('=', ''))
  return bytes.length === 32 ? bytes : undefined
}

// Returns the member `encrypted` of a notification. `key` as parseKey accepts it.
export async function encrypt(key: string, content: OpenedEnvelope): Promise<string> {
  const { kid, key: aesKey } = await deriveKey(requireKey(key), 'encrypt')
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const additionalData = utf8.encode(`pw1.${kid}`)
  const plain = utf8.encode(JSON.stringify(content))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, aesKey, plain)
  return `pw1.${kid}.${toBase64url(iv)}${toBase64url(new Uint8Array(sealed))}`
}

// Undefined if the envelope was encrypted with another key or is damaged.
export async function decrypt(key: string, envelope: string): Promise<OpenedEnvelope | undefined> {
  return openEnvelope(envelope, await deriveKey(requireKey(key)))
}

function requireKey(key: string): Uint8Array<ArrayBuffer> {
  const bytes = parseKey(key)
  if (!bytes) throw new TypeError('An encryption key has 32 bytes, as 64 hex digits, base64 or base64url.')
  return bytes
}

type KeyUse = 'encrypt' | 'decrypt'

export async function deriveKey(secret: Uint8Array<ArrayBuffer>, use: KeyUse = 'decrypt'): Promise<EnvelopeKey> {
  const master = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey', 'deriveBits'])
  const kid = await crypto.subtle.deriveBits(hkdf('pushward/e2e/v1/kid'), master, 32)
  const aes = { name: 'AES-GCM', length: 256 }
  const key = await crypto.subtle.deriveKey(hkdf('pushward/e2e/v1/enc'), master, aes, false, [use])
  return { kid: Array.from(new Uint8Array(kid), (byte) => byte.toString(16).padStart(2, '0')).join(''), key }
}

// Returns undefined if the envelope was encrypted with another key or is damaged.
export async function openEnvelope(envelope: string, { kid, key }: EnvelopeKey): Promise<OpenedEnvelope | undefined> {
  const [, madeFor, text = ''] = ENVELOPE.exec(envelope) ?? []
  if (madeFor !== kid) return undefined
  const bytes = fromBase64url(text)
  const [iv, sealed] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
  try {
    const additionalData = utf8.encode(`pw1.${kid}`)
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, sealed)
    return toContent(JSON.parse(new TextDecoder().decode(plain)))
  } catch {
    return undefined
  }
}

// A valid key does not make the content valid: any sender with the key can encrypt any JSON.
function toContent(value: Partial<Record<keyof OpenedEnvelope, unknown>>): OpenedEnvelope | undefined {
  const { title, body, subtitle, url } = value
  if (typeof title !== 'string' || typeof body !== 'string') return undefined
  return {
    title,
    body,
    ...(typeof subtitle === 'string' && { subtitle }),
    ...(typeof url === 'string' && !UNSAFE_URL.test(url) && { url }),
  }
}

const hkdf = (info: string) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8.encode(info) })

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

// 12 bytes of nonce are 16 characters, so the encoded parts can be joined.
function toBase64url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
