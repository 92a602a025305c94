// The limit of an organization's key: the ids of groups, tags and members that everything it sends must be inside.
import type { KeyTargetInput } from '../../contract/organizations/target.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import type { UserId } from '../caller.ts'
import type { GroupId, TagId, TargetIds } from '../ids.ts'
import { targetUnknown, unknownEntry } from './target.ts'

// An empty list counts as not given. The ids are checked by requireKnownIds.
export function readKeyTarget({ group_ids, tag_ids, member_ids }: KeyTargetInput): TargetIds {
  const target = {
    groupIds: idsOf<GroupId>(group_ids),
    tagIds: idsOf<TagId>(tag_ids),
    memberIds: idsOf<UserId>(member_ids),
  }
  if (target.groupIds || target.tagIds || target.memberIds) return target
  throw new Problem(
    'org.target_invalid',
    'body.target must have at least one group, tag or member; null lifts the limit.',
  )
}

const idsOf = <Id extends string>(ids: string[] | undefined): Id[] | null =>
  ids && ids.length > 0 ? ([...new Set(ids)] as Id[]) : null

export function requireKnownIds(target: TargetIds, known: Record<keyof TargetIds, ReadonlySet<string>>): void {
  const unknown = (list: keyof TargetIds, member: string) =>
    (target[list] ?? []).flatMap((id, index): Violation[] =>
      known[list].has(id) ? [] : [unknownEntry(`body.target.${member}[${index}]`, id)],
    )
  const errors = [
    ...unknown('groupIds', 'group_ids'),
    ...unknown('tagIds', 'tag_ids'),
    ...unknown('memberIds', 'member_ids'),
  ]
  if (errors.length > 0) throw targetUnknown(errors)
}
