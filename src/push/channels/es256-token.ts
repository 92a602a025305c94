// Signed tokens (JWT, RFC 7519) with ES256, as APNs and Web Push services take them.
import { type KeyObject, sign } from 'node:crypto'

export function signEs256(claims: object, header: object, key: KeyObject): string {
  const signed = `${encode(header)}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
