// Access checks. Each returns, or throws the problem that says what is missing.
import { type Access, LEVELS, type Level, type Permissions, RESOURCES, type Resource } from '../contract/permissions.ts'
import { Problem } from '../contract/problems.ts'
import { excerpt } from '../contract/validation.ts'
import type { AppCaller, Caller, KeyCaller, LinkCaller, UserCaller } from './caller.ts'

export function requireAccess(caller: Caller, access: Exclude<Access, 'public'>): void {
  if (typeof access === 'object') {
    requireLevel(caller, access.resource, access.level)
    return
  }
  switch (access) {
    case 'any':
      refuseDeviceTokens(caller)
      break
    case 'user':
      requireUser(caller)
      break
    case 'key-manager':
      requireKeyManager(caller)
      break
    default:
      refuseUnknownAccess(access)
  }
}

// The compiler refuses an unhandled access. If one gets here at run time, it is denied.
function refuseUnknownAccess(access: never): never {
  throw new Error(`no rule says who has the access "${access}"`)
}

export function requireLevel<R extends Resource>(caller: Caller, resource: R, level: Level<R>): void {
  if (caller.kind === 'user') return
  if (caller.kind === 'widget-extension' && resource === 'widgets' && level === 'read') return
  if (caller.kind === 'screen-link' && (resource === 'widgets' || resource === 'activities') && level === 'read') return
  refuseDeviceTokens(caller)
  if (hasLevel(caller, resource, level)) return
  throw new Problem(
    'integration_key.permission_denied',
    `This needs ${resource}:${level}; the key has ${resource}:${caller.permissions[resource]}.`,
  )
}

// For what only some callers see.
export function hasLevel<R extends Resource>(caller: Caller, resource: R, level: Level<R>): boolean {
  if (caller.kind !== 'key') return caller.kind === 'user'
  return rank(resource, caller.permissions[resource]) >= rank(resource, level)
}

export function requireSlug(caller: Caller, resource: 'activities' | 'widgets', slug: string): void {
  if (reachesSlug(caller, resource, slug)) return
  if (caller.kind !== 'key') throw nothingOnLink()
  const patterns = slugsOf(caller, resource)
  throw new Problem(
    'integration_key.slug_invalid',
    `This key may not touch "${excerpt(slug)}"; it is limited to ${excerpt(patterns.join(', '), 300)}.`,
  )
}

// Keys and screen links may be limited to some slugs. An empty list of a key is every slug, and of a link none.
export function reachesSlug(caller: Caller, resource: 'activities' | 'widgets', slug: string): boolean {
  if (caller.kind !== 'key' && caller.kind !== 'screen-link') return true
  const patterns = slugsOf(caller, resource)
  return (caller.kind === 'key' || patterns.length > 0) && slugAllowed(patterns, slug)
}

export function slugAllowed(patterns: string[], slug: string): boolean {
  if (patterns.length === 0) return true
  return patterns.some((pattern) => (pattern.endsWith('*') ? slug.startsWith(pattern.slice(0, -1)) : slug === pattern))
}

const slugsOf = (caller: KeyCaller | LinkCaller, resource: 'activities' | 'widgets'): string[] =>
  resource === 'widgets' ? caller.widgetSlugs : caller.activitySlugs

// The one answer for everything that is not to be seen at the address of a screen link.
export const nothingOnLink = () => new Problem('screen.not_found', 'There is nothing at this address, or no longer.')

export function requireUser(caller: Caller): asserts caller is UserCaller {
  if (caller.kind === 'user') return
  refuseDeviceTokens(caller)
  throw new Problem(
    'integration_key.permission_denied',
    'This needs a full-access token (hla_…); integration keys may not do it.',
  )
}

export function requireKeyManager(caller: Caller): asserts caller is UserCaller | KeyCaller {
  if (caller.kind === 'user') return
  refuseDeviceTokens(caller)
  if (caller.isDefault) return
  throw new Problem(
    'integration_key.default_key_required',
    'Keys are managed with a full-access token (hla_…) or the default key; this is another integration key.',
  )
}

// A key can grant at most its own permissions.
export function requireGrantable(caller: UserCaller | KeyCaller, wanted: Permissions): void {
  if (caller.kind === 'user') return
  for (const resource of RESOURCES) {
    if (rank(resource, wanted[resource]) <= rank(resource, caller.permissions[resource])) continue
    throw new Problem(
      'integration_key.grant_exceeded',
      `This key has ${resource}:${caller.permissions[resource]} and cannot grant ${resource}:${wanted[resource]}.`,
    )
  }
}

// The app of a service receives at the door of that service alone.
export function requireApp(caller: Caller, app: AppCaller['app']): asserts caller is AppCaller {
  if (caller.kind === 'app' && caller.app === app) return
  refuseDeviceTokens(caller)
  throw new Problem('integration_key.permission_denied', 'Only an app that was added as a device receives here.')
}

export const linkNotPermitted = () =>
  new Problem('screen.not_permitted', 'The token of a screen link (hls_…) is only for the addresses of the link.')

// Secrets of one device, or one screen, for one purpose.
function refuseDeviceTokens(caller: Caller): asserts caller is UserCaller | KeyCaller {
  if (caller.kind === 'widget-extension') {
    throw new Problem('widget.token_not_permitted', 'A widget token (hlw_…) reads widgets and does nothing else.')
  }
  if (caller.kind === 'screen-link') throw linkNotPermitted()
  if (caller.kind === 'app') {
    throw new Problem(
      'device.app_not_permitted',
      `The password of a phone app receives at /${caller.app} and does nothing else.`,
    )
  }
}

const rank = (resource: Resource, level: string): number => (LEVELS[resource] as readonly string[]).indexOf(level)
