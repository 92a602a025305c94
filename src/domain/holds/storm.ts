// Storm shields: beyond a number of pushes within a minute, what a key or a hook sends is stored only.

import type { StormShield } from '../../contract/holds.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Shield, ShieldId } from '../caller.ts'
import { type Instant, plusSeconds } from '../instant.ts'
import type { IncomingNotification, Level, NotificationId } from '../notifications/notification.ts'
import { cutText } from '../text.ts'

// What a shield has held since its last summary. `level`: the highest of theirs.
export type HeldInStorm = { count: number; level: Level; newestId: NotificationId | null }

export const WINDOW_SECONDS = 60

const recent = (pushes: readonly Instant[], now: Instant): Instant[] =>
  pushes.filter((at) => at > plusSeconds(now, -WINDOW_SECONDS))

export const isOver = (pushes: readonly Instant[], { pushesPerMinute }: Shield, now: Instant): boolean =>
  recent(pushes, now).length >= pushesPerMinute

export const withPush = (pushes: readonly Instant[], { pushesPerMinute }: Shield, now: Instant): Instant[] =>
  [...recent(pushes, now), now].slice(-pushesPerMinute)

// `undefined` keeps the limit as it is.
export function stormLimitOf(input: StormShield | null | undefined, current: number | null): number | null {
  if (input === undefined) return current
  return input === null ? null : input.pushes_per_minute
}

export const stormView = (limit: number | null): StormShield | undefined =>
  limit === null ? undefined : { pushes_per_minute: limit }

export function stormSummary(
  { id, name }: { id: ShieldId; name: string },
  { count, level }: HeldInStorm,
): IncomingNotification {
  return {
    title: cutText(`${name}: ${count} more in the last minute`, LIMITS.notification.maxTitleChars),
    body: 'They are in the inbox and were not pushed.',
    level,
    source: cutText(name, LIMITS.notification.maxSourceChars),
    source_display_name: name,
    collapse_id: `storm-${id}`,
  }
}
