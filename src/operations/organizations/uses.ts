// What names a group or a tag of an organization, and so keeps it from being deleted unless that is forced.
import { Problem } from '../../contract/problems.ts'
import type { GroupId, OrgId, TagId, TargetIds } from '../../domain/ids.ts'
import { listActivitySizes } from '../../store/activities/activities.ts'
import type { Reader } from '../../store/engine/database.ts'
import { listEscalations } from '../../store/escalations.ts'
import { listHeartbeatTargets } from '../../store/heartbeats/heartbeats.ts'
import { listKeys } from '../../store/keys.ts'
import { listPendingTargets } from '../../store/schedules.ts'

type Named = { groupId: GroupId } | { tagId: TagId }

export async function requireUnused(db: Reader, orgId: OrgId, named: Named): Promise<void> {
  const keys = (await listKeys(db, orgId)).filter(({ target }) => target && isNamed(target, named)).length
  const schedules = (await listPendingTargets(db, orgId)).filter((target) => isNamed(target, named)).length
  const activities = (await listActivitySizes(db, orgId)).filter(
    ({ state, target }) => state !== 'ended' && target && isNamed(target.ids, named),
  ).length
  const heartbeats = (await listHeartbeatTargets(db, orgId)).filter((target) => isNamed(target, named)).length
  const escalations = (await listEscalations(db, orgId)).filter(({ targets }) =>
    targets.some((target) => isNamed(target, named)),
  ).length
  const usedBy = { keys, schedules, activities, heartbeats, escalations }
  const total = keys + schedules + activities + heartbeats + escalations
  if (total === 0) return
  throw new Problem(
    'org.in_use',
    'Keys, schedules, activities, heartbeats or escalations name it; delete it with ?force=true all the same.',
    { used_by: usedBy },
  )
}

const isNamed = ({ groupIds, tagIds }: TargetIds, named: Named): boolean =>
  'groupId' in named ? (groupIds ?? []).includes(named.groupId) : (tagIds ?? []).includes(named.tagId)
