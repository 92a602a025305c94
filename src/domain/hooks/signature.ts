// Proofs that a sender knows the secret of a hook. Each needs the secret, so any of them will do, whatever the kind.
import { Buffer } from 'node:buffer'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import type { Instant } from '../instant.ts'
import type { HookRequest } from './request.ts'

export function knowsSecret(request: HookRequest, secret: string, now: Instant): boolean {
  return (
    hasSecretItself(request, secret) ||
    hasGithubSignature(request, secret) ||
    hasGrafanaSignature(request, secret) ||
    hasStandardSignature(request, secret, now)
  )
}

// GitLab sends it in a header of its own; Alertmanager and others as bearer token or password.
function hasSecretItself({ headers }: HookRequest, secret: string): boolean {
  const authorization = headers.authorization ?? ''
  const password = /^basic +(\S+) *$/i.exec(authorization)?.[1]
  const sent = [
    headers['x-gitlab-token'],
    /^bearer +(.+?) *$/i.exec(authorization)?.[1],
    password &&
      Buffer.from(password, 'base64')
        .toString()
        .replace(/^[^:]*:/, ''),
  ]
  return sent.some((text) => text !== undefined && isSame(text, secret))
}

function hasGithubSignature({ headers, body }: HookRequest, secret: string): boolean {
  const sent = headers['x-hub-signature-256']
  return sent !== undefined && isSame(sent, `sha256=${hmac(secret, body).toString('hex')}`)
}

// With a time, the signature is of the time, a colon and the body.
function hasGrafanaSignature({ headers, body }: HookRequest, secret: string): boolean {
  const sent = headers['x-grafana-alerting-signature']
  if (sent === undefined) return false
  const time = headers['x-grafana-alerting-timestamp']
  const signed = time === undefined ? body : Buffer.concat([Buffer.from(`${time}:`), body])
  return isSame(sent, hmac(secret, signed).toString('hex'))
}

// Several signatures are separated by spaces while a secret is replaced.
function hasStandardSignature({ headers, body }: HookRequest, secret: string, now: Instant): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers
  if (id === undefined || time === undefined || signatures === undefined) return false
  const isFresh = Math.abs(now / 1000 - Number(time)) <= LIMITS.hook.signatureAgeSeconds
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  const right = `v1,${hmac(key, Buffer.concat([Buffer.from(`${id}.${time}.`), body])).toString('base64')}`
  return (
    isFresh &&
    signatures
      .split(' ')
      .slice(0, 10)
      .some((sent) => isSame(sent, right))
  )
}

const hmac = (key: string | Buffer, data: Buffer): Buffer => createHmac('sha256', key).update(data).digest()

// Compares hashes, because timingSafeEqual needs inputs of the same length.
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
