// What a share or a share code is about, as columns: one activity, or the prefix of slugs.
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { SharedSubject } from '../../domain/shares/share.ts'

// `slug`: of the activity. Deleting the activity deletes the row, so it is there.
export type SubjectRow = { activity_id: ActivityId | null; slug_prefix: string | null; slug: string | null }

export function toSubject({ activity_id, slug_prefix, slug }: SubjectRow): SharedSubject {
  return activity_id === null
    ? { kind: 'pattern', slugPrefix: slug_prefix ?? '' }
    : { kind: 'activity', activityId: activity_id, slug: slug ?? '' }
}

export function subjectColumns(subject: SharedSubject): { activityId: string | null; slugPrefix: string | null } {
  return subject.kind === 'activity'
    ? { activityId: subject.activityId, slugPrefix: null }
    : { activityId: null, slugPrefix: subject.slugPrefix }
}
