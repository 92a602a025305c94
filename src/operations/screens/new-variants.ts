// Bounds how many different pictures a screen link can ask for: a screen asks for the same few again and again, and somebody
// who tries out sizes would keep the drawing process busy. In memory, so the bound is one of each process.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewVariants } from '../context.ts'

const HOUR_MS = 3_600_000
// Bounds the memory: the link that has asked for no new variant the longest is forgotten.
const MOST_LINKS = 2000

export function createNewVariants(clock: Clock): NewVariants {
  // When a link last asked for each of its variants, the oldest first.
  const askedAt = new Map<string, Map<string, number>>()

  function variantsOf(linkId: string): Map<string, number> {
    const known = askedAt.get(linkId)
    if (known) return known
    const oldest = askedAt.size >= MOST_LINKS ? askedAt.keys().next().value : undefined
    if (oldest !== undefined) askedAt.delete(oldest)
    const variants = new Map<string, number>()
    askedAt.set(linkId, variants)
    return variants
  }

  return {
    take(linkId, variant) {
      const now = clock.now()
      const variants = variantsOf(linkId)
      for (const [one, at] of variants) {
        if (at > now - HOUR_MS) break
        variants.delete(one)
      }
      const isKnown = variants.delete(variant)
      const [firstAt] = variants.values()
      if (!isKnown && variants.size >= LIMITS.screen.newVariantsPerHour) {
        throw new Problem(
          'rate_limit.exceeded',
          `More than ${LIMITS.screen.newVariantsPerHour} different pictures an hour through this link.`,
          { retry_after_ms: (firstAt ?? now) + HOUR_MS - now },
        )
      }
      variants.set(variant, now)
    },
  }
}
