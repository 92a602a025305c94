// Tokens that Gotify 3 has made: `gtfya.` or `gtfyc.` and the seed of an Ed25519 key. Its database holds the public key in the same
// form, so an import stores the hash of that, and a token that arrives is turned into its public form before it is looked up. The
// form in which the signed time takes the place of the seed is not read: no sender uses it.
import { createPrivateKey, createPublicKey } from 'node:crypto'

const FORM = /^(gtfy[ac]\.)([A-Za-z0-9_-]{43})$/

// `a` is the token of an application, which sends, and `c` of a client, which receives. The token and its public form look alike.
export const isVersion3Token = (kind: 'a' | 'c', text: string): boolean => FORM.test(text) && text[4] === kind

// What stands before the 32 bytes of a seed in PKCS #8.
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

// Other tokens are returned as they are: they are stored under their own hash.
export function storedForm(token: string): string {
  const [, prefix, seed] = FORM.exec(token) ?? []
  if (prefix === undefined || seed === undefined) return token
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, Buffer.from(seed, 'base64url')]),
    format: 'der',
    type: 'pkcs8',
  })
  return prefix + createPublicKey(key).export({ format: 'jwk' }).x
}
