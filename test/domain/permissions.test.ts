// Permissions: every level against every other, slug lists, and what a key may grant.

import { describe, expect, test } from 'vitest'
import { LEVELS, type Level, type Permissions, RESOURCES, type Resource } from '../../src/contract/permissions.ts'
import { Problem } from '../../src/contract/problems.ts'
import type { Caller, KeyCaller, KeyId, UserCaller, UserId, WidgetCaller } from '../../src/domain/caller.ts'
import { DEFAULT_KEY_GRANT } from '../../src/domain/keys.ts'
import {
  requireAccess,
  requireGrantable,
  requireKeyManager,
  requireLevel,
  requireSlug,
  requireUser,
  slugAllowed,
} from '../../src/domain/permissions.ts'
import { CONTRACT_PLANS } from '../../src/domain/plans.ts'
import { hashToken } from '../../src/domain/token.ts'

const NOTHING: Permissions = { activities: 'none', notifications: 'none', widgets: 'none', emails: 'none' }
const account = {
  userId: 'u' as UserId,
  accountKind: 'person',
  plan: CONTRACT_PLANS.named('free'),
  holdsPushes: false,
  tokenHash: hashToken('x'),
} as const
const user: UserCaller = { ...account, kind: 'user' }
const extension: WidgetCaller = { ...account, kind: 'widget-extension' }
const key = (permissions: Partial<Permissions> = {}, rest: Partial<KeyCaller> = {}): KeyCaller => ({
  ...account,
  kind: 'key',
  keyId: 'k' as KeyId,
  keyName: 'K',
  isDefault: false,
  stormLimit: null,
  sound: null,
  permissions: { ...NOTHING, ...permissions },
  activitySlugs: [],
  widgetSlugs: [],
  target: null,
  ...rest,
})
const defaultKey = key(DEFAULT_KEY_GRANT.permissions, { isDefault: true })

