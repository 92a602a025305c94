// An activity as clients see it, in responses and in the event stream.
import type { ActivityView } from '../contract/activities.ts'
import { toRfc3339 } from '../domain/instant.ts'
import type { SeenActivity, Standing } from '../domain/shares/standing.ts'

export function activityView({ activity, standing }: SeenActivity): ActivityView {
  return {
    kind: standing.kind,
    id: activity.id,
    slug: activity.slug,
    ...standingView(standing),
    target: standing.kind === 'owned' ? (activity.target?.names ?? undefined) : undefined,
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

function standingView(
  standing: Standing,
): Pick<ActivityView, 'share_role' | 'owner_id' | 'owner_nickname' | 'share_count'> {
  if (standing.kind === 'owned') return { share_count: standing.shareCount || undefined }
  const { role, owner } = standing
  return { share_role: role, owner_id: owner.userId, owner_nickname: owner.nickname ?? undefined }
}
