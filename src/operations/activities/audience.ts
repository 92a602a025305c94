// Whose devices an activity goes to, and whose feeds its events go to.
import type { ActivityEventType } from '../../contract/events/event-types.ts'
import type { Activity } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/device.ts'
import type { Instant } from '../../domain/instant.ts'
import { type AudienceAddress, listAudience } from '../../store/activities/audience.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { FeedEntry } from '../../store/feeds.ts'

export type Audience = { addresses: AudienceAddress[] }

export async function audienceOf(tx: Writer, activity: Activity): Promise<Audience> {
  return { addresses: await listAudience(tx, activity) }
}

export type AudienceDevice = { userId: UserId; deviceId: DeviceId }

// A device may have several tokens for an activity. They are adjacent, because the addresses are sorted.
export function devicesOf({ addresses }: Audience): AudienceDevice[] {
  return addresses.filter(({ userId, deviceId }, index) => {
    const previous = addresses[index - 1]
    return previous?.userId !== userId || previous.deviceId !== deviceId
  })
}

export function activityNews(
  { userId, slug }: Activity,
  _audience: Audience,
  type: ActivityEventType,
  at: Instant,
): FeedEntry[] {
  return [{ userId, event: { type, at, data: { slug } } }]
}

export const createdNews = async (tx: Writer, activity: Activity, at: Instant): Promise<FeedEntry[]> =>
  activityNews(activity, await audienceOf(tx, activity), 'activity.created', at)
