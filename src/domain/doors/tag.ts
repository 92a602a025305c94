// The tag of a push to an app of another service, by which a later push replaces or withdraws it. It tells nothing of the
// message: the number of the notification, or a MAC of the collapse id that its sender gave.
import { createHash } from 'node:crypto'
import type { UserId } from '../caller.ts'
import type { NotificationId } from '../notifications/notification.ts'
import { hmacOf } from '../signing.ts'
import { toDigits } from './number-digits.ts'

const PURPOSE = 'heliograph/tag/v1'
const MAC_CHARS = 22
// Of alerts whose sender gave none (receiptCollapseId).
const OF_RECEIPT = /^receipt-\d+$/

// A message of Bark's senders keeps the id that they gave.
const BARK_PREFIX = 'bark:'
const MOST_APNS_BYTES = 64

export const barkCollapseId = (id: string): string =>
  `${BARK_PREFIX}${Buffer.byteLength(id) <= MOST_APNS_BYTES ? id : createHash('sha256').update(id).digest('base64url')}`

export type Tagged = { userId: UserId; id: NotificationId; collapseId?: string | null }

export function tagOf(signingKey: Buffer, { userId, id, collapseId }: Tagged): string {
  if (!collapseId || OF_RECEIPT.test(collapseId)) return `hl${toDigits(id, 1)}`
  if (collapseId.startsWith(BARK_PREFIX)) return collapseId.slice(BARK_PREFIX.length)
  return `hc${hmacOf(signingKey, PURPOSE, `${userId} ${collapseId}`).toString('base64url').slice(0, MAC_CHARS)}`
}
