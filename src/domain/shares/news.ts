// The events of a share, in the feeds of its owner and of its recipient.
import type { EventType } from '../../contract/events/event-types.ts'
import type { ShareDirection } from '../../contract/shares.ts'
import type { UserId } from '../caller.ts'
import type { NewEvent } from '../events.ts'
import type { Instant } from '../instant.ts'
import { patternOf, type Share } from './share.ts'

type FeedEntry = { userId: UserId; event: NewEvent }
type ShareNews = { type: Extract<EventType, `share.${string}`>; at: Instant }

export function shareNews({ id, userId, recipientId, role, subject }: Share, { type, at }: ShareNews): FeedEntry[] {
  const shared = subject.kind === 'activity' ? { slug: subject.slug } : { slug_pattern: patternOf(subject.slugPrefix) }
  const entry = (account: typeof userId, direction: ShareDirection): FeedEntry => ({
    userId: account,
    event: { type, at, data: { id, direction, role, ...shared } },
  })
  return [entry(userId, 'given'), entry(recipientId, 'received')]
}
