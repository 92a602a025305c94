// Takes an activity of an organization from the members whom it does not reach any more, because its target has changed or
// the activity is deleted: their devices dismiss it. Many members are a job of several steps.
import { LIMITS } from '../../contract/limits.ts'
import { type Activity, isOfOrganization, type OrgActivity } from '../../domain/activities/activity.ts'
import { essentialContent } from '../../domain/activities/content.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import type { OrgId } from '../../domain/ids.ts'
import { type Instant, toUnixSeconds } from '../../domain/instant.ts'
import type { Jobs } from '../../domain/jobs.ts'
import type { MemberProfile } from '../../domain/organizations/activity-target.ts'
import { EVERYONE, reachedDevices } from '../../domain/organizations/target.ts'
import { findActivityByIdForUpdate, stampNewestVersion } from '../../store/activities/activities.ts'
import { listShowingAddresses } from '../../store/activities/audience.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/events/feeds.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { listProfiles, listReachedIdsAfter } from '../../store/organizations/profiles.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { enqueueAppRemovals } from './app-shows.ts'
import { sharedActivityEvent } from './audience.ts'
import { enqueueDismissal } from './dismiss.ts'

const STEP = LIMITS.organization.membersPerStep

type Revocation = Jobs['revoke-activity']

// What devices and members need to know of the activity as it was. Made before its row is deleted.
export async function revocationOf(tx: Writer, activity: OrgActivity, now: Instant): Promise<Revocation> {
  const { id, userId, slug, name, target } = activity
  const stamped = await stampNewestVersion(tx, userId, id, toUnixSeconds(now))
  const timestamp = (stamped?.timestamp ?? 0) + 1
  const content = essentialContent(activity.content)
  return { userId, activityId: id, slug, name, content, timestamp, former: target.ids }
}

// Called after the change. The caller appends the news as its last statement.
export async function revokeFromLost(tx: Writer, revocation: Revocation, now: Instant): Promise<FeedEntry[]> {
  const ids = await listConcerned(tx, revocation, STEP + 1)
  if (ids.length <= STEP) return revokeAmong(tx, revocation, ids, now)
  await enqueueRevocation(tx, revocation, now)
  return []
}

// Without `former`, the devices of all members are looked at.
export async function enqueueRevocation(tx: Writer, payload: Revocation, now: Instant): Promise<void> {
  await enqueueJob(tx, { kind: 'revoke-activity', payload, runAt: now })
}

export async function revokeActivity(
  ctx: JobContext,
  { payload }: Job<'revoke-activity'>,
): Promise<JobResult<'revoke-activity'>> {
  const now = ctx.clock.now()
  const ids = await listConcerned(ctx.db.read, payload, STEP)
  const record = async (tx: Writer) => appendToFeeds(tx, await revokeAmong(tx, payload, ids, now))
  const last = ids.at(-1)
  if (last === undefined || ids.length < STEP) return { done: true, record }
  return { again: now, payload: { ...payload, after: last }, record }
}

const listConcerned = (db: Parameters<typeof listProfiles>[0], { userId, former, after }: Revocation, limit: number) =>
  listReachedIdsAfter(db, userId as OrgId, former ?? EVERYONE, after, limit)

async function revokeAmong(
  tx: Writer,
  revocation: Revocation,
  userIds: readonly UserId[],
  now: Instant,
): Promise<FeedEntry[]> {
  const { userId, activityId: id, slug, name, content, timestamp } = revocation
  const current = await findActivityByIdForUpdate(tx, userId, id)
  const profiles = await listProfiles(tx, userId as OrgId, userIds)
  const losses = profiles.map((profile) => lossOf(profile, revocation, current))
  const lost = new Map(losses.map(({ userId, devices }) => [userId, devices]))
  for (const address of await listShowingAddresses(tx, [id], [...lost.keys()])) {
    if (!lost.get(address.userId)?.includes(address.deviceId)) continue
    await enqueueDismissal(tx, { id, slug, name, content }, address, { timestamp, now })
  }
  await enqueueAppRemovals(tx, id, now, [...lost.keys()])
  const event = sharedActivityEvent({ id, slug }, { type: 'activity.deleted', at: now })
  return losses.filter(({ isUnseen }) => isUnseen).map((loss) => ({ userId: loss.userId, event }))
}

// `isUnseen`: the member saw the activity and does not any more.
type Loss = { userId: UserId; devices: DeviceId[]; isUnseen: boolean }

function lossOf(profile: MemberProfile, { former }: Revocation, current: Activity | undefined): Loss {
  const had = reachedDevices(former ?? EVERYONE, profile)
  const has = current && isOfOrganization(current) ? reachedDevices(current.target.ids, profile) : undefined
  const devices = (had ?? []).filter((device) => !has?.includes(device))
  return { userId: profile.userId, devices, isUnseen: former !== undefined && had !== undefined && has === undefined }
}
