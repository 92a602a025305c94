// Whom a notification or a key reaches: as chosen in a form, for the API, and in words.
import type { KeyTargetInput, Target } from '../../../src/contract/organizations/target.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'

// Names of groups and tags in a notification, ids in a key. An empty list does not restrict.
export type TargetDraft = { groups: string[]; tags: string[]; members: string[] }

export const EVERYONE: TargetDraft = { groups: [], tags: [], members: [] }

const isEveryone = ({ groups, tags, members }: TargetDraft): boolean =>
  groups.length + tags.length + members.length === 0

// Undefined: everyone. The server refuses empty lists, because an empty list must never mean everyone.
export function toTarget(draft: TargetDraft): Target | undefined {
  if (isEveryone(draft)) return undefined
  const { groups, tags, members } = draft
  return {
    ...(groups.length > 0 && { groups }),
    ...(tags.length > 0 && { tags }),
    ...(members.length > 0 && { members }),
  }
}

export const fromTarget = ({ groups, tags, members }: Target): TargetDraft => ({
  groups: groups ?? [],
  tags: tags ?? [],
  members: members ?? [],
})

export function toKeyTarget(draft: TargetDraft): KeyTargetInput | undefined {
  if (isEveryone(draft)) return undefined
  const { groups, tags, members } = draft
  return {
    ...(groups.length > 0 && { group_ids: groups }),
    ...(tags.length > 0 && { tag_ids: tags }),
    ...(members.length > 0 && { member_ids: members }),
  }
}

export const fromKeyTarget = ({ group_ids = [], tag_ids = [], member_ids = [] }: KeyTargetInput): TargetDraft => ({
  groups: group_ids,
  tags: tag_ids,
  members: member_ids,
})

const { target: words } = ORG_TEXTS

export function targetInWords(target: Target | undefined): string {
  const { groups, tags, members } = target ?? {}
  const parts = [
    groups && groups.length > 0 && groups.join(', '),
    tags && tags.length > 0 && words.tagged(tags.join(', ')),
    members && members.length > 0 && words.chosenMembers(members.length),
  ]
  return parts.filter(Boolean).join(' · ') || words.everyone
}

type Named = { id: string; name: string }

export function keyReachInWords(target: KeyTargetInput | undefined, groups: Named[], tags: Named[]): string {
  if (!target) return words.wholeOrganization
  const ids = fromKeyTarget(target)
  return words.only(
    targetInWords({
      groups: namesOf(ids.groups, groups, words.deletedGroup),
      tags: namesOf(ids.tags, tags, words.deletedTag),
      members: ids.members,
    }),
  )
}

// The limit of a key keeps the ids of what was deleted.
const namesOf = (ids: string[], all: Named[], deleted: string): string[] =>
  ids.map((id) => all.find((one) => one.id === id)?.name ?? deleted)
