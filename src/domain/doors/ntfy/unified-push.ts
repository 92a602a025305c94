// UnifiedPush: the ntfy app of a phone hands out names of this server to other apps on the phone, at which their servers post.
// What a request of RFC 8030 says, and who sent it (VAPID, RFC 8292).
import { createHash, createPublicKey, verify } from 'node:crypto'
import { DAY_SECONDS, type Instant } from '../../instant.ts'

// As the app makes them. The name is the permission to post.
const NAME = /^up[A-Za-z0-9]{12}$/
export const isEndpointName = (topic: string): boolean => NAME.test(topic)

export const MOST_PUSH_BYTES = 4096
export const PREFIX_CHARS = 6

// Seconds that a message is kept; older senders give none. 0: only for an app that is connected.
export function readTtl(text: string | undefined): number {
  if (text === undefined || !/^\d{1,12}$/.test(text.trim())) return DAY_SECONDS
  return Math.min(Number(text), DAY_SECONDS)
}

const URGENCIES: Record<string, number> = { 'very-low': 1, low: 2, normal: 3, high: 4 }

// As a priority of ntfy.
export const readUrgency = (text = ''): number => URGENCIES[text.trim().toLowerCase()] ?? 3

// A later message with the same one takes the place of one that has not arrived.
export const readReplacedTopic = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w-]{1,32}$/.test(text.trim()) ? text.trim() : undefined

// `fingerprint`: of the sender's public key. `subject`: how to reach them, as they say.
export type PushSender = { fingerprint: string; subject?: string }
export type Vapid = { result: 'absent' } | { result: 'invalid' } | { result: 'valid'; sender: PushSender }

const MOST_TOKEN_CHARS = 4096
const MOST_SUBJECT_CHARS = 200

// `audiences`: the origins under which this server hands out names.
export function readVapid(
  { authorization = '', cryptoKey = '' }: { authorization?: string; cryptoKey?: string },
  audiences: readonly string[],
  now: Instant,
): Vapid {
  const scheme = /^(vapid|webpush) +/i.exec(authorization)?.[1]?.toLowerCase()
  if (scheme === undefined) return { result: 'absent' }
  if (authorization.length > MOST_TOKEN_CHARS) return { result: 'invalid' }
  const token =
    scheme === 'vapid' ? /\bt=([\w.-]+)/.exec(authorization)?.[1] : /^\S+ +([\w.-]+)/.exec(authorization)?.[1]
  const key = scheme === 'vapid' ? /\bk=([\w-]+)/.exec(authorization)?.[1] : /\bp256ecdsa=([\w-]+)/.exec(cryptoKey)?.[1]
  const sender = token && key ? senderOf(token, key, audiences, now) : undefined
  return sender ? { result: 'valid', sender } : { result: 'invalid' }
}

function senderOf(token: string, key: string, audiences: readonly string[], now: Instant): PushSender | undefined {
  try {
    const [head = '', claims = '', signature = ''] = token.split('.')
    const point = Buffer.from(key, 'base64url')
    if (point.length !== 65 || JSON.parse(decoded(head)).alg !== 'ES256') return undefined
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    const { aud, exp, sub } = JSON.parse(decoded(claims))
    const seconds = Math.floor(now / 1000)
    if (!isSigned || !audiences.includes(aud) || !(exp > seconds && exp <= seconds + DAY_SECONDS)) return undefined
    const subject = typeof sub === 'string' ? sub.slice(0, MOST_SUBJECT_CHARS) : undefined
    return { fingerprint: createHash('sha256').update(point).digest('hex').slice(0, 32), subject }
  } catch {
    return undefined
  }
}

const decoded = (text: string) => Buffer.from(text, 'base64url').toString()
