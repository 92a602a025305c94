// Ends shares: the recipient's devices dismiss what it does not see any more.
import type { Activity } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { covers, type Share } from '../../domain/shares/share.ts'
import { listActivitySizes, listOngoingForUpdate } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/feeds.ts'
import { deleteShare, listSharesBetween, listSomeShares } from '../../store/shares/shares.ts'
import { audienceOf, sharedActivityEvent } from '../activities/audience.ts'
import { enqueueDismissals } from '../activities/dismiss.ts'
import { shareNews } from './news.ts'

// Undefined if the share has ended since it was read. The caller appends the news as its last statement.
export async function endShare(tx: Writer, share: Share, now: Instant): Promise<FeedEntry[] | undefined> {
  // Locked before the share: a change that holds the activity is finished first, and is pushed to the recipient.
  const ongoing = (await listOngoingForUpdate(tx, share.userId)).filter((activity) => covers(share.subject, activity))
  const isLost = await lossOf(tx, share)
  const lost = (await listActivitySizes(tx, share.userId)).filter(isLost)
  const dismissed = ongoing.filter(isLost)
  const addresses = await Promise.all(dismissed.map((activity) => addressesOf(tx, activity, share.recipientId, now)))
  if (!(await deleteShare(tx, share.id))) return undefined
  for (const [index, activity] of dismissed.entries()) {
    await enqueueDismissals(tx, activity, addresses[index] ?? [], now)
  }
  const event = { type: 'activity.deleted', at: now } as const
  return [
    ...shareNews(share, { type: 'share.deleted', at: now }),
    ...lost.map((activity) => ({ userId: share.recipientId, event: sharedActivityEvent(activity, event) })),
  ]
}

// Tells which activities only this share gives to the recipient.
async function lossOf(tx: Writer, share: Share): Promise<(activity: Pick<Activity, 'id' | 'slug'>) => boolean> {
  const others = (await listSharesBetween(tx, share.userId, share.recipientId)).filter(({ id }) => id !== share.id)
  return (activity) => covers(share.subject, activity) && !others.some(({ subject }) => covers(subject, activity))
}

async function addressesOf(tx: Writer, activity: Activity, recipientId: UserId, now: Instant) {
  const { addresses } = await audienceOf(tx, activity, now)
  return addresses.filter(({ userId }) => userId === recipientId)
}

const BATCH = 10

// For the removal of an account. Returns whether there may be more.
export async function endSomeShares(tx: Writer, userId: UserId, now: Instant): Promise<boolean> {
  const shares = await listSomeShares(tx, userId, BATCH)
  const news: FeedEntry[] = []
  for (const share of shares) news.push(...((await endShare(tx, share, now)) ?? []))
  await appendToFeeds(tx, news)
  return shares.length === BATCH
}
