// The form of tokens: a prefix, 26 random base62 characters, and 6 characters that are the CRC-32 of all before them,
// so that a mistyped token is refused without a query.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type TokenKind = 'hla' | 'hlk' | 'hlw' | 'hls'
export type Token = string & { readonly of: 'token' }
export type TokenHash = string & { readonly of: 'token hash' }

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const TOKEN_PATTERN = /^(hla|hlk|hlw|hls)_[0-9A-Za-z]{32}$/
export const RANDOM_CHARS = 26
const CHECKSUM_CHARS = 6

// Skips bytes of 248 and above, the last multiple of 62, so that every character is equally likely.
export function toBase62(randomBytes: Uint8Array, length: number): string | undefined {
  let text = ''
  for (const byte of randomBytes) {
    if (byte < 248) text += ALPHABET[byte % 62]
    if (text.length === length) return text
  }
  return undefined
}

export function makeToken(kind: TokenKind, randomChars: string): Token {
  const head = `${kind}_${randomChars}`
  return (head + checksum(head)) as Token
}

export function readToken(text: string): { token: Token; kind: TokenKind } | undefined {
  if (!TOKEN_PATTERN.test(text)) return undefined
  if (checksum(text.slice(0, -CHECKSUM_CHARS)) !== text.slice(-CHECKSUM_CHARS)) return undefined
  return { token: text as Token, kind: text.slice(0, 3) as TokenKind }
}

export function hashToken(token: string): TokenHash {
  return hash('sha256', token) as TokenHash
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    digits = ALPHABET[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
