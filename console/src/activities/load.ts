// Loads activities with all that their cards show.
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { allPages, api, unlessMissing } from '../api/client.ts'
import { pathName } from '../cards/activity/sharing.ts'
import type { ActivityView } from '../cards/activity/view.ts'

// `path`: the collection of the API that they are in.
export async function loadActivities(path: string): Promise<ActivityView[]> {
  const items = await allPages<ActivityView>(`${path}?limit=100`, 'after')
  const activities = await Promise.all(items.map((activity) => withHistory(path, activity)))
  return markForMembers(activities)
}

// Marks those that are of an organization, which the API does not tell apart from those that a person shares.
export async function markForMembers(activities: ActivityView[]): Promise<ActivityView[]> {
  if (!activities.some(({ kind }) => kind === 'shared')) return activities
  const { items } = await api.get<{ items: OrganizationView[] }>('/orgs')
  const orgIds = new Set<string | undefined>(items.map(({ id }) => id))
  return activities.map((activity) => (orgIds.has(activity.owner_id) ? { ...activity, isForMember: true } : activity))
}

// The list endpoint leaves out the history of timelines, so those are loaded one by one.
async function withHistory(path: string, activity: ActivityView): Promise<ActivityView> {
  if (activity.content.template !== 'timeline') return activity
  const whole = await unlessMissing(api.get<ActivityView>(`${path}/${pathName(activity)}`))
  return whole ?? activity
}
