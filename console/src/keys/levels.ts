// Permissions of a key as text.
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import type { Permissions, Resource } from '../../../src/contract/permissions.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'

export const ALL_RESOURCES = ['notifications', 'widgets', 'activities', 'emails'] as const satisfies Resource[]
export type KeyResource = (typeof ALL_RESOURCES)[number]

// Each level with its text, lowest first.
export function levelsOf<R extends Resource>(resource: R): [Permissions[R], string][] {
  return Object.entries(SETUP_TEXTS.grants[resource]) as [Permissions[R], string][]
}

// Undefined for the level `none`.
export function wordsForKey(
  { permissions, activity_slugs, widget_slugs }: KeyView,
  resource: Resource,
): string | undefined {
  const level = permissions[resource]
  if (level === 'none') return undefined
  const words: Record<string, string> = SETUP_TEXTS.grants[resource]
  const slugs = { activities: activity_slugs, widgets: widget_slugs, notifications: undefined, emails: undefined }[
    resource
  ]
  return slugs ? `${words[level]}: ${slugsInWords(slugs)}` : words[level]
}

export function slugsInWords(slugs: string[]): string {
  return slugs.map((slug) => (slug.endsWith('*') ? SETUP_TEXTS.keys.prefix(slug.slice(0, -1)) : slug)).join(', ')
}

// Slugs may be separated by commas, spaces or line breaks.
export const parseSlugs = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)
