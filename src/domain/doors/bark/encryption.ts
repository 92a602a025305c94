// Encrypts the parameters of a push as the Bark app decrypts them: one setting in the app for all its servers.
import { createCipheriv } from 'node:crypto'
import type { BARK_ALGORITHMS, BARK_MODES, DevicePatch } from '../../../contract/devices.ts'
import { validationProblem } from '../../../contract/validation.ts'
import type { BarkParameters } from './parameters.ts'

export type BarkEncryption = {
  algorithm: (typeof BARK_ALGORITHMS)[number]
  mode: (typeof BARK_MODES)[number]
  key: string
}

const KEY_CHARS: Record<BarkEncryption['algorithm'], 16 | 24 | 32> = { AES128: 16, AES192: 24, AES256: 32 }
// The app reads the IV as text, so that each of its bytes is a character.
const IV_CHARS: Record<BarkEncryption['mode'], number> = { CBC: 16, GCM: 12 }

// `encrypt` as it is sent. `random` returns so many random letters and digits. `madeKey`: to be shown once.
export function readEncryption(
  encrypt: DevicePatch['encrypt'],
  random: (length: number) => string,
): { encryption?: BarkEncryption; madeKey?: string } {
  if (!encrypt) return {}
  if (encrypt === true) {
    const key = random(KEY_CHARS.AES256)
    return { encryption: { algorithm: 'AES256', mode: 'GCM', key }, madeKey: key }
  }
  const chars = KEY_CHARS[encrypt.algorithm]
  if (encrypt.key.length === chars) return { encryption: encrypt }
  throw validationProblem([
    { location: 'body.encrypt.key', message: `must have ${chars} characters with ${encrypt.algorithm}` },
  ])
}

// Beside the id, by which the app finds the message: iOS drops a push without a text.
const PLACEHOLDER = { body: 'Encrypted notification' }

export function encryptedForBark(
  { algorithm, mode, key }: BarkEncryption,
  parameters: BarkParameters,
  random: (length: number) => string,
): BarkParameters {
  const { inside, outside } = parted(parameters)
  if (inside === undefined) return outside
  const iv = random(IV_CHARS[mode])
  const bytes = Buffer.from(key)
  const sealed =
    mode === 'GCM'
      ? withTag(createCipheriv(`aes-${bits(algorithm)}-gcm`, bytes, Buffer.from(iv)), inside)
      : withoutTag(createCipheriv(`aes-${bits(algorithm)}-cbc`, bytes, Buffer.from(iv)), inside)
  return { ...outside, ciphertext: sealed.toString('base64'), iv }
}

// As long as what is encrypted, for a hundredth of the time.
export function sizedForBark({ mode }: BarkEncryption, parameters: BarkParameters): BarkParameters {
  const { inside, outside } = parted(parameters)
  if (inside === undefined) return outside
  const bytes = Buffer.byteLength(inside)
  const sealedBytes = mode === 'GCM' ? bytes + TAG_BYTES : (Math.floor(bytes / BLOCK_BYTES) + 1) * BLOCK_BYTES
  return { ...outside, ciphertext: 'A'.repeat(4 * Math.ceil(sealedBytes / 3)), iv: 'A'.repeat(IV_CHARS[mode]) }
}

const TAG_BYTES = 16
const BLOCK_BYTES = 16

// `inside`: what is to be encrypted. A deletion has nothing of the kind, and what its sender has encrypted for the app stays as
// it is, because the app decrypts once.
function parted(parameters: BarkParameters): { inside?: string; outside: BarkParameters } {
  const { id, delete: deletion, ...others } = parameters
  const name = { ...(id && { id }), ...(deletion && { delete: deletion }) }
  if (deletion) return { outside: name }
  const { ciphertext, iv } = others
  if (ciphertext) return { outside: { ...PLACEHOLDER, ...name, ciphertext, ...(iv && { iv }) } }
  return { inside: JSON.stringify(others), outside: { ...PLACEHOLDER, ...name } }
}

const bits = (algorithm: BarkEncryption['algorithm']) => (8 * KEY_CHARS[algorithm]) as 128 | 192 | 256

type Gcm = ReturnType<typeof createCipheriv> & { getAuthTag(): Buffer }

const withoutTag = (cipher: ReturnType<typeof createCipheriv>, text: string): Buffer =>
  Buffer.concat([cipher.update(text), cipher.final()])

const withTag = (cipher: Gcm, text: string): Buffer => Buffer.concat([withoutTag(cipher, text), cipher.getAuthTag()])
