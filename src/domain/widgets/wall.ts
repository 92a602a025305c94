// The order and sizes of widgets on the wall.
import type { WallPlace } from '../../contract/wall.ts'

export type Wall = { places: readonly WallPlace[]; showsClock: boolean }

export const EMPTY_WALL: Wall = { places: [], showsClock: false }

// Every slug once: those that have a place first, in its order; the others after them, in medium size.
export function arrangedOn({ places }: Wall, slugs: readonly string[]): WallPlace[] {
  const sizes = new Map(places.map(({ slug, size }) => [slug, size]))
  const placed = [...sizes.keys()].filter((slug) => slugs.includes(slug))
  const others = slugs.filter((slug) => !sizes.has(slug))
  return [...placed, ...others].map((slug) => ({ slug, size: sizes.get(slug) ?? 'medium' }))
}
