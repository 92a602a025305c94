// Who is reached by a target within the limit of a key, and which targets are refused.
import { describe, expect, test } from 'vitest'
import type { Target } from '../../../src/contract/organizations/target.ts'
import { Problem } from '../../../src/contract/problems.ts'
import type { UserId } from '../../../src/domain/caller.ts'
import type { DeviceId } from '../../../src/domain/devices.ts'
import type { GroupId, TagId, TargetIds } from '../../../src/domain/ids.ts'
import { isInside, openInside, openTaken, openUsable, targeted } from '../../../src/domain/organizations/limit.ts'
import {
  EVERYONE,
  reachedDevices,
  resolveTarget,
  type TargetDirectory,
  type TargetedMember,
} from '../../../src/domain/organizations/target.ts'

const group = (name: string) => `group-${name}` as GroupId
const tag = (name: string) => `tag-${name}` as TagId
const user = (name: string) => name as UserId

type Lists = { groups?: string[]; tags?: string[]; members?: string[] }

const limit = ({ groups, tags, members }: Lists): TargetIds => ({
  groupIds: groups?.map(group) ?? null,
  tagIds: tags?.map(tag) ?? null,
  memberIds: members?.map(user) ?? null,
})

const member = (name: string, groups: string[], devices: Record<string, string[]>): TargetedMember => ({
  userId: user(name),
  groupIds: groups.map(group),
  devices: Object.entries(devices).map(([id, tags]) => ({ id: id as DeviceId, tagIds: tags.map(tag) })),
})

const MEMBERS = [
  member('u1', ['ops'], { 'u1-phone': [], 'u1-wall': ['wall'] }),
  member('u2', ['ops', 'sre'], { 'u2-phone': ['floor'] }),
  member('u3', ['sre'], { 'u3-wall': ['wall'], 'u3-phone': [] }),
  member('u4', [], {}),
]

const DIRECTORY: TargetDirectory = {
  groups: ['ops', 'sre', 'empty'].map((name) => ({ id: group(name), name })),
  tags: ['wall', 'floor'].map((name) => ({ id: tag(name), name })),
  members: MEMBERS,
}

// The devices of each member who is reached.
function reach(target: Target | null | undefined, keyLimit: Lists | undefined): Record<string, string[]> {
  const ids = resolveTarget(target, keyLimit ? limit(keyLimit) : null, DIRECTORY)
  const reached = MEMBERS.map((one) => [one.userId, reachedDevices(ids, one)] as const)
  return Object.fromEntries(reached.filter(([, devices]) => devices !== undefined)) as Record<string, string[]>
}

const U1 = { u1: ['u1-phone', 'u1-wall'] }
const U2 = { u2: ['u2-phone'] }
const U3 = { u3: ['u3-wall', 'u3-phone'] }
const ON_WALL = { u1: ['u1-wall'], u3: ['u3-wall'] }

describe('who is reached', () => {
  test.each<[target: Target | null | undefined, limit: Lists | undefined, reached: object]>([
    [undefined, undefined, { ...U1, ...U2, ...U3, u4: [] }],
    [null, undefined, { ...U1, ...U2, ...U3, u4: [] }],
    [{ groups: ['ops', 'sre'] }, undefined, { ...U1, ...U2, ...U3 }],
    [{ groups: ['ops'], members: ['u1', 'u2', 'u3'] }, undefined, { ...U1, ...U2 }],
    [{ groups: ['ops'], members: ['u3', 'u2'] }, undefined, U2],
    [{ tags: ['wall'] }, undefined, ON_WALL],
    [{ tags: ['wall', 'floor'] }, undefined, { ...ON_WALL, ...U2 }],
    [{ groups: ['ops'], tags: ['wall'] }, undefined, { u1: ['u1-wall'] }],
    [undefined, { groups: ['ops'] }, { ...U1, ...U2 }],
    [{ tags: ['wall'] }, { groups: ['ops'] }, { u1: ['u1-wall'] }],
    [{ groups: ['ops'] }, { groups: ['ops', 'sre'], tags: ['wall'] }, { u1: ['u1-wall'] }],
    [{ members: ['u1'] }, { groups: ['ops'] }, U1],
    [{ members: ['u1'] }, { members: ['u1', 'u2'] }, U1],
    // A list that is null counts as not given; entries that occur twice count once.
    [{ groups: ['ops'], tags: null }, undefined, { ...U1, ...U2 }],
    [{ members: ['u1', 'u1'] }, undefined, U1],
    // Nobody is reached, which is no error.
    [{ groups: ['empty'] }, undefined, {}],
    [{ groups: ['sre'], tags: ['floor'], members: ['u3'] }, undefined, {}],
    // A group in the limit that was deleted matches nobody, and never widens.
    [undefined, { groups: ['deleted'] }, {}],
  ])('%j within %j', (target, keyLimit, reached) => {
    expect(reach(target, keyLimit)).toEqual(reached)
  })
})

