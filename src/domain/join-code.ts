// The codes by which people join something: 8 characters that are not mistaken for one another, 40 random bits.
import { LIMITS } from '../contract/limits.ts'

export type JoinCode = string & { readonly of: 'join code' }

// 32 characters: five bits each. Without 0 and O, 1 and I.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const CODE = new RegExp(`^[${ALPHABET}]{${LIMITS.share.codeChars}}$`)

export const makeJoinCode = (randomBytes: Uint8Array): JoinCode =>
  Array.from(randomBytes.subarray(0, LIMITS.share.codeChars), (byte) => ALPHABET[byte % 32]).join('') as JoinCode

// People type codes with spaces and hyphens, in either case.
export function readJoinCode(text: string): JoinCode | undefined {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return CODE.test(code) ? (code as JoinCode) : undefined
}
