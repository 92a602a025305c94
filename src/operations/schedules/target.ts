// Schedules of an organization. They keep the ids behind the names of their target: a renamed group stays the same group,
// and what was deleted since matches nobody.
import type { Target } from '../../contract/organizations/target.ts'
import type { Caller } from '../../domain/caller.ts'
import type { TargetIds } from '../../domain/ids.ts'
import { EVERYONE, narrowed } from '../../domain/organizations/target.ts'
import type { Schedule } from '../../domain/schedules/schedule.ts'
import type { Reader } from '../../store/engine/database.ts'
import { listGroups } from '../../store/organizations/groups.ts'
import { listTags } from '../../store/organizations/tags.ts'
import { limitOfKey, orgCallerOf, readGivenTarget } from '../targets.ts'

// The target of a new schedule, checked against what exists now; null for a schedule of a person.
export async function targetToKeep(
  db: Reader,
  caller: Caller,
  target: Target | null | undefined,
): Promise<TargetIds | null> {
  const organization = orgCallerOf(caller)
  return organization ? readGivenTarget(db, organization, target) : null
}

// The target when the schedule is sent, within the limit that its key has by then.
export async function targetWhenSent(db: Reader, { userId, keyId, targetIds }: Schedule): Promise<TargetIds> {
  return narrowed(targetIds ?? EVERYONE, await limitOfKey(db, userId, keyId))
}

// The schedules as they are shown: groups with their present names, deleted ones with their last.
export async function withPresentNames(db: Reader, caller: Caller, schedules: Schedule[]): Promise<Schedule[]> {
  const organization = orgCallerOf(caller)
  if (!organization) return schedules
  const groups = new Map((await listGroups(db, organization.userId)).map(({ id, name }) => [id, name]))
  const tags = new Map((await listTags(db, organization.userId)).map(({ id, name }) => [id, name]))
  return schedules.map((schedule) => {
    const { target } = schedule.input
    if (!target || !schedule.targetIds) return schedule
    const { groupIds, tagIds } = schedule.targetIds
    const named = {
      ...target,
      ...(target.groups && { groups: namesOf(target.groups, groupIds, groups) }),
      ...(target.tags && { tags: namesOf(target.tags, tagIds, tags) }),
    }
    return { ...schedule, input: { ...schedule.input, target: named } }
  })
}

function namesOf<Id>(last: string[], ids: Id[] | null, present: ReadonlyMap<Id, string>): string[] {
  return last.map((name, index) => {
    const id = ids?.[index]
    return (id === undefined ? undefined : present.get(id)) ?? name
  })
}
