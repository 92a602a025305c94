// Passkeys: WebAuthn credentials with which a person signs in to the console without a link.
import type { NewPasskeyCredential, UsedPasskeyCredential } from '../../contract/accounts/passkey.ts'
import { Problem } from '../../contract/problems.ts'
import type { UserId } from '../caller.ts'
import { uuidToBytes } from '../ids.ts'
import { type Instant, instant } from '../instant.ts'
import { signTicket, type TicketForm, verifyTicket } from '../signing.ts'

export type PasskeyId = string & { readonly of: 'passkey' }

// What an authenticator has made. Bytes are base64url.
export type Credential = {
  credentialId: string
  publicKey: string
  // Signatures so far; 0 if the authenticator does not count them.
  counter: number
  // The authenticator keeps a copy elsewhere, such as in a cloud account.
  isSynced: boolean
  transports: string[]
}

// What a browser returns when a passkey was made, and when it was used.
export type NewCredential = NewPasskeyCredential
export type UsedCredential = UsedPasskeyCredential

export type Passkey = Credential & {
  id: PasskeyId
  userId: UserId
  name: string
  createdAt: Instant
  lastUsedAt: Instant | null
}

// The authenticator keeps it with the passkey, and returns it with each use.
export const userHandleOf = (userId: UserId): string => Buffer.from(userId).toString('base64url')

// For whom authenticators make and use credentials: the host of the server, and the origin of its pages.
export type RelyingParty = { id: string; origin: string }

export function relyingPartyAt(publicUrl: string): RelyingParty {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if ((protocol === 'https:' || isLocal) && !isAddress(hostname)) return { id: hostname, origin }
  throw new Problem(
    'passkey.origin_invalid',
    `Browsers offer passkeys only at an https address with a host name, or at http://localhost; this server is reached at ${origin}.`,
  )
}

// URL writes every IPv4 address in decimals, and every IPv6 address in brackets.
const isAddress = (hostname: string): boolean => /^[\d.]+$|^\[/.test(hostname)

// A challenge is signed and not stored, so that a request without an account writes nothing. It ends with its expiry, and
// is remembered once it was used.
const EXPIRY_BYTES = 6
const NONCE_BYTES = 16
const UUID_BYTES = 16
const SIGN_IN: TicketForm = {
  purpose: 'heliograph/passkey-sign-in/v1',
  subjectBytes: EXPIRY_BYTES + NONCE_BYTES,
  macBytes: 20,
}
const REGISTRATION: TicketForm = {
  purpose: 'heliograph/passkey-registration/v1',
  subjectBytes: EXPIRY_BYTES + NONCE_BYTES + UUID_BYTES,
  macBytes: 22,
}

// `userId`: the account that registers a passkey; absent for a sign-in, of which the account is not known yet.
export type ChallengePurpose = { userId?: UserId }

export function makeChallenge(
  signingKey: Buffer,
  { userId }: ChallengePurpose,
  nonce: Buffer,
  expiresAt: Instant,
): string {
  const expiry = Buffer.alloc(EXPIRY_BYTES)
  expiry.writeUIntBE(expiresAt, 0, EXPIRY_BYTES)
  const subject = Buffer.concat([expiry, nonce.subarray(0, NONCE_BYTES)])
  if (!userId) return signTicket(signingKey, SIGN_IN, subject)
  return signTicket(signingKey, REGISTRATION, Buffer.concat([subject, uuidToBytes(userId)]))
}

// When the challenge expires; undefined if this server did not issue it for this purpose, or it has expired.
export function readChallenge(
  signingKey: Buffer,
  { userId }: ChallengePurpose,
  text: string,
  now: Instant,
): Instant | undefined {
  const subject = verifyTicket(signingKey, userId ? REGISTRATION : SIGN_IN, text)
  if (!subject) return undefined
  if (userId && !subject.subarray(EXPIRY_BYTES + NONCE_BYTES).equals(uuidToBytes(userId))) return undefined
  const expiresAt = instant(subject.readUIntBE(0, EXPIRY_BYTES))
  return expiresAt > now ? expiresAt : undefined
}

// The challenge that the browser says it has signed; undefined if the data is malformed.
export function challengeIn(clientDataJson: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString())
    const challenge = (data as { challenge?: unknown } | null)?.challenge
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}
