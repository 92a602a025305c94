// Organizations in the console: whom a form reaches, what roles may do, tags of devices, and refusals as sentences.
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../console/src/api/client.ts'
import { parseTags, withTag } from '../../console/src/devices/device-form.tsx'
import { matches, NO_FILTER, toQuery } from '../../console/src/inbox/filter.ts'
import { orgRefusal } from '../../console/src/organizations/refusal-words.ts'
import { mayManage, mayRemove } from '../../console/src/organizations/roles.ts'
import {
  EVERYONE,
  fromKeyTarget,
  keyReachInWords,
  targetInWords,
  toKeyTarget,
  toTarget,
} from '../../console/src/organizations/target.ts'
import { ORG_TEXTS } from '../../console/src/texts/organizations.ts'
import { ORG_ROLES } from '../../src/contract/organizations/organization.ts'

describe('a target', () => {
  test('is left out when nothing is chosen, and has no empty list', () => {
    expect(toTarget(EVERYONE)).toBeUndefined()
    expect(toTarget({ ...EVERYONE, tags: ['wall'] })).toEqual({ tags: ['wall'] })
    expect(toKeyTarget(EVERYONE)).toBeUndefined()
    expect(toKeyTarget({ ...EVERYONE, members: ['u1'] })).toEqual({ member_ids: ['u1'] })
  })

  test('of a key is edited as it was', () => {
    const target = { group_ids: ['g1'], tag_ids: ['t1'] }
    expect(toKeyTarget(fromKeyTarget(target))).toEqual(target)
  })

  test.each([
    [undefined, 'everyone'],
    [{ groups: ['ops', 'sre'] }, 'ops, sre'],
    [{ groups: ['ops'], tags: ['wall'], members: ['u1'] }, 'ops · devices tagged wall · 1 member'],
    [{ groups: null, tags: ['wall'] }, 'devices tagged wall'],
  ])('%j is "%s"', (target, words) => {
    expect(targetInWords(target)).toBe(words)
  })

  test('of a key has the present names; what was deleted never reads as everyone', () => {
    const groups = [{ id: 'g1', name: 'ops' }]
    expect(keyReachInWords(undefined, groups, [])).toBe('Reaches the whole organization')
    expect(keyReachInWords({ group_ids: ['g1', 'g2'] }, groups, [])).toBe('Reaches only ops, a deleted group')
    expect(keyReachInWords({ tag_ids: ['t1'] }, groups, [])).toBe('Reaches only devices tagged a deleted tag')
  })
})

describe('roles', () => {
  test('owners and admins manage; owners remove everyone, admins members, members nobody', () => {
    expect(ORG_ROLES.filter(mayManage)).toEqual(['admin', 'owner'])
    expect(ORG_ROLES.map((role) => ORG_ROLES.filter((other) => mayRemove(role, other)))).toEqual([
      [],
      ['member'],
      ['member', 'admin', 'owner'],
    ])
  })
})

describe('the reach of a notification', () => {
  test.each([
    [{ members: 12, devices: 17, stored: 12, done: true }, 'to 12 members on 17 devices, 12 stored'],
    [{ members: 500, devices: 1, stored: 100, done: false }, 'to 500 members on 1 device, 100 stored so far'],
    [{ members: 0, devices: 0, stored: 0, done: true }, 'reached nobody'],
  ])('%j is "%s"', (recipients, words) => {
    expect(ORG_TEXTS.sent.reach(recipients)).toBe(words)
  })
})

describe('the tags of a device', () => {
  test('are separated by commas, trimmed and distinct; a name may contain spaces', () => {
    expect(parseTags(' wall, first floor,,wall ')).toEqual(['wall', 'first floor'])
    expect(withTag('', 'wall')).toBe('wall')
    expect(withTag('kitchen, ', 'wall')).toBe('kitchen, wall')
  })
})

describe('the filter by organization', () => {
  test('is sent to the server and applied to what arrives', () => {
    const filter = { ...NO_FILTER, orgId: 'o1' }
    const entry = { id: 1, title: 'T', body: 'B', level: 'active', pushed: true, created_at: '', org_id: 'o1' } as const
    expect(toQuery(filter)).toBe('?org_id=o1')
    expect(
      [entry, { ...entry, org_id: 'o2' }, { ...entry, org_id: undefined }].map((one) => matches(filter, one)),
    ).toEqual([true, false, false])
  })
})

describe('a refusal', () => {
  const refused = (code: string, body?: object) => new ApiError(409, code, 'detail of the server', body)

  test('says what to do', () => {
    expect(orgRefusal(refused('org.last_owner'))).toContain('Make another member an owner first')
    expect(orgRefusal(refused('org.code_invalid'))).toContain('Ask for a new one.')
    expect(orgRefusal(refused('internal.error'))).toBe('detail of the server')
  })

  test.each(Object.keys(ORG_TEXTS.limits))('for the limit of %s names the number', (kind) => {
    expect(orgRefusal(refused('org.limit_exceeded', { kind, limit: 20 }))).toContain('20')
  })
})
