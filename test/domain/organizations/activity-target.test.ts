// The target of an activity as clients see it, and which devices of a member show the activity.
import { expect, test } from 'vitest'
import type { UserId } from '../../../src/domain/caller.ts'
import type { DeviceId } from '../../../src/domain/devices.ts'
import type { GroupId, OrgId, TagId } from '../../../src/domain/ids.ts'
import { fromRfc3339, plusSeconds } from '../../../src/domain/instant.ts'
import {
  type MemberProfile,
  namedTarget,
  showingDevices,
  withGroupName,
} from '../../../src/domain/organizations/activity-target.ts'
import { EVERYONE } from '../../../src/domain/organizations/target.ts'

const NOW = fromRfc3339('2026-11-15T08:00:00Z')
const [ops, sre, gone] = ['id-ops', 'id-sre', 'id-gone'] as [GroupId, GroupId, GroupId]
const wall = 'id-wall' as TagId
const ann = 'ann' as UserId
const DIRECTORY = {
  groups: [
    { id: ops, name: 'ops' },
    { id: sre, name: 'sre' },
  ],
  tags: [{ id: wall, name: 'wall' }],
}

test('the names are in the order of the ids; a list that does not restrict is left out', () => {
  const ids = { groupIds: [sre, ops], tagIds: [wall], memberIds: null }
  expect(namedTarget(ids, DIRECTORY)).toEqual({ ids, names: { groups: ['sre', 'ops'], tags: ['wall'] } })
  expect(namedTarget({ ...EVERYONE, memberIds: [ann] }, DIRECTORY).names).toEqual({ members: [ann] })
  expect(namedTarget(EVERYONE, DIRECTORY).names).toBeNull()
})

test('of a deleted group in the limit of a key, the id is left', () => {
  expect(namedTarget({ ...EVERYONE, groupIds: [gone, ops] }, DIRECTORY).names).toEqual({ groups: [gone, 'ops'] })
})

test('renaming a group changes its name and nothing else', () => {
  const target = namedTarget({ ...EVERYONE, groupIds: [ops, sre] }, DIRECTORY)
  expect(withGroupName(target, sre, 'first-line')?.names).toEqual({ groups: ['ops', 'first-line'] })
  expect(withGroupName(target, gone, 'x')).toBeUndefined()
  expect(withGroupName(namedTarget(EVERYONE, DIRECTORY), ops, 'x')).toBeUndefined()
})

test('a muted member sees the activity and shows it nowhere, until the mute ends', () => {
  const devices = [{ id: 'phone' as DeviceId, tagIds: [] }]
  const profile: MemberProfile = {
    orgId: 'org' as OrgId,
    userId: ann,
    role: 'member',
    groupIds: [ops],
    devices,
    mutedUntil: plusSeconds(NOW, 60),
  }
  expect(showingDevices(EVERYONE, profile, NOW)).toEqual([])
  expect(showingDevices(EVERYONE, profile, plusSeconds(NOW, 60))).toEqual(['phone'])
  expect(showingDevices({ ...EVERYONE, groupIds: [sre] }, profile, NOW)).toBeUndefined()
})
