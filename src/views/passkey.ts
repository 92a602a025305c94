// Passkeys as clients see them, and what browsers need to make and to use one.
import type { PasskeyRegistrationOptions, PasskeySignInOptions, PasskeyView } from '../contract/accounts/passkey.ts'
import { LIMITS } from '../contract/limits.ts'
import type { User } from '../domain/account.ts'
import { type Passkey, type RelyingParty, userHandleOf } from '../domain/accounts/passkey.ts'
import { toRfc3339 } from '../domain/instant.ts'

export const passkeyView = ({ id, name, isSynced, createdAt, lastUsedAt }: Passkey): PasskeyView => ({
  id,
  name,
  synced: isSynced,
  created_at: toRfc3339(createdAt),
  last_used_at: lastUsedAt === null ? undefined : toRfc3339(lastUsedAt),
})

type Offer = { relyingParty: RelyingParty; challenge: string }

const timeout = LIMITS.passkey.challengeSeconds * 1000
// COSE: EdDSA, ES256, RS256, which the library verifies by default.
const ALGORITHMS = [-8, -7, -257]

export function registrationOptionsView({
  relyingParty,
  challenge,
  user,
  registered,
}: Offer & { user: User; registered: Passkey[] }): PasskeyRegistrationOptions {
  const name = user.nickname ?? user.name
  return {
    challenge,
    rp: { id: relyingParty.id, name: 'Heliograph' },
    user: { id: userHandleOf(user.id), name, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout,
    attestation: 'none',
    excludeCredentials: registered.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}

export const signInOptionsView = ({ relyingParty, challenge }: Offer): PasskeySignInOptions => ({
  challenge,
  rpId: relyingParty.id,
  timeout,
  userVerification: 'required',
})
