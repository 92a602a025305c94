// Passkeys: registering one, and signing in with one. Options and credentials have the JSON form of WebAuthn Level 3.
import { type Static, Type } from 'typebox'
import { closed, NonBlankText, Timestamp } from '../fields.ts'
import { LIMITS } from '../limits.ts'

const Base64url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })
// An id has at most 1023 bytes.
const CredentialId = Base64url(1364)

const Descriptor = Type.Object(
  { id: Type.String(), type: Type.Literal('public-key'), transports: Type.Optional(Type.Array(Type.String())) },
  { title: 'CredentialDescriptor' },
)

export const PasskeyRegistrationOptions = Type.Object(
  {
    challenge: Type.String(),
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer(), type: Type.Literal('public-key') })),
    timeout: Type.Integer(),
    attestation: Type.Literal('none'),
    excludeCredentials: Type.Array(Descriptor),
    authenticatorSelection: Type.Object({
      residentKey: Type.Literal('required'),
      requireResidentKey: Type.Literal(true),
      userVerification: Type.Literal('required'),
    }),
  },
  {
    title: 'PasskeyRegistrationOptions',
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON` in a browser.',
  },
)
export type PasskeyRegistrationOptions = Static<typeof PasskeyRegistrationOptions>

export const PasskeySignInOptions = Type.Object(
  {
    challenge: Type.String(),
    rpId: Type.String(),
    timeout: Type.Integer(),
    userVerification: Type.Literal('required'),
  },
  { title: 'PasskeySignInOptions', description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON` in a browser.' },
)
export type PasskeySignInOptions = Static<typeof PasskeySignInOptions>

// Browsers add members, so these objects are open.
const NewPasskeyCredential = Type.Object(
  {
    id: CredentialId,
    rawId: CredentialId,
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: Base64url(8192),
      attestationObject: Base64url(65_536),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    }),
  },
  {
    title: 'NewPasskeyCredential',
    description: '`PublicKeyCredential.toJSON()` after `navigator.credentials.create()`.',
  },
)
export type NewPasskeyCredential = Static<typeof NewPasskeyCredential>

const UsedPasskeyCredential = Type.Object(
  {
    id: CredentialId,
    rawId: CredentialId,
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: Base64url(8192),
      authenticatorData: Base64url(8192),
      signature: Base64url(8192),
      userHandle: Type.Optional(Base64url(128)),
    }),
  },
  {
    title: 'UsedPasskeyCredential',
    description: '`PublicKeyCredential.toJSON()` after `navigator.credentials.get()`.',
  },
)
export type UsedPasskeyCredential = Static<typeof UsedPasskeyCredential>

// No authenticator made this example, so the server refuses it.
const EXAMPLE = { id: 'AQID', rawId: 'AQID', type: 'public-key' } as const

export const PasskeyInput = Type.Object(
  { name: NonBlankText(LIMITS.passkey.maxNameChars), credential: NewPasskeyCredential },
  {
    ...closed,
    title: 'PasskeyInput',
    examples: [
      { name: 'Laptop', credential: { ...EXAMPLE, response: { clientDataJSON: 'e30', attestationObject: 'oA' } } },
    ],
  },
)
export type PasskeyInput = Static<typeof PasskeyInput>

export const PasskeySignIn = Type.Object(
  { credential: UsedPasskeyCredential },
  {
    ...closed,
    title: 'PasskeySignIn',
    examples: [
      {
        credential: { ...EXAMPLE, response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' } },
      },
    ],
  },
)

export const PasskeyView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    synced: Type.Boolean({ description: 'true: the authenticator keeps a copy elsewhere, such as in a cloud account' }),
    created_at: Timestamp,
    last_used_at: Type.Optional(Timestamp),
  },
  { title: 'Passkey' },
)
export type PasskeyView = Static<typeof PasskeyView>

export const PasskeyParams = Type.Object({ passkey_id: Type.String({ description: 'The id of the passkey.' }) })
