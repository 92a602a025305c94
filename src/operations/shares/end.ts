// Ends shares: the recipient's devices dismiss what it does not see any more.
import type { Activity } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { covers, type Share, shareNews } from '../../domain/shares/share.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { listActivitiesById, listActivitySizes, lockActivities } from '../../store/activities/activities.ts'
import type { AudienceAddress } from '../../store/activities/audience.ts'
import { listShownIds } from '../../store/activities/shown-activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/events/feeds.ts'
import { deleteShare, findNextShare, listSharesBetween } from '../../store/shares/shares.ts'
import { enqueueAppRemovals } from '../activities/app-shows.ts'
import { audienceOf, sharedActivityEvent } from '../activities/audience.ts'
import { enqueueDismissals } from '../activities/dismiss.ts'

// Undefined if the share has ended since it was read. The caller appends the news as its last statement.
export async function endShare(tx: Writer, share: Share, now: Instant): Promise<FeedEntry[] | undefined> {
  // A start holds its activity while it locks the others, and relies on the lock on the account.
  await lockUser(tx, share.userId)
  // Locked before the share: a change that holds an activity is finished first, and is pushed to the recipient.
  await lockActivities(tx, share.userId)
  const lost = (await listActivitySizes(tx, share.userId)).filter(await lossOf(tx, share))
  const dismissals = await listDismissals(tx, share, lost, now)
  if (!(await deleteShare(tx, share.id))) return undefined
  for (const { activity, addresses } of dismissals) await enqueueDismissals(tx, activity, addresses, now)
  for (const { id } of lost) await enqueueAppRemovals(tx, id, now, [share.recipientId])
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

type Dismissals = { activity: Activity; addresses: AudienceAddress[] }

// What the recipient's devices show, or may show. Few have a token of an activity, and few activities are ongoing.
async function listDismissals(
  tx: Writer,
  { recipientId }: Share,
  lost: readonly Pick<Activity, 'id' | 'state'>[],
  now: Instant,
): Promise<Dismissals[]> {
  const shown = new Set(await listShownIds(tx, recipientId))
  const candidates = lost.filter(({ id, state }) => state === 'ongoing' || shown.has(id))
  const dismissals: Dismissals[] = []
  for (const activity of await listActivitiesById(
    tx,
    candidates.map(({ id }) => id),
  )) {
    const { addresses } = await audienceOf(tx, activity, now)
    dismissals.push({ activity, addresses: addresses.filter(({ userId }) => userId === recipientId) })
  }
  return dismissals
}

// For the removal of an account: one share in a transaction, because each locks the account of its owner. Returns whether
// there may be more.
export async function endNextShare(tx: Writer, userId: UserId, now: Instant): Promise<boolean> {
  const share = await findNextShare(tx, userId)
  if (!share) return false
  await appendToFeeds(tx, (await endShare(tx, share, now)) ?? [])
  return true
}
