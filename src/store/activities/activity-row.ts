// The row of an activity.
import type { Activity, ActivityId, ActivityState, Sound } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import { instant, instantOrNull } from '../../domain/instant.ts'
import type { ActivityTarget } from '../../domain/organizations/activity-target.ts'
import { fragment } from '../engine/sql.ts'

const NAMES = [
  'id',
  'user_id',
  'slug',
  'name',
  'state',
  'state_at',
  'run',
  'priority',
  'content',
  'ended_ttl_seconds',
  'stale_ttl_seconds',
  'dismissal_ttl_seconds',
  'ended_at',
  'delete_at',
  'alert_sound',
  'alert_version',
  'clock_at',
  'recorded',
  'target',
  'created_at',
  'updated_at',
] as const

export const COLUMNS = fragment(NAMES.join(', '))

export type ActivityRow = {
  id: ActivityId
  user_id: UserId
  slug: string
  name: string
  state: ActivityState
  state_at: number
  run: number
  priority: number
  content: string
  ended_ttl_seconds: number | null
  stale_ttl_seconds: number | null
  dismissal_ttl_seconds: number | null
  ended_at: number | null
  delete_at: number | null
  alert_sound: Sound | null
  alert_version: number | null
  clock_at: number | null
  recorded: number
  target: string | null
  created_at: number
  updated_at: number
}

export const toTarget = ({ target }: Pick<ActivityRow, 'target'>): ActivityTarget | null =>
  target === null ? null : JSON.parse(target)

export const toActivity = (row: ActivityRow): Activity => ({
  id: row.id,
  userId: row.user_id,
  slug: row.slug,
  name: row.name,
  state: row.state,
  stateAt: instant(row.state_at),
  startCount: row.run,
  priority: row.priority,
  content: JSON.parse(row.content),
  endedTtlSeconds: row.ended_ttl_seconds,
  staleTtlSeconds: row.stale_ttl_seconds,
  dismissalTtlSeconds: row.dismissal_ttl_seconds,
  endedAt: instantOrNull(row.ended_at),
  deleteAt: instantOrNull(row.delete_at),
  createdAt: instant(row.created_at),
  updatedAt: instant(row.updated_at),
  alert:
    row.alert_sound === null || row.alert_version === null
      ? null
      : { sound: row.alert_sound, version: instant(row.alert_version) },
  tickAt: instantOrNull(row.clock_at),
  recordCount: row.recorded,
  target: toTarget(row),
})
