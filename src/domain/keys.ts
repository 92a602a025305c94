// Integration keys: the grant, from either of the two forms that clients send, and the aliases of a key.

import { SLUG_PATTERN } from '../contract/fields.ts'
import type { AliasDoor } from '../contract/keys/doors.ts'
import type { KeyInput, KeyPatch } from '../contract/keys/keys.ts'
import { LEVELS, type Level, type Permissions, RESOURCES } from '../contract/permissions.ts'
import { Problem } from '../contract/problems.ts'
import { validationProblem } from '../contract/validation.ts'
import type { AccountKind, KeyId, UserId } from './caller.ts'
import { BARK_KEY, makeBarkKey } from './doors/bark/key.ts'
import { isVersion3Token } from './doors/gotify/version3-token.ts'
import { stormLimitOf } from './holds/storm.ts'
import { isUuid, type TargetIds } from './ids.ts'
import { fromRfc3339, type Instant } from './instant.ts'
import type { NotificationSound } from './notifications/sounds.ts'
import { readKeyTarget } from './organizations/key-target.ts'

export type IntegrationKey = {
  id: KeyId
  userId: UserId
  name: string
  isDefault: boolean
  permissions: Permissions
  activitySlugs: string[]
  widgetSlugs: string[]
  // The part of the organization that the key reaches; null for all of it, and for keys of people.
  target: TargetIds | null
  expiresAt: Instant | null
  // The limit of its storm shield, in pushes a minute.
  stormLimit: number | null
  // Of notifications whose sender asks for none.
  sound: NotificationSound | null
  lastUsedAt: Instant | null
  createdAt: Instant
}

export const isKeyId = (text: string): text is KeyId => isUuid(text)

export type Grant = Pick<
  IntegrationKey,
  'permissions' | 'activitySlugs' | 'widgetSlugs' | 'target' | 'expiresAt' | 'stormLimit' | 'sound'
>

// The lowest level of each resource, or the highest.
const levelsAt = (index: 0 | -1) =>
  Object.fromEntries(RESOURCES.map((resource) => [resource, LEVELS[resource].at(index)])) as Permissions

export const DEFAULT_KEY_NAME = 'Default'
export const DEFAULT_KEY_GRANT: Grant = {
  permissions: levelsAt(-1),
  activitySlugs: [],
  widgetSlugs: [],
  target: null,
  expiresAt: null,
  stormLimit: null,
  sound: null,
}

const NO_PERMISSIONS = levelsAt(0)

export function newGrant(input: KeyInput, now: Instant): Grant {
  refuseBothForms(input)
  return {
    permissions: input.permissions ? { ...NO_PERMISSIONS, ...input.permissions } : fromOlderForm(input),
    ...restrictions(input, now),
  }
}

export function changedGrant(current: Grant, patch: KeyPatch, now: Instant): Grant {
  refuseBothForms(patch)
  return {
    permissions: { ...current.permissions, ...(patch.permissions ?? olderMembers(patch)) },
    ...restrictions(patch, now, current),
  }
}

// A key of a person has no target. A key of an organization reaches neither widgets nor e-mail, which organizations do not
// have.
export function requireGrantFor(accountKind: AccountKind, { permissions, target }: Grant): void {
  if (accountKind === 'person') {
    if (target) throw new Problem('org.target_unavailable', 'target is only for the keys of an organization.')
    return
  }
  const excess = (['widgets', 'emails'] as const).filter((resource) => permissions[resource] !== 'none')
  if (excess.length === 0) return
  throw validationProblem(
    excess.map((resource) => ({
      location: `body.permissions.${resource}`,
      message: 'must be none in an organization',
    })),
  )
}

// Scopes that update activities have always included sending notifications.
function fromOlderForm(input: KeyInput): Permissions {
  const activities = activitiesLevel(input.scope ?? 'activity:update')
  const notifications = activities === 'update' || activities === 'manage' ? 'send' : 'none'
  return { ...NO_PERMISSIONS, activities, notifications, ...olderMembers(input) }
}

