// Whose devices an activity goes to, and whose feeds its events go to: the owner's, and those of everyone it is shared with.
import type { ActivityEventType } from '../../contract/events/event-types.ts'
import type { Activity } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/device.ts'
import type { NewEvent } from '../../domain/event.ts'
import type { Instant } from '../../domain/instant.ts'
import { type AudienceAddress, listAudience } from '../../store/activities/audience.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import type { FeedEntry } from '../../store/feeds.ts'

export type Audience = { recipients: UserId[]; addresses: AudienceAddress[] }

export async function audienceOf(db: Reader, activity: Activity): Promise<Audience> {
  const members = await listAudience(db, activity)
  const accounts = new Set(members.map(({ userId }) => userId))
  accounts.delete(activity.userId)
  return { recipients: [...accounts], addresses: members.flatMap(({ address }) => address ?? []) }
}

export type AudienceDevice = { userId: UserId; deviceId: DeviceId }

// A device may have several tokens for an activity. They are adjacent, because the addresses are sorted.
export function devicesOf({ addresses }: Pick<Audience, 'addresses'>): AudienceDevice[] {
  return addresses.filter(({ userId, deviceId }, index) => {
    const previous = addresses[index - 1]
    return previous?.userId !== userId || previous.deviceId !== deviceId
  })
}

type ActivityNews = { type: ActivityEventType; at: Instant }

export function activityNews(activity: Activity, { recipients }: Audience, { type, at }: ActivityNews): FeedEntry[] {
  const { userId, slug } = activity
  const toOwner: FeedEntry = { userId, event: { type, at, data: { slug } } }
  const event = sharedActivityEvent(activity, { type, at })
  return [toOwner, ...recipients.map((recipient) => ({ userId: recipient, event }))]
}

// As those get it with whom the activity is shared.
export const sharedActivityEvent = (
  { id, slug }: Pick<Activity, 'id' | 'slug'>,
  { type, at }: ActivityNews,
): NewEvent => ({ type, at, data: { slug, id, kind: 'shared' } })

export const createdNews = async (tx: Writer, activity: Activity, at: Instant): Promise<FeedEntry[]> =>
  activityNews(activity, await audienceOf(tx, activity), { type: 'activity.created', at })
