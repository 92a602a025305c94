// An activity as clients see it, in responses and in the event stream.
import type { ActivityView } from '../contract/activity.ts'
import type { Activity } from '../domain/activities/activity.ts'
import { toRfc3339 } from '../domain/instant.ts'

export function activityView(activity: Activity): ActivityView {
  return {
    kind: 'owned',
    id: activity.id,
    slug: activity.slug,
    name: activity.name,
    state: activity.state,
    priority: activity.priority,
    content: activity.content,
    ended_ttl: activity.endedTtlSeconds ?? undefined,
    stale_ttl: activity.staleTtlSeconds ?? undefined,
    dismissal_ttl: activity.dismissalTtlSeconds ?? undefined,
    delete_at: activity.deleteAt === null ? undefined : toRfc3339(activity.deleteAt),
    ended_at: activity.endedAt === null ? undefined : toRfc3339(activity.endedAt),
    created_at: toRfc3339(activity.createdAt),
    updated_at: toRfc3339(activity.updatedAt),
  }
}
