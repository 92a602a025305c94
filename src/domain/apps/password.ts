// The password of a phone app: 16 characters that are not mistaken for one another, in groups of four, because people type
// it on a phone. 80 random bits.

// 32 characters: five bits each. Without 0 and o, 1 and l.
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz'
const PASSWORD = new RegExp(`^[${ALPHABET}]{4}(-[${ALPHABET}]{4}){3}$`)

export const makeAppPassword = (randomBytes: Uint8Array): string =>
  Array.from(randomBytes.subarray(0, 16), (byte) => ALPHABET[byte % 32])
    .join('')
    .replace(/.{4}(?=.)/g, '$&-')

export const isAppPassword = (text: string): boolean => PASSWORD.test(text)
