// The HTTP/2 request of one push: path, headers and topic.

import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http2'
import type { Instant } from '../../../domain/instant.ts'

export type ApnsEnvironment = 'production' | 'sandbox'
export type ApnsPushType = 'alert' | 'background' | 'liveactivity' | 'widgets'

export type ApnsPush = {
  environment: ApnsEnvironment
  token: string
  type: ApnsPushType
  // A UUID that is the same for every attempt, so that a device can drop a duplicate.
  id: string
  priority: 10 | 5 | 1
  collapseId?: string
  // Absent: APNs decides how long to keep the push. In the past, or 0: tried once, not kept.
  expiresAt?: Instant
  payload: string
  deadlineMs?: number
}

export type Topics = Record<ApnsPushType, string>

export function topicsOf(bundleId: string): Topics {
  return {
    alert: bundleId,
    background: bundleId,
    liveactivity: `${bundleId}.push-type.liveactivity`,
    widgets: `${bundleId}.push-type.widgets`,
  }
}

// Absent headers are undefined, which node:http2 omits, so that all header objects have one hidden class.
export function requestHeaders(push: ApnsPush, topics: Topics, authorization: string): OutgoingHttpHeaders {
  return {
    ':method': 'POST',
    ':path': `/3/device/${encodeURIComponent(push.token.toWellFormed())}`,
    authorization,
    'apns-push-type': push.type,
    'apns-topic': topics[push.type],
    'apns-id': push.id,
    'apns-priority': push.priority,
    'apns-expiration': push.expiresAt === undefined ? undefined : Math.floor(push.expiresAt / 1000),
    'apns-collapse-id': push.collapseId === undefined ? undefined : toApnsCollapseId(push.collapseId),
  }
}

// A header cannot carry other scripts, nor spaces at its ends.
const FITS = /^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/

// APNs takes a collapse id of at most 64 bytes in a header; ours is 64 characters of any script.
export function toApnsCollapseId(collapseId: string): string {
  return FITS.test(collapseId) ? collapseId : createHash('sha256').update(collapseId).digest('base64url')
}
