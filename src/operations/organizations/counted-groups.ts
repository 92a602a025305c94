// Groups with the number of their members.
import type { Group } from '../../domain/organizations/organization.ts'
import type { Reader } from '../../store/engine/database.ts'
import { countGroupMembers } from '../../store/organizations/groups.ts'

export type CountedGroup = { group: Group; memberCount: number }

export async function withCounts(db: Reader, groups: Group[]): Promise<CountedGroup[]> {
  const counts = await countGroupMembers(
    db,
    groups.map(({ id }) => id),
  )
  return groups.map((group) => ({ group, memberCount: counts.get(group.id) ?? 0 }))
}

export const withCount = async (db: Reader, group: Group): Promise<CountedGroup> =>
  (await withCounts(db, [group]))[0] as CountedGroup
