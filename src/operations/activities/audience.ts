// Whose devices an activity goes to, and whose feeds its events go to: the owner's and those of everyone it is shared with;
// of an organization, those of the members that its target reaches.
import type { ActivityEventType } from '../../contract/events/event.ts'
import { LIMITS } from '../../contract/limits.ts'
import { type Activity, isOfOrganization, type OrgActivity } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { Instant } from '../../domain/instant.ts'
import { showingDevices } from '../../domain/organizations/activity-target.ts'
import { type AppOfAccount, listShowingApps } from '../../store/activities/app-shows.ts'
import {
  type AudienceAddress,
  type AudienceMember,
  listActivityAddresses,
  listAudience,
  listAudienceOfSlug,
} from '../../store/activities/audience.ts'
import type { Reader } from '../../store/engine/database.ts'
import type { FeedEntry } from '../../store/events/feeds.ts'
import { listProfiles, listReachedIdsAfter } from '../../store/organizations/profiles.ts'

// `shareCount`: the accounts that a person shares the activity with. A large audience is left out: a job tells it in steps,
// see spread.ts.
// `ownApps`: the owner's apps that show activities, if they were read with the audience.
export type Audience = {
  recipients: UserId[]
  addresses: AudienceAddress[]
  shareCount: number
  isLarge: boolean
  ownApps?: AppOfAccount[]
}

export async function audienceOf(db: Reader, activity: Activity, now: Instant): Promise<Audience> {
  if (isOfOrganization(activity)) return audienceInOrganization(db, activity, now)
  return audienceFrom(activity, await listAudience(db, activity))
}

// The audience of a slug, which was read in the round trip that found the activity.
export type EarlyAudience = { slug: string; members: AudienceMember[]; ownApps: AppOfAccount[] }

export async function readEarlyAudience(db: Reader, userId: UserId, slug: string): Promise<EarlyAudience> {
  const [members, ownApps] = await Promise.all([listAudienceOfSlug(db, userId, slug), listShowingApps(db, [userId])])
  return { slug, members, ownApps }
}

// Undefined if another audience was read: an id may stand for the slug, and an organization has members.
export function earlyAudienceOf(activity: Activity, early: EarlyAudience | undefined): Audience | undefined {
  if (early?.slug !== activity.slug || isOfOrganization(activity)) return undefined
  return { ...audienceFrom(activity, early.members), ownApps: early.ownApps }
}

function audienceFrom({ userId: ownerId }: Activity, members: AudienceMember[]): Audience {
  const accounts = new Set(members.map(({ userId }) => userId))
  accounts.delete(ownerId)
  const recipients = [...accounts]
  const addresses = members.flatMap(({ address }) => address ?? [])
  return { recipients, addresses, shareCount: recipients.length, isLarge: false }
}

const STEP = LIMITS.organization.membersPerStep

async function audienceInOrganization(db: Reader, activity: OrgActivity, now: Instant): Promise<Audience> {
  const ids = await listReachedIdsAfter(db, activity.userId, activity.target.ids, undefined, STEP + 1)
  const audience = ids.length > STEP ? undefined : await audienceAmong(db, activity, ids, now)
  if (audience && devicesOf(audience).length <= STEP) return audience
  return { recipients: [], addresses: [], shareCount: 0, isLarge: true }
}

// Those of the members whom the activity reaches.
export async function audienceAmong(
  db: Reader,
  { id, userId: orgId, target }: OrgActivity,
  userIds: readonly UserId[],
  now: Instant,
): Promise<Audience> {
  const showing = new Map<UserId, DeviceId[]>()
  for (const profile of await listProfiles(db, orgId, userIds)) {
    const devices = showingDevices(target.ids, profile, now)
    if (devices) showing.set(profile.userId, devices)
  }
  const recipients = [...showing.keys()]
  const addresses = await listActivityAddresses(db, id, recipients)
  const isShowing = ({ userId, deviceId }: AudienceAddress) => showing.get(userId)?.includes(deviceId)
  return { recipients, addresses: addresses.filter(isShowing), shareCount: 0, isLarge: false }
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

// The event as recipients of the activity get it.
export const sharedActivityEvent = (
  { id, slug }: Pick<Activity, 'id' | 'slug'>,
  { type, at }: ActivityNews,
): NewEvent => ({ type, at, data: { slug, id, kind: 'shared' } })
