// Verifies what authenticators sign. Loaded only in the thread for passkeys: the library takes longer to load than a turn
// of the event loop may take.
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
import type { Credential, NewCredential, RelyingParty, UsedCredential } from '../../domain/accounts/passkey.ts'

export type Expected = RelyingParty & { challenge: string }
export type NewUse = Pick<Credential, 'counter' | 'isSynced'>

export async function verifyNewCredential(
  { challenge, origin, id }: Expected,
  { response, ...credential }: NewCredential,
): Promise<Credential | undefined> {
  if (!hasNoCertificate(response.attestationObject)) return undefined
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, response: { ...response, transports: undefined }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
  })
  if (!registrationInfo) return undefined
  return {
    credentialId: registrationInfo.credential.id,
    publicKey: isoBase64URL.fromBuffer(registrationInfo.credential.publicKey),
    counter: registrationInfo.credential.counter,
    isSynced: registrationInfo.credentialBackedUp,
    transports: response.transports ?? [],
  }
}

// We ask for no attestation. The library would verify one that comes all the same, and may fetch revocation lists from
// addresses that its certificates name.
function hasNoCertificate(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

export async function verifyUse(
  { challenge, origin, id }: Expected,
  { response, ...used }: UsedCredential,
  { credentialId, publicKey, counter }: Credential,
): Promise<NewUse | undefined> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...used, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential: { id: credentialId, publicKey: isoBase64URL.toBuffer(publicKey), counter },
  })
  if (!verified) return undefined
  return { counter: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp }
}
