// Applies a first patch of activity content without a server: returns the stored content or the violations.
import { expect } from 'vitest'
import { Problem } from '../../src/contract/problems.ts'
import { patchedActivityContent } from '../../src/domain/activities/content.ts'
import type { ActivityContent } from '../../src/domain/activities/templates/content.ts'
import { fromRfc3339, toUnixSeconds } from '../../src/domain/instant.ts'

export const NOW = fromRfc3339('2026-11-15T08:00:00Z')
export const NOW_SECONDS = toUnixSeconds(NOW)

export const patched = (current: ActivityContent, patch: ActivityContent) => patchedActivityContent(current, patch, NOW)
export const stored = (content: ActivityContent) => patched({}, content)

// Locations without the prefix `body.content.`.
export function violationsOf(
  content: ActivityContent,
  current: ActivityContent = {},
): { location: string; message: string }[] {
  try {
    patched(current, content)
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    expect(error.code).toBe('activity.content_invalid')
    const violations = error.members.errors ?? []
    return violations.map(({ location, message }) => ({ location: location.replace('body.content.', ''), message }))
  }
}

export const placesOf = (content: ActivityContent, current?: ActivityContent) =>
  violationsOf(content, current).map(({ location }) => location)

// Rows of [member, accepted values, refused values], each tried in otherwise valid content.
export type Bounds = [member: string, taken: unknown[], refused: unknown[]][]

export function expectBounds(good: ActivityContent, bounds: Bounds): void {
  expect(placesOf(good)).toEqual([])
  for (const [member, taken, refused] of bounds) {
    for (const value of taken) expect([value, placesOf({ ...good, [member]: value })]).toEqual([value, []])
    for (const value of refused) {
      const places = placesOf({ ...good, [member]: value })
      expect([value, places.length > 0 && places.every((place) => place.startsWith(member))]).toEqual([value, true])
    }
  }
}

export const chars = (count: number) => 'ä'.repeat(count)
export const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value)
