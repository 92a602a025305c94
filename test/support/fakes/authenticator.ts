// An authenticator in software: makes one passkey with ES256 and signs with it, as a browser would return it.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type Page = { origin: string; challenge: string; rpId: string }

const FLAGS = { isPresent: 0x01, isVerified: 0x04, isSynced: 0x18, hasCredential: 0x40 }
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest()

export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(16)
  const id = base64url(credentialId)
  let counter = 0
  let syncFlags = 0

  function authenticatorData(rpId: string, flags: number, rest = Buffer.alloc(0)): Buffer {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags | syncFlags | FLAGS.isPresent | FLAGS.isVerified)
    head.writeUInt32BE(++counter, 1)
    return Buffer.concat([sha256(rpId), head, rest])
  }

  const clientData = (type: string, { challenge, origin }: Page) => JSON.stringify({ type, challenge, origin })

  return {
    id,
    // As if the credential had been copied to another authenticator, which has not seen the later signatures.
    setCounter(value: number) {
      counter = value
    },
    // From now on it keeps a copy elsewhere.
    sync() {
      syncFlags = FLAGS.isSynced
    },
    register(page: Page) {
      const lengths = Buffer.alloc(18)
      lengths.writeUInt16BE(credentialId.length, 16)
      // COSE, as CBOR: kty EC2, alg ES256, crv P-256, x, y.
      const [begin, middle] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')]
      const key = [begin, Buffer.from(x, 'base64url'), middle, Buffer.from(y, 'base64url')]
      const data = authenticatorData(page.rpId, FLAGS.hasCredential, Buffer.concat([lengths, credentialId, ...key]))
      // CBOR: { fmt: 'none', attStmt: {}, authData: data }
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', page)),
        attestationObject: base64url(attestation),
      }
      return { id, rawId: id, type: 'public-key', response }
    },
    signIn(page: Page, userHandle: string) {
      const clientDataJson = clientData('webauthn.get', page)
      const data = authenticatorData(page.rpId, 0)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJson)]), privateKey)
      const response = {
        clientDataJSON: base64url(clientDataJson),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle,
      }
      return { id, rawId: id, type: 'public-key', response }
    },
  }
}
