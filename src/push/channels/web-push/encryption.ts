// Message encryption for Web Push (RFC 8291): one aes128gcm record (RFC 8188) that only the subscribed browser can read.
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

export type SubscriptionKeys = { p256dh: string; auth: string }

// Random for every message; only the published test vectors set them.
export type MessageSecrets = { salt: Buffer; senderPrivateKey: Buffer }

const RECORD_BYTES = 4096
const PUBLIC_KEY_BYTES = 65
const AUTH_BYTES = 16
const SALT_BYTES = 16
const HEADER_BYTES = SALT_BYTES + 4 + 1 + PUBLIC_KEY_BYTES
const DELIMITER_AND_TAG_BYTES = 1 + 16

// Push services must accept a body of 4,096 bytes, header included; more is optional for them.
export const MAX_PLAINTEXT_BYTES = 4096 - HEADER_BYTES - DELIMITER_AND_TAG_BYTES

// Throws if the message is too long or a key of the subscription is malformed.
export function encryptForSubscription(text: string, keys: SubscriptionKeys, secrets?: MessageSecrets): Buffer {
  const plaintext = Buffer.from(text)
  if (plaintext.length > MAX_PLAINTEXT_BYTES) throw new Error(`payload is over ${MAX_PLAINTEXT_BYTES} bytes`)
  const receiverKey = decode(keys.p256dh, PUBLIC_KEY_BYTES, 'p256dh')
  const auth = decode(keys.auth, AUTH_BYTES, 'auth')
  const salt = secrets?.salt ?? randomBytes(SALT_BYTES)
  const sender = senderOf(secrets)

  const senderKey = sender.getPublicKey()
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey])
  const inputKey = derive(sender.computeSecret(receiverKey), auth, keyInfo, 32)
  const contentKey = derive(inputKey, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(inputKey, salt, 'Content-Encoding: nonce\0', 12)

  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  return Buffer.concat([
    salt,
    recordHeader(senderKey),
    senderKey,
    cipher.update(plaintext),
    cipher.update(LAST_RECORD),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

const LAST_RECORD = Buffer.from([2])

function senderOf(secrets: MessageSecrets | undefined) {
  const sender = createECDH('prime256v1')
  if (secrets) sender.setPrivateKey(secrets.senderPrivateKey)
  else sender.generateKeys()
  return sender
}

function recordHeader(senderKey: Buffer): Buffer {
  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD_BYTES)
  header.writeUInt8(senderKey.length, 4)
  return header
}

function derive(secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
}

function decode(text: string, bytes: number, name: string): Buffer {
  const decoded = Buffer.from(text, 'base64url')
  if (decoded.length !== bytes) throw new Error(`subscription key ${name} is malformed`)
  return decoded
}