function olderMembers(input: KeyPatch): Partial<Permissions> {
  return {
    ...(input.scope && { activities: activitiesLevel(input.scope) }),
    ...(input.notifications !== undefined && { notifications: input.notifications ? 'schedule' : 'none' }),
    ...(input.widgets !== undefined && { widgets: input.widgets ? 'write' : 'none' }),
    ...(input.emails !== undefined && { emails: input.emails ? 'send' : 'none' }),
  }
}

const activitiesLevel = (scope: NonNullable<KeyInput['scope']>) =>
  scope.slice('activity:'.length) as Level<'activities'>

function refuseBothForms(input: KeyPatch): void {
  const older = ['scope', 'notifications', 'widgets', 'emails'].filter((name) => name in input)
  if (!input.permissions || older.length === 0) return
  throw new Problem('integration_key.permissions_conflict', `Send either permissions or ${older.join(', ')}, not both.`)
}

function restrictions(input: KeyPatch, now: Instant, current?: Grant): Omit<Grant, 'permissions'> {
  return {
    activitySlugs: slugList('activity_slugs', input.activity_slugs) ?? current?.activitySlugs ?? [],
    widgetSlugs: slugList('widget_slugs', input.widget_slugs) ?? current?.widgetSlugs ?? [],
    target: input.target === undefined ? (current?.target ?? null) : input.target && readKeyTarget(input.target),
    expiresAt: input.expires_at === undefined ? (current?.expiresAt ?? null) : futureOrNull(input.expires_at, now),
    stormLimit: stormLimitOf(input.storm, current?.stormLimit ?? null),
    sound: input.sound === undefined ? (current?.sound ?? null) : input.sound || null,
  }
}

const SLUG_LIST_ENTRY = new RegExp(SLUG_PATTERN.replace('$', '\\*?$'))

// `null` clears a list like []; an absent list is unchanged.
function slugList(member: string, entries: string[] | null | undefined): string[] | undefined {
  if (!entries) return entries === null ? [] : undefined
  const bad = entries.findIndex((entry) => entry !== '*' && !SLUG_LIST_ENTRY.test(entry))
  if (bad === -1) return [...new Set(entries)]
  throw new Problem(
    'integration_key.slug_list_invalid',
    `body.${member}[${bad}] must be a slug or a prefix followed by *, such as build or deploy-*.`,
  )
}

function futureOrNull(expiresAt: string | null, now: Instant): Instant | null {
  if (expiresAt === null) return null
  const at = fromRfc3339(expiresAt)
  if (at > now) return at
  throw new Problem('integration_key.expires_at_invalid', 'body.expires_at must lie in the future.')
}

// An alias of an integration key. It sends through its door and gives access to nothing else.
export type { AliasDoor }

export type KeyAlias = { id: string; userId: UserId; keyId: KeyId; door: AliasDoor; createdAt: Instant }

// The forms that senders check before they send: ntfy's access tokens, Gotify's application tokens before version 3 (those of
// version 3 come from an import), Pushover's API tokens, and Bark's device keys.
const FORMS: Record<AliasDoor, RegExp> = {
  ntfy: /^tk_[a-z0-9]{29}$/,
  gotify: /^A[A-Za-z0-9._-]{14}$/,
  pushover: /^[A-Za-z0-9]{30}$/,
  bark: BARK_KEY,
}

export const hasFormOfAlias = (door: AliasDoor, text: string): boolean =>
  FORMS[door].test(text) || (door === 'gotify' && isVersion3Token('a', text))

// `random` returns so many random letters and digits.
export function makeAliasToken(door: AliasDoor, random: (length: number) => string): string {
  switch (door) {
    case 'ntfy':
      return `tk_${random(29).toLowerCase()}`
    case 'gotify':
      return `A${random(14)}`
    case 'pushover':
      return random(30)
    case 'bark':
      return makeBarkKey(random)
  }
}