function refusal(target: Target, keyLimit?: Lists): string {
  try {
    reach(target, keyLimit)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const places = (error.members.errors ?? []).map(({ location }) => location)
    return [error.code, ...places].join(' ')
  }
  return 'accepted'
}

describe('org.target_invalid: an empty list never means everyone', () => {
  test.each<Target>([
    {},
    { groups: null },
    { groups: [] },
    { groups: ['ops'], tags: [] },
    { groups: [''] },
    { groups: ['  '] },
    { members: ['x'.repeat(65)] },
  ])('%j', (target) => {
    expect(refusal(target)).toBe('org.target_invalid')
  })
})

describe('integration_key.target_denied', () => {
  test.each<[Target, Lists]>([
    [{ groups: ['sre'] }, { groups: ['ops'] }],
    [{ groups: ['ops', 'sre'] }, { groups: ['ops'] }],
    [{ tags: ['floor'] }, { tags: ['wall'] }],
    [{ members: ['u3'] }, { members: ['u1'] }],
    [{ members: ['u3'] }, { groups: ['ops'] }],
    [{ groups: ['sre'] }, { groups: ['deleted'] }],
  ])('%j within %j', (target, keyLimit) => {
    expect(refusal(target, keyLimit)).toBe('integration_key.target_denied')
  })

  test.each<[Target, Lists]>([
    [{ tags: ['nope'] }, { tags: ['wall'] }],
    [{ members: ['stranger'] }, { groups: ['ops'] }],
  ])('a name that does not exist is refused in the same way: %j within %j', (target, keyLimit) => {
    expect(refusal(target, keyLimit)).toBe('integration_key.target_denied')
  })

  test('a list that the limit does not have is free', () => {
    expect(refusal({ groups: ['ops'] }, { tags: ['wall'] })).toBe('accepted')
  })
})

describe('org.target_unknown names each entry that does not exist', () => {
  test.each<[Target, string]>([
    [{ groups: ['ops', 'nope'] }, 'body.target.groups[1]'],
    [{ members: ['stranger'], tags: ['nope'] }, 'body.target.tags[0] body.target.members[0]'],
  ])('%j', (target, places) => {
    expect(refusal(target)).toBe(`org.target_unknown ${places}`)
  })
})

describe('refusals come in the order invalid, denied, unknown', () => {
  test.each<[Target, Lists | undefined, string]>([
    [{ groups: ['nope'], tags: [] }, { groups: ['ops'] }, 'org.target_invalid'],
    [{ groups: ['nope'] }, { groups: ['ops'] }, 'integration_key.target_denied'],
    [{ groups: ['nope'] }, { tags: ['wall'] }, 'org.target_unknown body.target.groups[0]'],
  ])('%j within %j', (target, keyLimit, expected) => {
    expect(refusal(target, keyLimit)).toBe(expected)
  })
})

describe('what a limited key sees of stored targets', () => {
  test.each<[Lists, Lists, boolean]>([
    [{ groups: ['ops'] }, { groups: ['ops'] }, true],
    [{ groups: ['ops'], tags: ['wall'] }, { groups: ['ops', 'sre'] }, true],
    [{ groups: ['ops', 'sre'] }, { groups: ['ops'] }, false],
    // Narrow by another list is not inside: it has no entry for the list of the limit.
    [{ members: ['u1'] }, { groups: ['ops'] }, false],
    [{}, { groups: ['ops'] }, false],
  ])('%j within %j: %s', (target, keyLimit, isSeen) => {
    expect(isInside(limit(keyLimit), { targets: [limit(target)] })).toBe(isSeen)
  })

  test('a key without a limit sees everything', () => {
    expect(isInside(null, { targets: [EVERYONE] })).toBe(true)
  })

  test('something with several targets is inside only if all of them are', () => {
    const [inside, outside] = [limit({ groups: ['ops'] }), limit({ groups: ['sre'] })]
    expect(isInside(inside, { targets: [inside, inside] })).toBe(true)
    expect(isInside(inside, { targets: [inside, outside] })).toBe(false)
  })

  test('something without a target may be used and not seen as its own; its slug is taken', () => {
    const common = targeted('row', [])
    const ops = limit({ groups: ['ops'] })
    expect([openInside(ops, common), openUsable(ops, common)]).toEqual([undefined, 'row'])
    expect(() => openTaken(ops, common, 'slug')).toThrow(Problem)
    expect([openInside(null, common), openTaken(null, common, 'slug')]).toEqual(['row', 'row'])
  })
})
