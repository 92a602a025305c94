// The sections of the list of activities, and what starting one would set aside.
import type { ActivityView } from '../cards/activity/view.ts'

// The server's limit of ongoing activities.
export const MAX_ONGOING = 5

export const SECTIONS = ['ongoing', 'preempted', 'ended'] as const
export type Section = (typeof SECTIONS)[number]

// `answered`: ids of activities that keep their place among the ongoing ones.
export function sectionOf({ id, state }: Pick<ActivityView, 'id' | 'state'>, answered: ReadonlySet<string>): Section {
  return answered.has(id) ? 'ongoing' : state
}

type Owned = Pick<ActivityView, 'kind' | 'state' | 'priority' | 'updated_at' | 'name'>

export const ownOngoing = <Activity extends Owned>(activities: Activity[]): Activity[] =>
  activities.filter(({ kind, state }) => kind !== 'shared' && state === 'ongoing')

// The activity that the server sets aside for another one: the lowest priority, then the oldest change.
export function setAsideBy<Activity extends Owned>(activities: Activity[]): Activity | undefined {
  const ongoing = ownOngoing(activities)
  if (ongoing.length < MAX_ONGOING) return undefined
  return ongoing.toSorted((a, b) => a.priority - b.priority || Date.parse(a.updated_at) - Date.parse(b.updated_at))[0]
}