// The code of the problem that the check throws, or "allowed".
function verdict(check: () => void): string {
  try {
    check()
    return 'allowed'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

describe('requireLevel', () => {
  const cells = RESOURCES.flatMap((resource) =>
    LEVELS[resource].flatMap((has) => LEVELS[resource].map((needs) => ({ resource, has, needs }))),
  )

  test.each(cells)('a key with $resource:$has, when $needs is required', ({ resource, has, needs }) => {
    const levels: readonly string[] = LEVELS[resource]
    const expected = levels.indexOf(has) >= levels.indexOf(needs) ? 'allowed' : 'integration_key.permission_denied'
    expect(verdict(() => requireLevel(key({ [resource]: has }), resource, needs))).toBe(expected)
  })

  test('the refusal names the required level and the level of the key', () => {
    expect(() => requireLevel(key({ widgets: 'read' }), 'widgets', 'write')).toThrow(
      'This needs widgets:write; the key has widgets:read.',
    )
  })

  test('the level of one resource does not apply to another', () => {
    const everythingElse = key({ ...DEFAULT_KEY_GRANT.permissions, widgets: 'none' })
    expect(verdict(() => requireLevel(everythingElse, 'widgets', 'read'))).toBe('integration_key.permission_denied')
  })

  test('a full-access token has every level', () => {
    for (const resource of RESOURCES) {
      expect(verdict(() => requireLevel(user, resource, highest(resource)))).toBe('allowed')
    }
  })

  test('a widget token can read widgets and nothing else', () => {
    expect(verdict(() => requireLevel(extension, 'widgets', 'read'))).toBe('allowed')
    expect(verdict(() => requireLevel(extension, 'widgets', 'write'))).toBe('widget.token_not_permitted')
    expect(verdict(() => requireLevel(extension, 'activities', 'read'))).toBe('widget.token_not_permitted')
  })
})

describe('requireAccess', () => {
  const CALLERS: Record<string, Caller> = { user, defaultKey, key: key(), extension }
  const TABLE: Record<'any' | 'user' | 'key-manager', Record<string, string>> = {
    any: { user: 'allowed', defaultKey: 'allowed', key: 'allowed', extension: 'widget.token_not_permitted' },
    user: {
      user: 'allowed',
      defaultKey: 'integration_key.permission_denied',
      key: 'integration_key.permission_denied',
      extension: 'widget.token_not_permitted',
    },
    'key-manager': {
      user: 'allowed',
      defaultKey: 'allowed',
      key: 'integration_key.default_key_required',
      extension: 'widget.token_not_permitted',
    },
  }

  test.each(['any', 'user', 'key-manager'] as const)('access %s is granted or refused per kind of caller', (access) => {
    const verdicts = Object.entries(CALLERS).map(([name, caller]) => [
      name,
      verdict(() => requireAccess(caller, access)),
    ])
    expect(Object.fromEntries(verdicts)).toEqual(TABLE[access])
  })

  test('a required level is checked like requireLevel', () => {
    const access = { resource: 'widgets', level: 'read' } as const
    expect(verdict(() => requireAccess(key({ widgets: 'read' }), access))).toBe('allowed')
    expect(verdict(() => requireAccess(key(), access))).toBe('integration_key.permission_denied')
  })

  test('requireUser and requireKeyManager refuse the same callers', () => {
    expect(verdict(() => requireUser(defaultKey))).toBe('integration_key.permission_denied')
    expect(verdict(() => requireKeyManager(key()))).toBe('integration_key.default_key_required')
  })
})

describe('slugAllowed', () => {
  test.each([
    [[], 'anything', true],
    [['build'], 'build', true],
    [['build'], 'build-2', false],
    [['build'], 'Build', false],
    [['ci-*'], 'ci-build', true],
    [['ci-*'], 'ci-', true],
    [['ci-*'], 'ci', false],
    [['ci-*'], 'my-ci-build', false],
    [['*'], 'anything', true],
    [['a', 'b-*'], 'b-1', true],
    [['a', 'b-*'], 'c', false],
  ])('the patterns %j allow "%s": %s', (patterns, slug, allowed) => {
    expect(slugAllowed(patterns, slug)).toBe(allowed)
  })
})

describe('requireSlug', () => {
  const limited = key({}, { widgetSlugs: ['ci-*'], activitySlugs: ['deploy'] })

  test('checks each resource against its own list', () => {
    expect(verdict(() => requireSlug(limited, 'widgets', 'ci-1'))).toBe('allowed')
    expect(verdict(() => requireSlug(limited, 'activities', 'ci-1'))).toBe('integration_key.slug_invalid')
    expect(verdict(() => requireSlug(limited, 'activities', 'deploy'))).toBe('allowed')
  })

  test('does not apply to full-access and widget tokens', () => {
    expect(verdict(() => requireSlug(user, 'widgets', 'x'))).toBe('allowed')
    expect(verdict(() => requireSlug(extension, 'widgets', 'x'))).toBe('allowed')
  })
})

describe('requireGrantable', () => {
  test('a key can grant at most its own level of each resource', () => {
    const grantor = key({ ...NOTHING, widgets: 'read', activities: 'update' })
    expect(verdict(() => requireGrantable(grantor, { ...NOTHING, widgets: 'read' }))).toBe('allowed')
    expect(verdict(() => requireGrantable(grantor, { ...NOTHING, widgets: 'write' }))).toBe(
      'integration_key.grant_exceeded',
    )
    expect(verdict(() => requireGrantable(grantor, { ...NOTHING, emails: 'send' }))).toBe(
      'integration_key.grant_exceeded',
    )
  })

  test('a full-access token can grant anything', () => {
    expect(verdict(() => requireGrantable(user, DEFAULT_KEY_GRANT.permissions))).toBe('allowed')
  })
})

const highest = <R extends Resource>(resource: R) => LEVELS[resource].at(-1) as Level<R>

test('an access without a rule is refused to every caller', () => {
  for (const caller of [user, defaultKey, extension]) {
    expect(() => requireAccess(caller, 'operator' as never)).toThrow('no rule')
  }
})
