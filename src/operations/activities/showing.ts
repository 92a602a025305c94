// Whether a device may show an activity: the last look before a push.
import { type Activity, isOfOrganization } from '../../domain/activities/activity.ts'
import type { Instant } from '../../domain/instant.ts'
import { showingDevices } from '../../domain/organizations/activity-target.ts'
import type { Reader } from '../../store/engine/database.ts'
import { listProfiles } from '../../store/organizations/profiles.ts'
import { findStanding } from '../../store/shares/shared-activities.ts'
import type { AudienceDevice } from './audience.ts'

// `mayAnswer`: the person may answer an approval.
export type Showing = { mayAnswer: boolean }

// Undefined if the device must not show it (any more).
export async function findShowing(
  db: Reader,
  activity: Activity,
  { userId, deviceId }: AudienceDevice,
  now: Instant,
): Promise<Showing | undefined> {
  if (isOfOrganization(activity)) {
    const [profile] = await listProfiles(db, activity.userId, [userId])
    const devices = profile && showingDevices(activity.target.ids, profile, now)
    // An approval of an organization is addressed to everyone whom it reaches.
    return devices?.includes(deviceId) ? { mayAnswer: true } : undefined
  }
  if (userId === activity.userId) return { mayAnswer: true }
  const standing = await findStanding(db, userId, activity.id)
  return standing && { mayAnswer: standing.role === 'editor' }
}
