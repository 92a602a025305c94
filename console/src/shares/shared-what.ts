// What a share or a code is about: one activity, or all that match a pattern.
import type { ShareView } from '../../../src/contract/shares.ts'
import { SHARE_TEXTS } from '../texts/shares.ts'

type SharedPart = Pick<ShareView, 'slug' | 'slug_pattern'>

export const whatIsShared = ({ slug, slug_pattern }: SharedPart): string =>
  slug_pattern ? SHARE_TEXTS.pattern(slug_pattern) : (slug ?? '')

export function groupByWhat(shares: ShareView[]): Map<string, ShareView[]> {
  const groups = new Map<string, ShareView[]>()
  for (const share of shares) {
    const what = whatIsShared(share)
    groups.set(what, [...(groups.get(what) ?? []), share])
  }
  return groups
}

// The server's rule: a pattern is the first characters of slugs and a star.
export const covers = (pattern: string, slug: string): boolean => slug.startsWith(pattern.slice(0, -1))
