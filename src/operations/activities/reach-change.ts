// What members see of the activities of their organization changes with their membership, their groups, the tags of their
// devices and a mute. It is read before the change and settled after it: devices that gain an activity start it, devices that
// lose it dismiss it, and the members' feeds tell of it.
import { LIMITS } from '../../contract/limits.ts'
import { type Activity, isOfOrganization } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import { type ActivityTarget, type MemberProfile, showingDevices } from '../../domain/organizations/activity-target.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import {
  type ActivitySize,
  listActivitiesById,
  listActivitySizes,
  lockActivities,
} from '../../store/activities/activities.ts'
import { listShowingAddresses } from '../../store/activities/audience.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { FeedEntry } from '../../store/events/feeds.ts'
import { listMemberships } from '../../store/organizations/memberships.ts'
import { listProfiles } from '../../store/organizations/profiles.ts'
import { enqueueAppRemovals } from './app-shows.ts'
import { sharedActivityEvent } from './audience.ts'
import { enqueueDismissals } from './dismiss.ts'
import { enqueueActivityPush } from './enqueue-push.ts'
import { enqueueRevocation, revocationOf } from './revoke.ts'
import { enqueueSpread } from './spread.ts'

const STEP = LIMITS.organization.membersPerStep

type TargetedActivity = ActivitySize & { target: ActivityTarget }
type Profiles = ReadonlyMap<UserId, MemberProfile>

export type Reach = {
  orgId: OrgId
  userIds: readonly UserId[]
  activities: readonly TargetedActivity[]
  profiles: Profiles
}

// `userIds`: the members whom the change concerns. The caller holds the lock on the organization. The activities are locked
// too: a concurrent change of one either sees the change of the members, or is pushed to those who gain it.
export async function readReach(tx: Writer, orgId: OrgId, userIds: readonly UserId[]): Promise<Reach> {
  const sizes = await listActivitySizes(tx, orgId)
  const activities = sizes.flatMap(({ target, ...size }) => (target ? [{ ...size, target }] : []))
  if (activities.length === 0 || userIds.length === 0) return { orgId, userIds, activities: [], profiles: new Map() }
  await lockActivities(tx, orgId)
  return { orgId, userIds, activities, profiles: await readProfiles(tx, orgId, userIds) }
}

// In all organizations of a person.
export async function readReachesOf(tx: Writer, userId: UserId): Promise<Reach[]> {
  const reaches: Reach[] = []
  for (const orgId of await listOrgIds(tx, userId)) reaches.push(await readReach(tx, orgId, [userId]))
  return reaches
}

// Before the account of the person, as in every change of an organization that locks both.
export async function lockOrganizationsOf(tx: Writer, userId: UserId): Promise<void> {
  for (const orgId of await listOrgIds(tx, userId)) await lockUser(tx, orgId)
}

// In the order in which rows are locked.
const listOrgIds = async (tx: Writer, userId: UserId): Promise<OrgId[]> =>
  (await listMemberships(tx, userId)).map(({ org }) => org.id).sort()

// The caller appends the news as its last statement. If the change concerns many members, jobs settle it, and the feeds have
// only the news of the change itself.
export async function settleReach(tx: Writer, before: Reach, now: Instant): Promise<FeedEntry[]> {
  const { orgId, userIds, activities } = before
  if (activities.length === 0) return []
  if (userIds.length > STEP) {
    await enqueueSettlement(tx, before, now)
    return []
  }
  const after = await readProfiles(tx, orgId, userIds)
  const changes = activities.flatMap((activity) =>
    userIds.map((userId) => changeOf(activity, userId, { before: before.profiles, after, now })),
  )
  await startGained(tx, orgId, changes, now)
  await dismissLost(tx, changes, now)
  return changes.flatMap((change) => newsOf(change, now))
}

export async function settleReaches(tx: Writer, reaches: readonly Reach[], now: Instant): Promise<FeedEntry[]> {
  const news: FeedEntry[] = []
  for (const reach of reaches) news.push(...(await settleReach(tx, reach, now)))
  return news
}

async function readProfiles(tx: Writer, orgId: OrgId, userIds: readonly UserId[]): Promise<Profiles> {
  // Many members are settled in steps, which read their profiles.
  if (userIds.length > STEP) return new Map()
  return new Map((await listProfiles(tx, orgId, userIds)).map((profile) => [profile.userId, profile]))
}

type ReachChange = {
  activity: TargetedActivity
  userId: UserId
  gained: DeviceId[]
  lost: DeviceId[]
  saw: boolean
  sees: boolean
}

function changeOf(
  activity: TargetedActivity,
  userId: UserId,
  { before, after, now }: { before: Profiles; after: Profiles; now: Instant },
): ReachChange {
  const devicesIn = (profiles: Profiles) => {
    const profile = profiles.get(userId)
    return profile && showingDevices(activity.target.ids, profile, now)
  }
  const [had, has] = [devicesIn(before), devicesIn(after)]
  return {
    activity,
    userId,
    gained: (has ?? []).filter((device) => !had?.includes(device)),
    lost: (had ?? []).filter((device) => !has?.includes(device)),
    saw: had !== undefined,
    sees: has !== undefined,
  }
}

async function startGained(tx: Writer, orgId: OrgId, changes: readonly ReachChange[], now: Instant): Promise<void> {
  for (const { activity, userId, gained } of changes) {
    if (activity.state !== 'ongoing') continue
    for (const deviceId of gained) {
      await enqueueActivityPush(tx, { id: activity.id, userId: orgId }, { userId, deviceId }, now)
    }
  }
}

async function dismissLost(tx: Writer, changes: readonly ReachChange[], now: Instant): Promise<void> {
  const losing = changes.filter(({ lost }) => lost.length > 0)
  if (losing.length === 0) return
  const ids = [...new Set(losing.map(({ activity }) => activity.id))]
  const showing = await listShowingAddresses(tx, ids, [...new Set(losing.map(({ userId }) => userId))])
  for (const activity of byId(await listActivitiesById(tx, ids))) {
    const isLost = ({ userId, deviceId, activityId }: (typeof showing)[number]) =>
      activityId === activity.id &&
      losing.some((loss) => loss.activity.id === activityId && loss.userId === userId && loss.lost.includes(deviceId))
    await enqueueDismissals(tx, activity, showing.filter(isLost), now)
    const losers = losing.filter((loss) => loss.activity.id === activity.id).map(({ userId }) => userId)
    await enqueueAppRemovals(tx, activity.id, now, losers)
  }
}

// In the order in which rows are locked.
const byId = (activities: Activity[]): Activity[] => activities.toSorted((a, b) => (a.id < b.id ? -1 : 1))

function newsOf({ activity, userId, saw, sees }: ReachChange, at: Instant): FeedEntry[] {
  if (saw === sees) return []
  const type = sees ? 'activity.updated' : 'activity.deleted'
  return [{ userId, event: sharedActivityEvent(activity, { type, at }) }]
}

// Groups and tags do not matter to an activity for everyone.
async function enqueueSettlement(tx: Writer, { activities }: Reach, now: Instant): Promise<void> {
  const concerned = activities.filter(
    ({ state, target }) => state === 'ongoing' && (target.ids.groupIds !== null || target.ids.tagIds !== null),
  )
  const ids = concerned.map(({ id }) => id)
  for (const activity of byId(await listActivitiesById(tx, ids)).filter(isOfOrganization)) {
    await enqueueSpread(tx, activity, { event: 'activity.updated', isPushed: true }, now)
    const { former: _, ...ofAllMembers } = await revocationOf(tx, activity, now)
    await enqueueRevocation(tx, ofAllMembers, now)
  }
}
