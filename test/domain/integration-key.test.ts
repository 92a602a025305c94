// The grant of a key, from either of the two forms in which a client can express it.
import { describe, expect, test } from 'vitest'
import type { KeyInput, KeyPatch } from '../../src/contract/keys/keys.ts'
import { Problem } from '../../src/contract/problems.ts'
import { fromRfc3339 } from '../../src/domain/instant.ts'
import { changedGrant, type Grant, newGrant } from '../../src/domain/keys.ts'

const NOW = fromRfc3339('2026-11-15T08:00:00Z')
const NOTHING = { activities: 'none', notifications: 'none', widgets: 'none', emails: 'none' }
const grant = (input: Omit<KeyInput, 'name'> = {}) => newGrant({ name: 'n', ...input }, NOW)
const current: Grant = {
  permissions: { activities: 'update', notifications: 'send', widgets: 'read', emails: 'none' },
  activitySlugs: ['deploy'],
  widgetSlugs: ['ci-*'],
  target: null,
  expiresAt: fromRfc3339('2027-01-01T00:00:00Z'),
  stormLimit: 30,
  sound: null,
}
const changed = (patch: KeyPatch) => changedGrant(current, patch, NOW)

function problemOf(work: () => unknown): Pick<Problem, 'status' | 'code' | 'detail'> | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return undefined
}

describe('newGrant', () => {
  test('with no permission member: activities update and notifications send', () => {
    expect(grant()).toEqual({
      permissions: { ...NOTHING, activities: 'update', notifications: 'send' },
      activitySlugs: [],
      widgetSlugs: [],
      target: null,
      expiresAt: null,
      stormLimit: null,
      sound: null,
    })
  })

  test('storm: a limit is set, kept by a patch without it, and removed by null', () => {
    expect(grant({ storm: { pushes_per_minute: 5 } }).stormLimit).toBe(5)
    expect(changed({}).stormLimit).toBe(30)
    expect(changed({ storm: { pushes_per_minute: 600 } }).stormLimit).toBe(600)
    expect(changed({ storm: null }).stormLimit).toBeNull()
  })

  test.each([
    ['activity:none', 'none', 'none'],
    ['activity:read', 'read', 'none'],
    ['activity:update', 'update', 'send'],
    ['activity:manage', 'manage', 'send'],
  ] as const)('scope %s grants activities %s and notifications %s', (scope, activities, notifications) => {
    expect(grant({ scope }).permissions).toEqual({ ...NOTHING, activities, notifications })
  })

  test('booleans of the older form grant the highest level or none', () => {
    const { permissions } = grant({ scope: 'activity:none', notifications: true, widgets: true, emails: true })
    expect(permissions).toEqual({ activities: 'none', notifications: 'schedule', widgets: 'write', emails: 'send' })
    expect(grant({ notifications: false }).permissions).toEqual({ ...NOTHING, activities: 'update' })
  })

  test('a resource left out of permissions has level none', () => {
    expect(grant({ permissions: { widgets: 'write' } }).permissions).toEqual({ ...NOTHING, widgets: 'write' })
    expect(grant({ permissions: {} }).permissions).toEqual(NOTHING)
  })

  test.each([{ scope: 'activity:read' }, { notifications: false }, { widgets: true }, { emails: false }] as const)(
    'permissions together with %j is a conflict',
    (older) => {
      expect(problemOf(() => grant({ permissions: {}, ...older }))).toMatchObject({
        status: 400,
        code: 'integration_key.permissions_conflict',
      })
    },
  )

  test('slug lists are stored without duplicates', () => {
    expect(grant({ widget_slugs: ['a', 'b-*', 'a'] }).widgetSlugs).toEqual(['a', 'b-*'])
    expect(grant({ activity_slugs: ['*'] }).activitySlugs).toEqual(['*'])
    expect(grant({ widget_slugs: null, activity_slugs: [] })).toMatchObject({ widgetSlugs: [], activitySlugs: [] })
  })

  test.each(['-a', 'a b', '**', 'a*b', '*a', 'a/*', 'é', 'a\n', `${'a'.repeat(129)}`])(
    'the entry %j is neither a slug nor a prefix',
    (entry) => {
      expect(problemOf(() => grant({ widget_slugs: ['fine', entry] }))).toMatchObject({
        status: 400,
        code: 'integration_key.slug_invalid',
        detail: expect.stringContaining('body.widget_slugs[1]'),
      })
    },
  )

  test('an expiry must be in the future', () => {
    expect(grant({ expires_at: '2026-11-15T10:00:00.001+02:00' }).expiresAt).toBe(NOW + 1)
    expect(grant({ expires_at: null }).expiresAt).toBeNull()
    expect(problemOf(() => grant({ expires_at: '2026-11-15T08:00:00Z' }))).toMatchObject({
      status: 400,
      code: 'integration_key.expires_at_invalid',
    })
  })
})

describe('changedGrant', () => {
  test('absent members stay unchanged', () => {
    expect(changed({})).toEqual(current)
    expect(changed({ name: 'other' })).toEqual(current)
  })

  test('a resource left out of permissions keeps its level', () => {
    expect(changed({ permissions: { widgets: 'write' } }).permissions).toEqual({
      ...current.permissions,
      widgets: 'write',
    })
  })

  test('the older form changes only the resources it names', () => {
    expect(changed({ scope: 'activity:manage' }).permissions).toEqual({ ...current.permissions, activities: 'manage' })
    expect(changed({ notifications: false }).permissions).toEqual({ ...current.permissions, notifications: 'none' })
  })

  test.each([[[]], [null]])('%j clears a slug list', (cleared) => {
    expect(changed({ widget_slugs: cleared })).toEqual({ ...current, widgetSlugs: [] })
    expect(changed({ activity_slugs: cleared })).toEqual({ ...current, activitySlugs: [] })
  })

  test('null removes the expiry, a time replaces it', () => {
    expect(changed({ expires_at: null }).expiresAt).toBeNull()
    expect(changed({ expires_at: '2026-12-01T00:00:00Z' }).expiresAt).toBe(fromRfc3339('2026-12-01T00:00:00Z'))
  })

  test('both forms together are a conflict here too', () => {
    expect(problemOf(() => changed({ permissions: {}, scope: 'activity:read' }))?.code).toBe(
      'integration_key.permissions_conflict',
    )
  })
})
