// A glance as clients see it.
import type { Glance } from '../contract/screens/texts.ts'
import { toRfc3339 } from '../domain/instant.ts'
import type { ScreenGlance } from '../domain/screens/glance.ts'

export function glanceView({ isStale, updatedAt, validUntil, ...glance }: ScreenGlance): Glance {
  return {
    ...glance,
    stale: isStale,
    updated_at: toRfc3339(updatedAt),
    ...(validUntil !== undefined && { valid_until: toRfc3339(validUntil) }),
  }
}
