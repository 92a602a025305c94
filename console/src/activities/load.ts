// Loads activities with all that their cards show.
import { allPages, api, unlessMissing } from '../api/client.ts'
import { pathName } from '../cards/activity/sharing.ts'
import type { ActivityView } from '../cards/activity/view.ts'

const ORDER = ['ongoing', 'preempted', 'ended']

// `path`: the collection of the API that they are in.
export async function loadActivities(path: string): Promise<ActivityView[]> {
  const items = await allPages<ActivityView>(`${path}?limit=100`, 'after')
  const activities = await Promise.all(items.map((activity) => withHistory(path, activity)))
  return activities.sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
}

// The list endpoint leaves out the history of timelines, so those are loaded one by one.
async function withHistory(path: string, activity: ActivityView): Promise<ActivityView> {
  if (activity.content.template !== 'timeline') return activity
  const whole = await unlessMissing(api.get<ActivityView>(`${path}/${pathName(activity)}`))
  return whole ?? activity
}
