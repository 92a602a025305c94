// Who is reached by a target within the limit of a key. Pure: the names, members and devices arrive as values.
//
// A list that is given restricts: a member must be in one of its entries. Across lists all must hold. A list that is not
// given is taken from the limit of the key; one that neither has does not restrict. Nothing that is missing, empty or
// deleted ever widens a target.
import { LIMITS } from '../../contract/limits.ts'
import type { Target } from '../../contract/organizations/target.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import { excerpt } from '../../contract/validation.ts'
import type { UserId } from '../caller.ts'
import type { DeviceId } from '../devices.ts'
import type { GroupId, TagId, TargetIds } from '../ids.ts'
import { targetDenied } from './limit.ts'
import type { Group, Tag } from './organization.ts'

export const EVERYONE: TargetIds = { groupIds: null, tagIds: null, memberIds: null }

// What the names of a target mean now. `members`: those of the target's members who are members of the organization.
export type TargetDirectory = {
  groups: Pick<Group, 'id' | 'name'>[]
  tags: Pick<Tag, 'id' | 'name'>[]
  members: { userId: UserId; groupIds: GroupId[] }[]
}

// The effective target of a request. Refusals in this order: invalid, outside the limit, unknown. `location`: where the
// request has the target.
export function resolveTarget(
  target: Target | null | undefined,
  limit: TargetIds | null,
  directory: TargetDirectory,
  location = 'body.target',
): TargetIds {
  const given = target ? readLists(target, location) : {}
  const found = findIds(given, directory)
  if (limit) requireInside(found, limit, directory)
  requireKnown(given, found, location)
  return withinLimit(found, limit)
}

type GivenLists = { [List in keyof Target]: string[] }
// In the order of the given names; undefined for a name that does not exist.
type FoundLists = {
  groups?: (GroupId | undefined)[] | undefined
  tags?: (TagId | undefined)[] | undefined
  members?: (UserId | undefined)[] | undefined
}

const LISTS = ['groups', 'tags', 'members'] as const

// A list that is null counts as not given. An empty one is refused: a broken template must not reach everyone.
function readLists(target: Target, location: string): GivenLists {
  const given = LISTS.filter((list) => target[list])
  if (given.length === 0)
    throw targetInvalid(`${location} must have groups, tags or members; leave it out for everyone.`)
  return Object.fromEntries(given.map((list) => [list, readList(`${location}.${list}`, target[list] ?? [])]))
}

function readList(location: string, entries: string[]): string[] {
  if (entries.length === 0) throw targetInvalid(`${location} must not be empty.`)
  const bad = entries.findIndex((entry) => entry.trim() === '' || [...entry].length > LIMITS.organization.maxNameChars)
  if (bad === -1) return entries
  throw targetInvalid(`${location}[${bad}] must have 1 to ${LIMITS.organization.maxNameChars} characters.`)
}

const targetInvalid = (detail: string) => new Problem('org.target_invalid', detail)

function findIds(given: GivenLists, { groups, tags, members }: TargetDirectory): FoundLists {
  return {
    groups: given.groups?.map((name) => groups.find((group) => group.name === name)?.id),
    tags: given.tags?.map((name) => tags.find((tag) => tag.name === name)?.id),
    members: given.members?.map((id) => members.find(({ userId }) => userId === id)?.userId),
  }
}

// Judged by the entries, not by who happens to be in them; a key that is limited learns nothing about other names. A member
// must also be in one of the groups of the limit.
function requireInside(found: FoundLists, limit: TargetIds, { members }: TargetDirectory): void {
  const groupsOf = new Map(members.map(({ userId, groupIds }) => [userId, groupIds]))
  const isInGroups = (userId: UserId | undefined) =>
    limit.groupIds === null || (userId !== undefined && intersects(groupsOf.get(userId) ?? [], limit.groupIds))
  if (
    isSubset(found.groups, limit.groupIds) &&
    isSubset(found.tags, limit.tagIds) &&
    isSubset(found.members, limit.memberIds) &&
    (found.members ?? []).every(isInGroups)
  ) {
    return
  }
  throw targetDenied('The target names groups, tags or members outside those that this key is limited to.')
}

function isSubset<Id>(entries: (Id | undefined)[] | undefined, allowed: Id[] | null): boolean {
  if (!entries || allowed === null) return true
  return entries.every((entry) => entry !== undefined && allowed.includes(entry))
}

function requireKnown(given: GivenLists, found: FoundLists, location: string): void {
  const errors = LISTS.flatMap((list) =>
    (found[list] ?? []).flatMap((id, index): Violation[] =>
      id === undefined ? [unknownEntry(`${location}.${list}[${index}]`, given[list]?.[index] ?? '')] : [],
    ),
  )
  if (errors.length > 0) throw targetUnknown(errors)
}

export const unknownEntry = (location: string, value: string): Violation => ({
  location,
  message: 'must be in the organization',
  value: excerpt(value),
})

export const targetUnknown = (errors: Violation[]) =>
  new Problem('org.target_unknown', 'The organization has no such group, tag or member; see errors.', { errors })

function withinLimit({ groups, tags, members }: FoundLists, limit: TargetIds | null): TargetIds {
  const { groupIds, tagIds, memberIds } = limit ?? EVERYONE
  return {
    groupIds: groups ? known(groups) : groupIds,
    tagIds: tags ? known(tags) : tagIds,
    memberIds: members ? known(members) : memberIds,
  }
}

// Narrows a stored target to the limit that the key has now. An entry outside the limit matches nobody, so the result never
// reaches more members than the target.
export function narrowed(target: TargetIds, limit: TargetIds | null): TargetIds {
  if (!limit) return target
  return {
    groupIds: inBoth(target.groupIds, limit.groupIds),
    tagIds: inBoth(target.tagIds, limit.tagIds),
    memberIds: inBoth(target.memberIds, limit.memberIds),
  }
}

function inBoth<Id>(given: Id[] | null, allowed: Id[] | null): Id[] | null {
  if (given === null || allowed === null) return given ?? allowed
  return given.filter((id) => allowed.includes(id))
}

const known = <Id>(ids: (Id | undefined)[]): Id[] => [...new Set(ids.filter((id) => id !== undefined))]

// A member with the devices that carry a tag of the organization, or any.
export type TargetedMember = {
  userId: UserId
  groupIds: GroupId[]
  devices: { id: DeviceId; tagIds: TagId[] }[]
}

// The devices of the member that are pushed to, or undefined if the member is not reached. Without tags a member is
// reached even if they have no device.
export function reachedDevices(
  target: TargetIds,
  { userId, groupIds, devices }: TargetedMember,
): DeviceId[] | undefined {
  if (target.groupIds && !intersects(groupIds, target.groupIds)) return undefined
  if (target.memberIds && !target.memberIds.includes(userId)) return undefined
  const { tagIds } = target
  if (!tagIds) return devices.map(({ id }) => id)
  const tagged = devices.filter((device) => intersects(device.tagIds, tagIds)).map(({ id }) => id)
  return tagged.length > 0 ? tagged : undefined
}

const intersects = <Id>(some: Id[], others: Id[]): boolean => some.some((id) => others.includes(id))
