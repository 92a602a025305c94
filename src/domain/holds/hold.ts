// Whether a notification is pushed, or why it is stored only. This is the one place that knows which rule comes first.
import type { KeyId, Shield } from '../caller.ts'
import { DAY_SECONDS, type Instant, plusSeconds, toRfc3339 } from '../instant.ts'
import type { NotificationDraft } from '../notifications/notification.ts'
import { toWallTime } from '../schedules/wall-clock.ts'
import { type Mute, mutedUntil } from './mute.ts'
import { passesQuietHours, type QuietHours, quietUntil } from './quiet-hours.ts'

// Why a notification was stored and not pushed although its sender wanted it pushed.
// `until` of quiet hours is shown by the clock of the person. `isTold`: a digest tells it at the end.
export type Held =
  | { reason: 'muted'; until: Instant }
  | { reason: 'quiet_hours'; until: Instant; timezone: string; isTold: boolean }
  | { reason: 'storm'; shield: Shield }

// What the account has set. `storm`: the shield whose limit is reached.
export type HoldRules = {
  mutes: readonly Mute[]
  quietHours: QuietHours | undefined
  storm?: Shield | undefined
}

// `isAlert`: it asks to be acknowledged.
export type Holdable = Pick<NotificationDraft, 'level' | 'source' | 'threadId'> & {
  push: boolean
  keyId: KeyId | null
  isAlert: boolean
}

// Undefined: it is pushed, unless its sender wants no push, which no rule touches.
export function heldBy(notification: Holdable, rules: HoldRules, now: Instant): Held | undefined {
  if (!notification.push || mustBeHeard(notification)) return undefined
  const { mutes, quietHours, storm } = rules
  const muted = mutedUntil(mutes, notification, now)
  if (muted !== undefined) return { reason: 'muted', until: muted }
  if (quietHours && !passesQuietHours(quietHours, notification.level)) {
    const until = quietUntil(quietHours, now)
    const { timezone, digest: isTold } = quietHours
    if (until !== undefined) return { reason: 'quiet_hours', until, timezone, isTold }
  }
  return storm && { reason: 'storm', shield: storm }
}

// These pass mutes, quiet hours and storm shields.
export const mustBeHeard = ({ level, isAlert }: Pick<Holdable, 'level' | 'isAlert'>): boolean =>
  isAlert || level === 'critical'

// The words of the timeline.
export function heldDetail(held: Held, now: Instant): string {
  switch (held.reason) {
    case 'muted':
      return `until ${toRfc3339(held.until)}`
    case 'quiet_hours':
      return `held until ${clockTime(held, now)}`
    case 'storm':
      return `more than ${held.shield.pushesPerMinute} pushes a minute`
  }
}

// With its date if it is more than a day ahead.
function clockTime({ until, timezone }: { until: Instant; timezone: string }, now: Instant): string {
  const [date, time] = new Date(toWallTime(until, timezone)).toISOString().slice(0, 16).split('T')
  return until < plusSeconds(now, DAY_SECONDS) ? `${time}` : `${date} ${time}`
}
